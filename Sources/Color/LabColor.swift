import Foundation

/// A colour in CIE 1976 L*a*b* under D65, 2° observer (CIE 15:2018): lightness, green–red, blue–yellow.
public struct LabColor: Hashable, Sendable {
  /// L*: 0 black … 100 a perfect diffuser. Brighter light lies above, negative light below.
  public let lightness: Double
  /// a*: green below 0, red above; 0 for neutrals, about ±100 for the strongest colours of a display.
  public let a: Double
  /// b*: blue below 0, yellow above, likewise.
  public let b: Double

  public init(lightness: Double, a: Double, b: Double) {
    self.lightness = lightness
    self.a = a
    self.b = b
  }

  /// From XYZ under D65, Y = 1 for a perfect diffuser. Negative components are legal.
  public init(xyzD65 xyz: SIMD3<Double>) {
    let ratio = xyz / Chromaticity.d65.xyz
    let y = Self.root(ratio.y)
    self.init(lightness: 116 * y - 16, a: 500 * (Self.root(ratio.x) - y), b: 200 * (y - Self.root(ratio.z)))
  }

  /// From linear-light RGB, 1 for a perfect diffuser; another white point than D65 is adapted by Bradford's transform.
  public init(linear rgb: SIMD3<Double>, in space: RGBSpace) {
    let xyz = space.toXYZ * rgb
    self.init(xyzD65: space.white == .d65 ? xyz : RGBSpace.adaptation(from: space.white, to: .d65) * xyz)
  }

  /// C*ab: 0 for neutrals.
  public var chroma: Double { (a * a + b * b).squareRoot() }

  /// f(t) of CIE 15:2018: a cube root that ends in a straight line.
  private static func root(_ ratio: Double) -> Double {
    let knee = 6.0 / 29
    return ratio > knee * knee * knee ? cbrt(ratio) : ratio / (3 * knee * knee) + 4.0 / 29
  }
}
