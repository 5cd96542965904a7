/// A sentence about a recording, with its facts as fields for a log.
public struct SessionRemark: Hashable, Sendable {
  public var sentence: String
  /// Facts by their field names in a log: `free-bytes`.
  public var facts: [String: String]
  /// It needs attention; false if all is as it should be.
  public var isWarning: Bool
  /// An urgent warning: a film is in danger.
  public var isError: Bool
  /// It continues an earlier warning: not needed beside a status line, which shows the count.
  public var isRepeat: Bool
  /// Its facts name what it is about, if that is known; otherwise it is about the film being written.
  public var namesFilm: Bool

  public init(
    _ sentence: String, facts: [String: String] = [:], isWarning: Bool = true, isError: Bool = false,
    isRepeat: Bool = false, namesFilm: Bool = false
  ) {
    self.sentence = sentence
    self.facts = facts
    self.isWarning = isWarning
    self.isError = isError
    self.isRepeat = isRepeat
    self.namesFilm = namesFilm
  }
}
