/// The unit of a control's numbers.
public enum ControlUnit: String, Hashable, Sendable, CaseIterable, Codable {
  case seconds, kelvin, degrees
  case exposureValues = "EV"
  case isoSpeed = "ISO"
  /// Magnification relative to the whole frame.
  case factor
  /// From −1 to 1.
  case balance
  /// The camera's own numbers, whose meaning it does not report.
  case own

  /// The sign after a number, with the space before it: ` s`, ` K`; empty for a unit without a sign.
  public var sign: String {
    switch self {
    case .seconds: " s"
    case .kelvin: " K"
    case .degrees: "°"
    case .exposureValues: " EV"
    case .factor: "×"
    case .isoSpeed, .balance, .own: ""
    }
  }
}

extension CameraControl {
  /// The unit of its numbers if the camera reports it; also `own` for a control without a unit.
  public var unit: ControlUnit {
    switch self {
    case .exposureTime: .seconds
    case .iso: .isoSpeed
    case .exposureBias: .exposureValues
    case .whiteBalance: .kelvin
    case .tint: .balance
    case .digitalZoom: .factor
    case .pan, .tilt: .degrees
    default: .own
    }
  }
}
