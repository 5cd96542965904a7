public import Frames

/// Why a recorder refused something or has failed, for whoever talks to it. It assumes no command line: its sentence
/// names no options.
public struct RecorderError: Error, Hashable, Sendable, CustomStringConvertible {
  public var code: CamrecError.Code
  /// The setting that it is about; `nil` if it is about none, or about several.
  public var field: SettingName?
  /// For programs, as `Documentation/Reasons.md` lists them; `nil` if code and sentence say enough.
  public var reason: RefusalReason?
  /// For people: what was wrong, where, and what to do.
  public var message: String
  /// What the system or the library said, for the log.
  public var cause: String?

  public init(
    _ code: CamrecError.Code, _ message: String, field: SettingName? = nil, reason: RefusalReason? = nil,
    cause: String? = nil
  ) {
    self.code = code
    self.field = field
    self.reason = reason
    self.message = message
    self.cause = cause
  }

  /// - Parameter reason: replaces that of the error.
  public init(_ error: CamrecError, reason: RefusalReason? = nil) {
    self.init(
      error.code, error.sentence.plain, field: error.field, reason: reason ?? error.reason, cause: error.cause)
  }

  public var description: String { cause.map { "\(message) (\($0))" } ?? message }
}
