import Foundation

/// Instants as ISO 8601 writes them, in UTC: `2026-11-21T13:22:26.123Z`.
enum SidecarDate {
  private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

  static func text(_ date: Date) -> String { date.formatted(style) }

  static func read(_ text: String) -> Date? { try? style.parse(text) }
}
