package import Foundation

/// Instants as ISO 8601 writes them, in UTC, to the nearest millisecond: `2026-11-21T13:22:26.123Z`.
package enum DateText {
  private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
  private static let wholeSeconds = Date.ISO8601FormatStyle()

  /// The style cuts fractions off, and few milliseconds are exact in binary: each copy would be a millisecond earlier.
  package static func text(_ date: Date) -> String {
    let time = date.timeIntervalSince1970
    var second = time.rounded(.down), milliseconds = Int(((time - second) * 1000).rounded())
    if milliseconds == 1000 { (second, milliseconds) = (second + 1, 0) }
    let text = Date(timeIntervalSince1970: second).formatted(wholeSeconds)
    return "\(text.dropLast()).\(String(1000 + milliseconds).dropFirst())Z"
  }

  /// The instant to the nearest millisecond, so that it is the same second however it is written.
  package static func rounded(_ date: Date) -> Date {
    Date(timeIntervalSince1970: (date.timeIntervalSince1970 * 1000).rounded() / 1000)
  }

  package static func read(_ text: String) -> Date? { try? style.parse(text) }
}
