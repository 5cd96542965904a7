import Foundation
import Frames
import Logging
import Platform

/// How an entry is written on a line. Both styles end in a line feed and contain no other.
public enum LogStyle: String, Hashable, Sendable, CaseIterable {
  /// `2026-11-21T19:05:01.123Z warning: the camera delivers no intact frames camera=front frame=48`
  case text
  /// `{"fields":{"camera":"front"},"level":"warning","message":"…","time":"…"}`
  case json

  public func line(_ entry: LogEntry) -> String {
    switch self {
    case .text: LogStyle.text(entry)
    case .json: LogStyle.object(entry)
    }
  }

  /// Like `line`, but with the priority of sd-daemon(3) in front, and without the time, which the journal adds.
  public static func prefixed(_ entry: LogEntry) -> String { "<\(entry.priority)>\(sentence(entry))\n" }

  private static func text(_ entry: LogEntry) -> String {
    "\(entry.time.formatted(dates)) \(entry.level.rawValue): \(sentence(entry))\n"
  }

  private static func sentence(_ entry: LogEntry) -> String {
    let fields = entry.fields.sorted { $0.key < $1.key }.map { " \($0.key)=\(quoted($0.value))" }
    return flat(entry.message) + fields.joined()
  }

  private static func object(_ entry: LogEntry) -> String {
    struct Line: Encodable {
      let time: String
      let level: String
      let message: String
      let fields: [String: String]?
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let line = Line(
      time: entry.time.formatted(dates), level: entry.level.rawValue, message: entry.message,
      fields: entry.fields.isEmpty ? nil : entry.fields)
    // Every text can be written as JSON.
    let data = (try? encoder.encode(line)) ?? Data()
    return VisibleText.json(String(decoding: data, as: UTF8.self)) + "\n"
  }

  /// Without quotes if it is one plain word.
  private static func quoted(_ value: String) -> String {
    let isPlain = !value.isEmpty && value.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && !"\"\\=".utf8.contains($0) }
    if isPlain { return value }
    let escaped = value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    return "\"\(flat(escaped))\""
  }

  /// On one line, and without control characters.
  private static func flat(_ text: String) -> String { VisibleText.line(text) }

  private static let dates = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
}
