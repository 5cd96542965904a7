package import Frames

/// How old a film may get: `30d`, or a time as `TimeSpan` reads it.
package struct FilmAge: Hashable, Sendable {
  package let seconds: Double

  private static let day = 86_400.0
  /// A hundred years.
  private static let limit = 36_525 * day

  /// - Throws: code `usage`.
  package init(parsing text: String) throws(CamrecError) {
    let seconds: Double? =
      if text.hasSuffix("d") {
        Double(text.dropLast()).map { $0 * FilmAge.day }
      } else {
        (try? TimeSpan(parsing: text))?.seconds.doubleValue
      }
    guard let seconds, seconds > 0, seconds <= FilmAge.limit else {
      throw CamrecError(.usage, "an age is greater than 0 and has a unit (d, h, m, s), as in 30d or 12h")
    }
    self.seconds = seconds
  }
}
