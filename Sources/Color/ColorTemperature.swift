/// The colour of black bodies.
public enum ColorTemperature {
  /// The range in kelvin.
  public static let range = 2000.0...12000.0

  /// The chromaticity of a black body, to 10⁻³ of the locus.
  ///
  /// Source: the cubic splines of Kim, Moon, Cho et al., "Design of Advanced Color Temperature Control System for HDTV
  /// Applications", Journal of the Korean Physical Society 41 (2002), for 1667 to 25000 K.
  ///
  /// - Parameter kelvin: within `range`.
  public static func chromaticity(kelvin: Double) -> Chromaticity {
    precondition(range.contains(kelvin), "a colour temperature of \(kelvin) K")
    let t = 1000 / kelvin
    let x =
      kelvin <= 4000
      ? ((-0.2661239 * t - 0.2343589) * t + 0.8776956) * t + 0.179910
      : ((-3.0258469 * t + 2.1070379) * t + 0.2226347) * t + 0.240390
    let y: Double =
      switch kelvin {
      case ...2222: ((-1.1063814 * x - 1.34811020) * x + 2.18555832) * x - 0.20219683
      case ...4000: ((-0.9549476 * x - 1.37418593) * x + 2.09137015) * x - 0.16748867
      default: ((3.0817580 * x - 5.87338670) * x + 3.75112997) * x - 0.37001483
      }
    return Chromaticity(x, y)
  }
}
