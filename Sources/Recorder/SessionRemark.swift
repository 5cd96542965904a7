/// A sentence about a recording, with what it says as fields for a log.
public struct SessionRemark: Hashable, Sendable {
  public var sentence: String
  /// By their names in a log: `free-bytes`.
  public var facts: [String: String]
  /// Somebody should look after it; false: it is as it should be.
  public var isWarning: Bool
  /// A warning that cannot wait: a film is in danger.
  public var isError: Bool
  /// How an earlier warning goes on: no news to whoever sees a status line, which has the count.
  public var isRepeat: Bool

  public init(
    _ sentence: String, facts: [String: String] = [:], isWarning: Bool = true, isError: Bool = false,
    isRepeat: Bool = false
  ) {
    self.sentence = sentence
    self.facts = facts
    self.isWarning = isWarning
    self.isError = isError
    self.isRepeat = isRepeat
  }
}
