import Exposure
import Foundation

/// Exposures in words.
enum ExposureWords {
  /// A driver's rounding, up to half of a third of a stop, is not worth a warning.
  private static let rounding = Stops(1.0 / 6)

  /// `1/48 s`, `0.5 s`.
  static func time(_ seconds: Double) -> String {
    seconds < 0.3 ? String(format: "1/%.0f s", 1 / seconds) : String(format: "%.3g s", seconds)
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
