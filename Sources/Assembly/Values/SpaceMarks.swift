package import Frames
package import Retention

/// The value of `--warn-space`: `30m,500MB`, or `none`.
package struct SpaceMarks: Hashable, Sendable {
  package let marks: [SpaceMark]

  /// - Throws: code `usage`.
  package init(parsing text: String) throws(CamrecError) {
    if text == "none" {
      marks = []
      return
    }
    var marks: [SpaceMark] = []
    for word in text.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
      marks.append(try SpaceMarks.mark(word))
    }
    self.marks = marks
  }

  private static func mark(_ word: String) throws(CamrecError) -> SpaceMark {
    if let span = try? TimeSpan(parsing: word), span.nanoseconds > 0 { return .seconds(span.seconds.doubleValue) }
    if word.last?.isNumber == false, let size = ByteSize(word) { return .bytes(size.bytes) }
    throw CamrecError(
      .usage,
      "a threshold is a time (30m), a size (500MB), several of them (2h,30m,500MB), or none; this is '\(word)'")
  }
}
