/// The 24-patch colour chart: the colours of its patches as numbers.
public enum ColorChecker {
  public struct Patch: Hashable, Sendable {
    public let name: String
    /// CIE L*a*b* under D50, 2° observer.
    public let lab: SIMD3<Double>

    /// XYZ under D65, Y = 1 for a perfect diffuser; adapted from D50 by Bradford's transform.
    public var xyzD65: SIMD3<Double> {
      let d50 = SIMD3(0.9642, 1, 0.8249)
      let y = (lab.x + 16) / 116
      let ratio = SIMD3(Self.ratio(y + lab.y / 500), Self.ratio(y), Self.ratio(y - lab.z / 200))
      return RGBSpace.adaptation(from: .d50, to: .d65) * (ratio * d50)
    }

    /// Linear-light Rec.709 RGB under D65: 0.18 for 18 % grey, 1 for a perfect diffuser. The red of the cyan patch is
    /// below 0, because that colour lies outside Rec.709.
    public var linearRec709: SIMD3<Double> { linear(in: .rec709) }

    /// Linear-light RGB in a space whose white point is D65.
    public func linear(in space: RGBSpace) -> SIMD3<Double> { space.toXYZ.inverse * xyzD65 }

    /// The inverse of CIE 15:2018's f(t).
    private static func ratio(_ f: Double) -> Double {
      f > 6.0 / 29 ? f * f * f : 3 * (6.0 / 29) * (6.0 / 29) * (f - 4.0 / 29)
    }
  }

  /// Row by row from the top left: four rows of six, the last one neutral from white to black.
  ///
  /// Source: X-Rite, "ColorChecker Classic" L*a*b* D50 values for charts made since November 2014.
  public static let patches: [Patch] = [
    Patch(name: "dark skin", lab: [37.54, 14.37, 14.92]),
    Patch(name: "light skin", lab: [64.66, 19.27, 17.50]),
    Patch(name: "blue sky", lab: [49.32, -3.82, -22.54]),
    Patch(name: "foliage", lab: [43.46, -12.74, 22.72]),
    Patch(name: "blue flower", lab: [54.94, 9.61, -24.79]),
    Patch(name: "bluish green", lab: [70.48, -32.26, -0.37]),
    Patch(name: "orange", lab: [62.73, 35.83, 56.50]),
    Patch(name: "purplish blue", lab: [39.43, 10.75, -45.17]),
    Patch(name: "moderate red", lab: [50.57, 48.64, 16.67]),
    Patch(name: "purple", lab: [30.10, 22.54, -20.87]),
    Patch(name: "yellow green", lab: [71.77, -24.13, 58.19]),
    Patch(name: "orange yellow", lab: [71.51, 18.24, 67.37]),
    Patch(name: "blue", lab: [28.37, 15.42, -49.80]),
    Patch(name: "green", lab: [54.38, -39.72, 32.27]),
    Patch(name: "red", lab: [42.43, 51.05, 28.62]),
    Patch(name: "yellow", lab: [81.80, 2.67, 80.41]),
    Patch(name: "magenta", lab: [50.63, 51.28, -14.12]),
    Patch(name: "cyan", lab: [49.57, -29.71, -28.32]),
    Patch(name: "white", lab: [95.19, -1.03, 2.93]),
    Patch(name: "neutral 8", lab: [81.29, -0.57, 0.44]),
    Patch(name: "neutral 6.5", lab: [66.89, -0.75, -0.06]),
    Patch(name: "neutral 5", lab: [50.76, -0.13, 0.14]),
    Patch(name: "neutral 3.5", lab: [35.63, -0.46, -0.48]),
    Patch(name: "black", lab: [20.64, 0.07, -0.46]),
  ]
}
