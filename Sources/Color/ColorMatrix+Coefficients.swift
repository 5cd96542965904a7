public import Frames

extension ColorMatrix {
  /// The weights of red and blue in luma: E'Y = Kr·E'R + Kg·E'G + Kb·E'B.
  ///
  /// Source: BT.601-7 clause 2.5.1, BT.709-6 item 3.2, BT.2020-2 table 4 (non-constant luminance).
  public var kr: Double {
    switch self {
    case .rec601: 0.299
    case .rec709: 0.2126
    case .rec2020: 0.2627
    }
  }

  public var kb: Double {
    switch self {
    case .rec601: 0.114
    case .rec709: 0.0722
    case .rec2020: 0.0593
    }
  }

  public var kg: Double { 1 - kr - kb }

  /// Y' in 0…1 and Cb, Cr in −0.5…0.5 to R'G'B', neither clamped.
  public func rgb(luma: Double, cb: Double, cr: Double) -> SIMD3<Double> {
    let red = luma + 2 * (1 - kr) * cr
    let blue = luma + 2 * (1 - kb) * cb
    let green = luma - (2 * kr * (1 - kr) * cr + 2 * kb * (1 - kb) * cb) / kg
    return SIMD3(red, green, blue)
  }

  /// R'G'B' to (Y', Cb, Cr), neither clamped.
  public func yCbCr(_ rgb: SIMD3<Double>) -> SIMD3<Double> {
    let luma = kr * rgb.x + kg * rgb.y + kb * rgb.z
    return SIMD3(luma, (rgb.z - luma) / (2 * (1 - kb)), (rgb.x - luma) / (2 * (1 - kr)))
  }
}
