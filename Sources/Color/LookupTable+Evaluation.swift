extension LookupTable {
  /// Applies the table to one colour in double precision. This is the definition that every faster way is checked
  /// against.
  ///
  /// The input is clamped to the domain of the curves, and their result to the domain of the lattice; the output is not
  /// clamped.
  public func evaluate(_ color: SIMD3<Double>, interpolation: Interpolation) -> SIMD3<Double> {
    var value = color
    if inputIsVideoRange { value = (value * VideoRange.span + VideoRange.black) / VideoRange.white }
    if let curves { value = curves.evaluate(value) }
    if let lattice { value = lattice.evaluate(value, interpolation: interpolation) }
    if outputIsVideoRange { value = (value * VideoRange.white - VideoRange.black) / VideoRange.span }
    return value
  }

  /// The scale of Resolve's `LUT_IN_VIDEO_RANGE` and `LUT_OUT_VIDEO_RANGE`: 64…940 of 1023.
  public enum VideoRange {
    public static let black = 64.0
    public static let span = 876.0
    public static let white = 1023.0
  }
}

extension LookupTable.Curves {
  /// Point number `index` of `channel` (0 red, 1 green, 2 blue).
  public func sample(_ index: Int, channel: Int) -> Double { Double(samples[index * 3 + channel]) }

  /// Each channel by itself, linear between points.
  public func evaluate(_ color: SIMD3<Double>) -> SIMD3<Double> {
    var result = SIMD3<Double>.zero
    for channel in 0..<3 {
      let position = gridPosition(color[channel], domainMin[channel], domainMax[channel], size: size)
      let index = min(Int(position), size - 2)
      let below = sample(index, channel: channel), above = sample(index + 1, channel: channel)
      result[channel] = below + (above - below) * (position - Double(index))
    }
    return result
  }
}

extension LookupTable.Lattice {
  /// The point at grid coordinates `red`, `green`, `blue`.
  public func sample(_ red: Int, _ green: Int, _ blue: Int) -> SIMD3<Double> {
    let at = 3 * (red + size * (green + size * blue))
    return SIMD3(Double(samples[at]), Double(samples[at + 1]), Double(samples[at + 2]))
  }

  public func evaluate(_ color: SIMD3<Double>, interpolation: Interpolation) -> SIMD3<Double> {
    var cell = SIMD3<Int>.zero
    var fraction = SIMD3<Double>.zero
    for axis in 0..<3 {
      let position = gridPosition(color[axis], domainMin[axis], domainMax[axis], size: size)
      cell[axis] = min(Int(position), size - 2)
      fraction[axis] = position - Double(cell[axis])
    }
    switch interpolation {
    case .tetrahedral: return tetrahedral(cell, fraction)
    case .trilinear: return trilinear(cell, fraction)
    }
  }

  /// The cell is split into six tetrahedra that share its neutral diagonal. The path from the corner nearest to black
  /// follows the axis with the greatest fraction first and the least last (Kasson et al., J. Electronic Imaging, 1995).
  private func tetrahedral(_ cell: SIMD3<Int>, _ fraction: SIMD3<Double>) -> SIMD3<Double> {
    let order = Self.descending(fraction)
    var corner = cell
    var last = sample(corner.x, corner.y, corner.z)
    var result = last
    for step in 0..<3 {
      let axis = order[step]
      corner[axis] += 1
      let next = sample(corner.x, corner.y, corner.z)
      result += (next - last) * fraction[axis]
      last = next
    }
    return result
  }

  /// The axes, the one with the greatest fraction first.
  private static func descending(_ fraction: SIMD3<Double>) -> SIMD3<Int> {
    let (x, y, z) = (fraction.x, fraction.y, fraction.z)
    if x >= y { return y >= z ? [0, 1, 2] : x >= z ? [0, 2, 1] : [2, 0, 1] }
    return x >= z ? [1, 0, 2] : y >= z ? [1, 2, 0] : [2, 1, 0]
  }

  private func trilinear(_ cell: SIMD3<Int>, _ fraction: SIMD3<Double>) -> SIMD3<Double> {
    var result = SIMD3<Double>.zero
    for corner in 0..<8 {
      let step = SIMD3(corner & 1, corner >> 1 & 1, corner >> 2)
      var weight = 1.0
      for axis in 0..<3 { weight *= step[axis] == 1 ? fraction[axis] : 1 - fraction[axis] }
      let at = cell &+ step
      result += sample(at.x, at.y, at.z) * weight
    }
    return result
  }
}

/// Where `value`, clamped to the domain, lies among `size` points: 0…size − 1.
private func gridPosition(_ value: Double, _ low: Double, _ high: Double, size: Int) -> Double {
  (min(max(value, low), high) - low) / (high - low) * Double(size - 1)
}
