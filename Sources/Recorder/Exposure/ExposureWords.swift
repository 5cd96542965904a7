import Exposure
import Foundation
import RecorderAPI

/// Exposures in words.
enum ExposureWords {
  /// A driver's rounding, up to half of a third of a stop, is not worth a warning.
  private static let rounding = Stops(1.0 / 6)

  /// The warning that a camera took a different setting than requested; `nil` if it only rounded.
  static func other(
    _ answer: ExposureSetting, than asked: ExposureSetting, _ device: ExposureDevice, _ name: String
  ) -> String? {
    guard (answer.exposureStops - asked.exposureStops).magnitude > rounding else { return nil }
    func words(_ setting: ExposureSetting) -> String {
      TimeText.exposure(setting.exposureTime)
        + String(format: " and ISO %.0f", device.sensitivity.iso(of: setting.gainStops))
    }
    return "\(name) was set to \(words(asked)) but reports \(words(answer)); recording what it reports"
  }
}
