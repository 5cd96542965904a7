/// A failure that reaches a person: a code for programs, a sentence with the remedy for people, a cause for the log.
///
/// The sentence says what was wrong, where (file, line, value, limit) and what to do. Tests check its wording;
/// programs must not rely on it: they have `code`, `field` and `reason`. Two failures are equal if people are told the
/// same.
public struct CamrecError: Error, Sendable, CustomStringConvertible {
  /// The kind of failure; it decides the exit status of the command.
  public enum Code: String, Hashable, Sendable, CaseIterable, Codable {
    /// An option's value is wrong, or options contradict each other.
    case usage
    /// An input file (LUT, clip) is unusable.
    case input
    /// A camera or microphone is missing, busy, refused, unplugged or broken.
    case device
    /// The output cannot be created or written.
    case output
    /// The bake, the encoder or the disk could not keep up, and the recording was to stop then.
    case overload
    /// The user stopped it before it was done.
    case interrupted
    /// A defect of camrec or of a library below it.
    case defect
  }

  public let code: Code
  /// The sentence as the command line says it, with its options.
  public let message: String
  /// What the system or the library said, for the log.
  public let cause: String?
  /// The sentence, whoever says it.
  public let sentence: Sentence
  /// The setting that it is about; `nil` if it is about none, or about several.
  public let field: SettingName?
  /// `nil` if code and sentence say enough.
  public let reason: RefusalReason?

  /// - Parameter message: names no option of the command line; a sentence that speaks of settings is for the other
  ///   initializer.
  public init(_ code: Code, _ message: String, cause: String? = nil, reason: RefusalReason? = nil) {
    self.init(code, about: nil, Sentence(text: message), cause: cause, reason: reason)
  }

  /// - Parameter field: the setting that it is about.
  public init(
    _ code: Code, about field: SettingName?, _ sentence: Sentence, cause: String? = nil, reason: RefusalReason? = nil
  ) {
    self.code = code
    self.field = field
    self.sentence = sentence
    self.cause = cause
    self.reason = reason
    message = sentence.withOptions
  }

  public var description: String { cause.map { "\(message) (\($0))" } ?? message }

  /// The same failure of this setting's value. One that names its setting keeps that.
  public func about(_ setting: SettingName) -> CamrecError {
    CamrecError(code, about: field ?? setting, sentence, cause: cause, reason: reason)
  }

  /// The same failure of a file or a value that another setting has named.
  public func naming(_ setting: SettingName, insteadOf other: SettingName) -> CamrecError {
    CamrecError(
      code, about: field == other ? setting : field, sentence.naming(setting, insteadOf: other), cause: cause,
      reason: reason)
  }
}

extension CamrecError: Hashable {
  public static func == (one: CamrecError, other: CamrecError) -> Bool {
    one.code == other.code && one.message == other.message && one.cause == other.cause
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(code)
    hasher.combine(message)
    hasher.combine(cause)
  }
}

/// In JSON: what people are told, and the code.
extension CamrecError: Codable {
  private enum CodingKeys: CodingKey { case code, message, cause }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      try values.decode(Code.self, forKey: .code), try values.decode(String.self, forKey: .message),
      cause: try values.decodeIfPresent(String.self, forKey: .cause))
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(code, forKey: .code)
    try values.encode(message, forKey: .message)
    try values.encodeIfPresent(cause, forKey: .cause)
  }
}
