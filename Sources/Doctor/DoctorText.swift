import Foundation

/// Formats figures for sentences.
enum DoctorText {
  /// Three significant digits: `0.0123`, `4.56`, `789`.
  static func number(_ value: Double) -> String {
    guard abs(value) >= 100 else { return String(format: "%.3g", value) }
    return String(format: "%.0f", value)
  }

  /// `12.3 GB`: decimal units, as disks are sold.
  static func bytes(_ count: Double) -> String {
    let units = [("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3)]
    for (unit, size) in units where count >= size { return "\(number(count / size)) \(unit)" }
    return "\(Int(count)) B"
  }

  /// `45 minutes`, `7.5 hours`, `12 days`.
  static func time(hours: Double) -> String {
    func words(_ value: Double, _ unit: String) -> String {
      let text = number(value)
      return "\(text) \(unit)\(text == "1" ? "" : "s")"
    }
    if hours < 1 { return words(hours * 60, "minute") }
    return hours < 72 ? words(hours, "hour") : words(hours / 24, "day")
  }
}
