import Exposure
import Foundation

/// Exposures in words.
package enum ExposureWords {
  /// A driver's rounding, up to half of a third of a stop, is not worth a warning.
  private static let rounding = Stops(1.0 / 6)

  /// `1/48 s`, `1/59.9 s`, `0.5 s`.
  package static func time(_ seconds: Double) -> String {
    guard seconds > 0, seconds < 0.3 else { return "\(trimmed(seconds)) s" }
    let inverse = 1 / seconds
    let isWhole = abs(inverse - inverse.rounded()) < max(0.05, inverse * 0.0005)
    return String(format: isWhole ? "1/%.0f s" : "1/%.1f s", inverse)
  }

  /// At most two decimals, without trailing zeros.
  private static func trimmed(_ value: Double) -> String {
    let text = String(format: "%.2f", value)
    guard text.hasSuffix("0") else { return text }
    return text.hasSuffix(".00") ? String(text.dropLast(3)) : String(text.dropLast())
  }

  /// The warning that a camera took a different setting than requested; `nil` if it only rounded.
  static func other(
    _ answer: ExposureSetting, than asked: ExposureSetting, _ device: ExposureDevice, _ name: String
  ) -> String? {
    guard (answer.exposureStops - asked.exposureStops).magnitude > rounding else { return nil }
    func words(_ setting: ExposureSetting) -> String {
      time(setting.exposureTime) + String(format: " and ISO %.0f", device.sensitivity.iso(of: setting.gainStops))
    }
    return "\(name) was set to \(words(asked)) but reports \(words(answer)); recording what it reports"
  }
}
