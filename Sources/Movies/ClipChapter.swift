/// A named place in a clip, or in the film that is made from it.
public struct ClipChapter: Hashable, Sendable {
  /// Empty for a chapter without a name.
  public let title: String
  /// Seconds, by the times of the clip's or the film's frames.
  public let seconds: Double

  public init(title: String, seconds: Double) {
    self.title = title
    self.seconds = seconds
  }
}
