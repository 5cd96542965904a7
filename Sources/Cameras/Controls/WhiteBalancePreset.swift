/// Kinds of light, by the names that cameras use for them.
public enum WhiteBalancePreset: String, Hashable, Sendable, CaseIterable {
  case auto, daylight, cloudy, shade, tungsten, fluorescent

  /// The light's colour temperature; `nil`: the camera finds it by itself.
  public var kelvin: Double? {
    switch self {
    case .auto: nil
    case .daylight: 5500
    case .cloudy: 6500
    case .shade: 7500
    case .tungsten: 3200
    case .fluorescent: 4000
    }
  }

  /// `auto, daylight (5500 K), …`.
  public static var list: String {
    allCases.map { preset in preset.rawValue + (preset.kelvin.map { " (\(Int($0)) K)" } ?? "") }.joined(separator: ", ")
  }
}
