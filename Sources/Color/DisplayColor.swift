import Frames

/// A display's colours, and how to convert those of one display to another: so that the same light is shown, without a
/// tone curve and without clipping.
///
/// Rec.709, sRGB and Display P3 are all shown with sRGB's curve (IEC 61966-2-1). Grading rooms (BT.1886), players and
/// browsers do not agree on a curve for Rec.709; sRGB's lies between theirs, and gives Rec.709 and sRGB the same code
/// values. Colours outside a display's cube come out below 0 or above 1, with point symmetry below 0, so that the
/// reverse conversion restores them.
struct DisplayColor: Hashable, Sendable {
  let space: RGBSpace

  /// `nil` if the colours are not those of one of the three displays.
  init?(_ color: ColorDescription) {
    switch (color.transfer, color.primaries) {
    case (.rec709, .rec709), (.srgb, .rec709): space = .rec709
    case (.srgb, .displayP3): space = .displayP3
    default: return nil
    }
  }

  /// Converts signals of this display, 0…1, to signals with which another shows the same light.
  func converter(to other: DisplayColor) -> (SIMD3<Double>) -> SIMD3<Double> {
    guard space != other.space else { return { $0 } }
    let matrix = space.matrix(to: other.space)
    return { Self.encode(matrix * Self.decode($0)) }
  }

  static func encode(_ light: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(odd(light.x, SRGB.encode), odd(light.y, SRGB.encode), odd(light.z, SRGB.encode))
  }

  private static func decode(_ signal: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(odd(signal.x, SRGB.decode), odd(signal.y, SRGB.decode), odd(signal.z, SRGB.decode))
  }

  private static func odd(_ value: Double, _ curve: (Double) -> Double) -> Double {
    value < 0 ? -curve(-value) : curve(value)
  }
}
