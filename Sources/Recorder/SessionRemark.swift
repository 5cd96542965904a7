public import Frames

/// A sentence about a recording, with its facts as fields for a log.
public struct SessionRemark: Hashable, Sendable {
  /// The sentence, whoever says it.
  public var sentence: Sentence
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
  /// The film that it is about, where that may have been followed by another; `nil`: the film being written.
  public var film: String?

  /// The fact of a bake that says how many frames were lost before it.
  public static let lostBefore = "lost-before"
  /// The fact of a bake that more may have been lost before it: parts of the clip's sidecar cannot be read.
  public static let isAtLeast = "is-at-least"
  /// The fact of a bake that says how long the clip's gaps are in all, in frames.
  public static let missing = "missing"

  /// - Parameter message: names no option of the command line; a sentence that speaks of settings is for the other
  ///   initializer.
  public init(
    _ message: String, facts: [String: String] = [:], isWarning: Bool = true, isError: Bool = false,
    isRepeat: Bool = false, namesFilm: Bool = false
  ) {
    self.init(
      saying: Sentence(text: message), facts: facts, isWarning: isWarning, isError: isError, isRepeat: isRepeat,
      namesFilm: namesFilm)
  }

  public init(
    saying sentence: Sentence, facts: [String: String] = [:], isWarning: Bool = true, isError: Bool = false,
    isRepeat: Bool = false, namesFilm: Bool = false
  ) {
    self.sentence = sentence
    self.facts = facts
    self.isWarning = isWarning
    self.isError = isError
    self.isRepeat = isRepeat
    self.namesFilm = namesFilm
  }

  /// The sentence as the command line says it, with its options.
  public var message: String { sentence.withOptions }
}
