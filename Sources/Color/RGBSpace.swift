public import Frames

/// A CIE 1931 xy chromaticity.
public struct Chromaticity: Hashable, Sendable {
  public let x: Double
  public let y: Double

  public init(_ x: Double, _ y: Double) {
    self.x = x
    self.y = y
  }

  /// BT.709-6, item 1.4.
  public static let d65 = Chromaticity(0.3127, 0.3290)
  /// ICC.1:2022, 7.2.16 (the profile connection space), as XYZ 0.9642, 1, 0.8249.
  public static let d50 = Chromaticity(0.9642 / 2.7891, 1 / 2.7891)

  /// XYZ of luminance 1.
  public var xyz: SIMD3<Double> { [x / y, 1, (1 - x - y) / y] }
}

/// A linear-light RGB space: three primaries and a white point.
///
/// | primaries | source |
/// | --- | --- |
/// | `rec709`, `rec2020` | ITU-R BT.709-6, item 1.4; BT.2020-2, table 3 |
/// | `smpte170m`, `bt470bg` | SMPTE ST 170:2004 and ITU-R BT.470-6 (B, G), as tabled in ITU-T H.273, table 2 |
/// | `displayP3` | SMPTE RP 431-2 primaries with D65 |
/// | `sGamut3Cine` | Sony, "Technical Summary for S-Gamut3.Cine/S-Log3 and S-Gamut3/S-Log3" |
/// | `vGamut` | Panasonic, "V-Log/V-Gamut Reference Manual" |
/// | `alexaWideGamut` | ARRI, "ALEXA Log C Curve: Usage in VFX" |
/// | `alexaWideGamut4` | ARRI, "LogC4 Logarithmic Color Space Specification", 2022 |
/// | `cinemaGamut` | Canon, "Canon Log Gamma Curves: Description of the Canon Log, Canon Log 2 and Canon Log 3" |
public struct RGBSpace: Hashable, Sendable {
  public let red: Chromaticity
  public let green: Chromaticity
  public let blue: Chromaticity
  public let white: Chromaticity

  public init(red: Chromaticity, green: Chromaticity, blue: Chromaticity, white: Chromaticity = .d65) {
    self.red = red
    self.green = green
    self.blue = blue
    self.white = white
  }

  public static let rec709 = RGBSpace(
    red: Chromaticity(0.640, 0.330), green: Chromaticity(0.300, 0.600), blue: Chromaticity(0.150, 0.060))
  public static let rec2020 = RGBSpace(
    red: Chromaticity(0.708, 0.292), green: Chromaticity(0.170, 0.797), blue: Chromaticity(0.131, 0.046))

  public static let displayP3 = RGBSpace(
    red: Chromaticity(0.680, 0.320), green: Chromaticity(0.265, 0.690), blue: Chromaticity(0.150, 0.060))

  /// `nil` for `unspecified`.
  public init?(_ primaries: ColorPrimaries) {
    switch primaries {
    case .rec709: self = .rec709
    case .rec2020: self = .rec2020
    case .smpte170m:
      self.init(red: Chromaticity(0.630, 0.340), green: Chromaticity(0.310, 0.595), blue: Chromaticity(0.155, 0.070))
    case .bt470bg:
      self.init(red: Chromaticity(0.640, 0.330), green: Chromaticity(0.290, 0.600), blue: Chromaticity(0.150, 0.060))
    case .displayP3: self = .displayP3
    case .sGamut3Cine:
      self.init(red: Chromaticity(0.766, 0.275), green: Chromaticity(0.225, 0.800), blue: Chromaticity(0.089, -0.087))
    case .vGamut:
      self.init(red: Chromaticity(0.730, 0.280), green: Chromaticity(0.165, 0.840), blue: Chromaticity(0.100, -0.030))
    case .alexaWideGamut:
      self.init(red: Chromaticity(0.684, 0.313), green: Chromaticity(0.221, 0.848), blue: Chromaticity(0.0861, -0.1020))
    case .alexaWideGamut4:
      self.init(
        red: Chromaticity(0.7347, 0.2653), green: Chromaticity(0.1424, 0.8576), blue: Chromaticity(0.0991, -0.0308))
    case .cinemaGamut:
      self.init(red: Chromaticity(0.740, 0.270), green: Chromaticity(0.170, 1.140), blue: Chromaticity(0.080, -0.100))
    case .unspecified: return nil
    }
  }

  /// Linear RGB to CIE XYZ; RGB (1, 1, 1) is the white point at Y = 1. (SMPTE RP 177-1993, section 3.3.)
  public var toXYZ: Matrix3 {
    let primaries = Matrix3(rows: red.xyz, green.xyz, blue.xyz).transposed
    return primaries * Matrix3(diagonal: primaries.inverse * white.xyz)
  }

  /// Linear RGB of this space to that of another; where the white points differ, by Bradford's adaptation.
  public func matrix(to other: RGBSpace) -> Matrix3 {
    let adapted = white == other.white ? toXYZ : Self.adaptation(from: white, to: other.white) * toXYZ
    return other.toXYZ.inverse * adapted
  }

  /// XYZ under one white to the XYZ that looks the same under another: Bradford's linear transform as in
  /// ICC.1:2022, annex E.
  public static func adaptation(from: Chromaticity, to: Chromaticity) -> Matrix3 {
    let cone = Matrix3(rows: [0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296])
    return cone.inverse * Matrix3(diagonal: (cone * to.xyz) / (cone * from.xyz)) * cone
  }
}
