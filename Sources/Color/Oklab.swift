import Foundation

/// A colour in Oklab (B. Ottosson, "A perceptual color space for image processing", 2020): lightness, green–red,
/// blue–yellow.
public struct Oklab: Hashable, Sendable {
  /// 0 black … 1 white.
  public let lightness: Double
  public let a: Double
  public let b: Double

  public init(lightness: Double, a: Double, b: Double) {
    self.lightness = lightness
    self.a = a
    self.b = b
  }

  /// From linear Rec.709 RGB, 1 for white. Negative components are legal.
  public init(linearRec709 rgb: SIMD3<Double>) {
    let cone = Self.coneFromRGB * rgb
    let lab = Self.labFromRoot * SIMD3(cbrt(cone.x), cbrt(cone.y), cbrt(cone.z))
    self.init(lightness: lab.x, a: lab.y, b: lab.z)
  }

  public var linearRec709: SIMD3<Double> {
    let root = Self.rootFromLab * SIMD3(lightness, a, b)
    return Self.rgbFromCone * (root * root * root)
  }

  public var chroma: Double { (a * a + b * b).squareRoot() }

  /// Degrees, −180…180, counted from the `a` axis.
  public var hue: Double { atan2(b, a) * 180 / .pi }

  /// The angle between two hues, degrees, 0…180.
  public static func hueDifference(_ first: Oklab, _ second: Oklab) -> Double {
    let difference = abs(first.hue - second.hue)
    return min(difference, 360 - difference)
  }

  private static let coneFromRGB = Matrix3(
    rows: [0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566],
    [0.0883024619, 0.2817188376, 0.6299787005])
  private static let labFromRoot = Matrix3(
    rows: [0.2104542553, 0.7936177850, -0.0040720468], [1.9779984951, -2.4285922050, 0.4505937099],
    [0.0259040371, 0.7827717662, -0.8086757660])
  private static let rgbFromCone = coneFromRGB.inverse
  private static let rootFromLab = labFromRoot.inverse
}
