package import Frames

/// `--heat-limit`: `auto`, `off`, or degrees Celsius.
package enum HeatLimit: Hashable, Sendable {
  case off
  /// Each thermometer's own limit.
  case auto
  case degrees(Double)

  package static let limits = 30.0...120.0

  package init(parsing text: String) throws(CamrecError) {
    switch text {
    case "off": self = .off
    case "auto": self = .auto
    default:
      guard let degrees = Double(text), HeatLimit.limits.contains(degrees) else {
        throw CamrecError(.usage, "a heat limit is auto, off, or 30 to 120 degrees Celsius, as in 80")
      }
      self = .degrees(degrees)
    }
  }

  package var celsius: Double? { if case .degrees(let degrees) = self { degrees } else { nil } }
}
