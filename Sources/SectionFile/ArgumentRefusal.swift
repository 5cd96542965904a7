/// Why a command line's parser refused its words.
public struct ArgumentRefusal: Error {
  /// A sentence for people, with the option's name.
  public let message: String
  /// Without the option's name; `nil` if no single value was refused: an option is unknown, or two contradict each
  /// other.
  public let reason: String?

  public init(message: String, reason: String?) {
    self.message = message
    self.reason = reason
  }
}
