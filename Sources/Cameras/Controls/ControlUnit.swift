/// What the numbers of a control count.
public enum ControlUnit: String, Hashable, Sendable, CaseIterable, Codable {
  case seconds, kelvin, degrees
  case exposureValues = "EV"
  case isoSpeed = "ISO"
  /// How much larger than the whole picture.
  case factor
  /// From −1 to 1.
  case balance
  /// The camera's own numbers, whose meaning it does not tell.
  case own

  /// Behind a number, with the space before it: ` s`, ` K`; nothing for what has no sign.
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
  /// What its numbers count, where the camera tells it; `own` too where it has none.
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
