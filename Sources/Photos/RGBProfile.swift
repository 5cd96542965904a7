import CPhotos
public import Color
import Foundation
public import Frames

/// The colours of a photograph: three primaries and three curves, as from an ICC profile (ICC.1:2022).
public struct RGBProfile: Hashable, Sendable {
  /// Light by code for red, green and blue, 0…1, 65536 samples each from code 0 to the highest; they rise.
  public let curves: [[Double]]
  /// Linear light to that of Display P3, 1 at white.
  public let toDisplayP3: Matrix3

  /// IEC 61966-2-1.
  public static let sRGB = RGBProfile(.rec709, light: srgbLight)
  public static let displayP3 = RGBProfile(.displayP3, light: srgbLight)
  /// Adobe RGB (1998) Color Image Encoding, 4.3.
  public static let adobeRGB = RGBProfile(
    RGBSpace(red: Chromaticity(0.64, 0.33), green: Chromaticity(0.21, 0.71), blue: Chromaticity(0.15, 0.06)),
    light: { pow($0, 563.0 / 256) })

  /// sRGB's own curve.
  private static func srgbLight(_ signal: Double) -> Double {
    signal <= 0.04045 ? signal / 12.92 : pow((signal + 0.055) / 1.055, 2.4)
  }

  private init(_ space: RGBSpace, light: (Double) -> Double) {
    let curve = (0..<Int(CP_CURVE)).map { light(Double($0) / Double(CP_CURVE - 1)) }
    curves = [curve, curve, curve]
    toDisplayP3 = space.matrix(to: .displayP3)
  }

  /// Reads an ICC profile.
  ///
  /// - Parameters:
  ///   - channels: of the photograph; grey ones may have profiles for grey.
  ///   - path: of the photograph, for people.
  /// - Throws: code `input` if the profile is broken, or is for colours other than RGB by primaries and curves.
  public init(reading bytes: [UInt8], channels: Int, path: String) throws(CamrecError) {
    let count = Int(CP_CURVE)
    var m = [Double](repeating: 0, count: 9), light = [Double](repeating: 0, count: 3 * count)
    let kind = bytes.withUnsafeBytes { cp_read_profile($0.baseAddress, $0.count, &m, &light) }
    let curves = (0..<3).map { Array(light[$0 * count..<($0 + 1) * count]) }
    switch kind {
    case CP_MATRIX_PROFILE:
      // From the profile connection space, whose white is D50, to Display P3.
      let connected = Matrix3(rows: [m[0], m[1], m[2]], [m[3], m[4], m[5]], [m[6], m[7], m[8]])
      let adapted = RGBSpace.adaptation(from: .d50, to: .d65) * connected
      self.curves = curves
      toDisplayP3 = RGBSpace.displayP3.toXYZ.inverse * adapted
    case CP_GREY_PROFILE where channels == 1:
      self.curves = [curves[0], curves[0], curves[0]]
      toDisplayP3 = .identity
    case CP_TABLE_PROFILE:
      throw CamrecError(
        .input,
        "the colour profile of '\(path)' is a table, and camrec reads those with primaries and curves; convert the "
          + "picture to sRGB, Display P3 or Adobe RGB")
    case CP_GREY_PROFILE, CP_OTHER_PROFILE:
      throw CamrecError(
        .input,
        "the colour profile of '\(path)' is for colours other than the picture's; convert the picture to sRGB, "
          + "Display P3 or Adobe RGB")
    default: throw RGBProfile.broken(path, cause: nil)
    }
  }

  static func broken(_ path: String, cause: String?) -> CamrecError {
    CamrecError(
      .input, "the colour profile of '\(path)' is broken; assign another one, such as sRGB's, in an editor",
      cause: cause)
  }

  /// Whether there are colours in it that sRGB has not, by more than profiles are rounded.
  public var isWiderThanSRGB: Bool {
    let toSRGB = RGBSpace.displayP3.matrix(to: .rec709) * toDisplayP3
    let entries = [toSRGB.rows.0, toSRGB.rows.1, toSRGB.rows.2]
    return entries.contains { $0.min() < -0.01 || $0.max() > 1.01 }
  }

  /// Whether its codes are those of Display P3, but for what profiles are rounded to.
  public var isDisplayP3: Bool {
    let rows = [toDisplayP3.rows.0, toDisplayP3.rows.1, toDisplayP3.rows.2]
    let same = [SIMD3<Double>(1, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1)]
    let isSame = zip(rows, same).allSatisfy { ($0 - $1).max() < 0.001 && ($1 - $0).max() < 0.001 }
    guard isSame else { return false }
    let own = RGBProfile.displayP3.curves[0]
    return curves.allSatisfy { curve in zip(curve, own).allSatisfy { abs($0 - $1) < 0.0002 } }
  }
}
