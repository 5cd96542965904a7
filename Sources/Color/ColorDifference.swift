import Foundation

/// How different two colours look.
public enum ColorDifference {
  /// CIEDE2000, ΔE00, with k_L = k_C = k_H = 1: 0 for equal colours, about 1 for a difference that is just visible side
  /// by side, 100 from black to white. The order of the two does not matter.
  ///
  /// Source: CIE 142-2001. Where it is ambiguous about hues: Sharma, Wu, Dalal, "The CIEDE2000 Color-Difference
  /// Formula: Implementation Notes, Supplementary Test Data, and Mathematical Observations", Color Research and
  /// Application 30 (2005). The equation numbers below are from that paper.
  public static func ciede2000(_ first: LabColor, _ second: LabColor) -> Double {
    let one = Stretched(first, beside: second)
    let two = Stretched(second, beside: first)
    let lightness = (one.lightness + two.lightness) / 2  // (12)
    let chroma = (one.chroma + two.chroma) / 2  // (13)
    let (hue, turn) = hues(one, two)

    let fromMiddle = (lightness - 50) * (lightness - 50)
    let lightnessWeight = 1 + 0.015 * fromMiddle / (20 + fromMiddle).squareRoot()  // (18)
    let chromaWeight = 1 + 0.045 * chroma  // (19)
    let hueWeight = 1 + 0.015 * chroma * hueDependence(hue)  // (20)

    let lightnessPart = (two.lightness - one.lightness) / lightnessWeight
    let chromaPart = (two.chroma - one.chroma) / chromaWeight
    let huePart = 2 * (one.chroma * two.chroma).squareRoot() * sine(turn / 2) / hueWeight  // (11)
    let squares = lightnessPart * lightnessPart + chromaPart * chromaPart + huePart * huePart
    return (squares + rotation(hue: hue, chroma: chroma) * chromaPart * huePart).squareRoot()  // (22)
  }

  /// A colour with its a* stretched, which makes near-neutral colours differ more: L', C', h'. Equations 2 to 7.
  private struct Stretched {
    let lightness: Double
    let chroma: Double
    /// Degrees, 0 ..< 360; 0 for a neutral.
    let hue: Double

    init(_ color: LabColor, beside other: LabColor) {
      let a = color.a * (1.5 - strength(ofChroma: (color.chroma + other.chroma) / 2) / 2)
      let degrees = atan2(color.b, a) * 180 / .pi
      lightness = color.lightness
      chroma = (a * a + color.b * color.b).squareRoot()
      hue = chroma == 0 ? 0 : degrees < 0 ? degrees + 360 : degrees
    }
  }

  /// The mean hue, and the angle from one hue to the other, −180…180. Both are in degrees, the shorter way round the
  /// circle. A neutral takes the other's hue. Equations 10 and 14.
  private static func hues(_ one: Stretched, _ two: Stretched) -> (mean: Double, turn: Double) {
    let sum = one.hue + two.hue
    let turn = two.hue - one.hue
    guard one.chroma * two.chroma != 0 else { return (sum, 0) }
    // An angle that is exactly half a circle may be 1e-13 more here, hence the billionth.
    guard abs(turn) > 180 + 1e-9 else { return (sum / 2, turn) }
    return (sum < 360 ? sum / 2 + 180 : sum / 2 - 180, turn > 0 ? turn - 360 : turn + 360)
  }

  /// T. Equation 15.
  private static func hueDependence(_ hue: Double) -> Double {
    let low = 0.24 * cosine(2 * hue) - 0.17 * cosine(hue - 30)
    let high = 0.32 * cosine(3 * hue + 6) - 0.20 * cosine(4 * hue - 63)
    return 1 + low + high
  }

  /// R_T, the interaction of chroma and hue in blues. Equations 16, 17 and 21.
  private static func rotation(hue: Double, chroma: Double) -> Double {
    let fromBlue = (hue - 275) / 25
    return -2 * strength(ofChroma: chroma) * sine(60 * exp(-fromBlue * fromBlue))
  }

  /// √(C⁷ / (C⁷ + 25⁷)): 0 for neutrals, near 1 for strong colours.
  private static func strength(ofChroma chroma: Double) -> Double {
    let power = pow(chroma, 7)
    return (power / (power + 6_103_515_625)).squareRoot()
  }

  private static func sine(_ degrees: Double) -> Double { sin(degrees * .pi / 180) }
  private static func cosine(_ degrees: Double) -> Double { cos(degrees * .pi / 180) }
}
