/// A failure that reaches a person: a code for programs, a sentence with the remedy for people, a cause for the log.
///
/// The sentence says what was wrong, where (file, line, value, limit) and what to do. Tests check its wording;
/// programs must not rely on it.
public struct CamrecError: Error, Hashable, Sendable, Codable, CustomStringConvertible {
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
  public let message: String
  /// What the system or the library said, for the log.
  public let cause: String?

  public init(_ code: Code, _ message: String, cause: String? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  public var description: String { cause.map { "\(message) (\($0))" } ?? message }
}
