import Foundation

/// Exposure times for sentences.
enum ExposureWords {
  /// `1/48 s`, `0.5 s`.
  static func time(_ seconds: Double) -> String {
    seconds < 0.3 ? String(format: "1/%.0f s", 1 / seconds) : String(format: "%.3g s", seconds)
  }
}
