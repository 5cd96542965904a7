public import Exposure
import Foundation

/// A change of the exposure.
public enum ExposureChange: Hashable, Sendable {
  case mode(ExposureOptions.Mode)
  case angle(ShutterAngle)
  /// For `manual`.
  case iso(Double)
  /// EV by which the average should be brighter than 18 % grey.
  case bias(Stops)
  case metering(MeteringMode)
  /// The ordinary lock of `auto`: time and gain stay as they are. Shutter priority has none.
  case lock(Bool)
}

extension ExposureChange {
  /// Its name in the sidecar, and its value.
  var note: (name: String, value: String) {
    switch self {
    case .mode(let mode): ("exposure", mode.rawValue)
    case .angle(let angle): ("shutter-angle", "\(angle)")
    case .iso(let iso): ("iso", String(format: "%g", iso))
    case .bias(let bias): ("ev", String(format: "%g", bias.ev))
    case .metering(let mode): ("metering", mode.word)
    case .lock(let isLocked): ("exposure-lock", isLocked ? "on" : "off")
    }
  }
}
