import Frames

/// Colours that belong to a display, and how they are converted into each other: by the light that is shown, without
/// a tone curve, without clipping.
///
/// Rec.709, sRGB and Display P3 are all shown through sRGB's curve (IEC 61966-2-1). A Rec.709 picture has no curve on
/// which grading rooms (BT.1886), players and browsers agree; sRGB's lies between them, and with it a Rec.709 picture
/// and an sRGB picture have the same code values. What a display's cube does not hold comes out below 0 or above 1, by
/// point symmetry below 0, so that the way back restores it.
struct DisplayColor: Hashable, Sendable {
  let space: RGBSpace

  /// `nil` for what is no picture for one of the three displays.
  init?(_ color: ColorDescription) {
    switch (color.transfer, color.primaries) {
    case (.rec709, .rec709), (.srgb, .rec709): space = .rec709
    case (.srgb, .displayP3): space = .displayP3
    default: return nil
    }
  }

  /// Signals of this display, 0…1, to signals of another that shows the same light.
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
