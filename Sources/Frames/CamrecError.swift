/// A failure that reaches a person: a code for programs, a sentence with the remedy for people, a cause for the log.
///
/// The sentence says what was wrong, where (file, line, value, limit) and what to do. Its wording is tested, its
/// format is not promised.
public struct CamrecError: Error, Hashable, Sendable, Codable, CustomStringConvertible {
  /// What kind of thing failed; decides the exit code of the command line.
  public enum Code: String, Hashable, Sendable, CaseIterable, Codable {
    /// An option's value is wrong, or options contradict each other.
    case usage
    /// A file that was given to read (LUT, clip) is unusable.
    case input
    /// A camera or microphone is missing, busy, refused, unplugged or broken.
    case device
    /// The output cannot be created or written.
    case output
    /// Somebody wanted it to end before it was done.
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
