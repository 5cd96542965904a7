/// A sentence about a recording, with what it says as fields for a log.
public struct SessionRemark: Hashable, Sendable {
  public var sentence: String
  /// By their names in a log: `free-bytes`.
  public var facts: [String: String]
  /// Somebody should look after it; false: it is as it should be.
  public var isWarning: Bool

  public init(_ sentence: String, facts: [String: String] = [:], isWarning: Bool = true) {
    self.sentence = sentence
    self.facts = facts
    self.isWarning = isWarning
  }
}
