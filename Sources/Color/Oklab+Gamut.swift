extension Oklab {
  /// How far the chroma can grow, at this lightness and hue, before the colour leaves a display's RGB cube: a factor
  /// for `a` and `b`, found to 1e-7 by bisection. `nil` if even `upTo` stays inside.
  ///
  /// - Parameters:
  ///   - display: linear Rec.709 to the display's linear RGB.
  ///   - upTo: the largest factor of interest.
  func chromaLimit(in display: Matrix3, upTo: Double) -> Double? {
    guard !isInside(display, chromaFactor: upTo) else { return nil }
    var inside = 0.0
    var outside = upTo
    for _ in 0..<24 {
      let factor = (inside + outside) / 2
      if isInside(display, chromaFactor: factor) { inside = factor } else { outside = factor }
    }
    return max(inside, 1e-7)
  }

  private func isInside(_ display: Matrix3, chromaFactor: Double) -> Bool {
    let rgb = display * Oklab(lightness: lightness, a: a * chromaFactor, b: b * chromaFactor).linearRec709
    // White itself is 1 only up to the ten digits of Oklab's matrices.
    return rgb.min() >= -1e-7 && rgb.max() <= 1 + 1e-7
  }
}
