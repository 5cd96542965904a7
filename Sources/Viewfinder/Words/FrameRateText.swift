import Foundation

/// A frame rate as a recorder's state has it: `24`, `24000/1001`.
enum FrameRateText {
  static func number(_ text: String) -> Double? {
    let parts = text.split(separator: "/").map { Double($0) }
    guard let first = parts.first ?? nil else { return nil }
    guard parts.count > 1 else { return first }
    guard let second = parts[1], second > 0 else { return nil }
    return first / second
  }

  /// `23.976`.
  static func decimal(_ text: String) -> String { number(text).map { String(format: "%.5g", $0) } ?? text }
}
