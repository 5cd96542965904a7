public import Frames

extension LookupTable {
  /// The same colours as one lattice over the input 0…1: curves are folded into it, and domains and video ranges with
  /// them. Inputs below 0 and above 1 are lost.
  ///
  /// - Parameter size: points per side, 2…256. A multiple of the old number of cells keeps the table exactly.
  /// - Throws: code `usage` for any other size.
  public func resampled(size: Int, reached: (Int) -> Void = { _ in }) throws(CamrecError) -> LookupTable {
    try Self.sampled(size: size, title: title, reached: reached) { evaluate($0, interpolation: .tetrahedral) }
  }

  /// One lattice over the input 0…1 that applies `first` and then `second`.
  ///
  /// - Throws: as `resampled(size:)`.
  public static func composed(
    _ first: LookupTable, _ second: LookupTable, size: Int, reached: (Int) -> Void = { _ in }
  ) throws(CamrecError) -> LookupTable {
    let titles = [first.title, second.title].compactMap(\.self)
    let title = titles.isEmpty ? nil : titles.joined(separator: ", then ")
    return try sampled(size: size, title: title, reached: reached) {
      second.evaluate(first.evaluate($0, interpolation: .tetrahedral), interpolation: .tetrahedral)
    }
  }

  /// The greatest distance of a channel from `exact` that is found in the input 0…1: at 32 768 colours spread evenly
  /// over it, and at colours near the worst of these. There may be a greater one.
  public func deviation(from exact: (SIMD3<Double>) -> SIMD3<Double>) -> Double {
    func distance(_ color: SIMD3<Double>) -> Double {
      let difference = evaluate(color, interpolation: .tetrahedral) - exact(color)
      return max(-difference.min(), difference.max())
    }
    let seen = (1...32_768).map { (index: $0, distance: distance(Self.spread($0))) }
    let worst = seen.sorted { $0.distance > $1.distance }.prefix(16)
    return worst.reduce(0) { max(Self.peak(near: Self.spread($1.index), of: distance), $0) }
  }

  /// The value at a peak of a function, uphill from a colour. Where two tables are kinked, a peak is narrower than a
  /// cell.
  private static func peak(near start: SIMD3<Double>, of height: (SIMD3<Double>) -> Double) -> Double {
    var place = start, greatest = height(start)
    // That far apart are 32 768 colours.
    var step = 1.0 / 32
    for _ in 0..<64 {
      let center = place, before = greatest
      for neighbor in 0..<27 where neighbor != 13 {
        let direction = SIMD3(
          Double(neighbor % 3 - 1), Double(neighbor / 3 % 3 - 1), Double(neighbor / 9 - 1))
        let color = (center + direction * step).clamped(lowerBound: .zero, upperBound: .one)
        let found = height(color)
        if found > greatest { (place, greatest) = (color, found) }
      }
      if greatest == before { step /= 2 }
    }
    return greatest
  }

  /// Colour number `index` of a sequence that fills the input 0…1 evenly: powers of the plastic number's
  /// three-dimensional sister (M. Roberts, "The unreasonable effectiveness of quasirandom sequences", 2018).
  public static func spread(_ index: Int) -> SIMD3<Double> {
    let position: SIMD3<Double> = [0.8191725133961645, 0.6710436067037893, 0.5497004779019703] * Double(index)
    return position - position.rounded(.down)
  }

  /// The number of points per side that suits a lattice made from this table: its own, or at least 65 if curves
  /// add detail.
  public var naturalSize: Int { curves == nil ? lattice?.size ?? 65 : max(lattice?.size ?? 65, 65) }

  /// One lattice of a function's values over the input 0…1.
  ///
  /// - Parameters:
  ///   - size: points per side, 2…256.
  ///   - reached: called with the number of points made so far.
  /// - Throws: code `usage` for any other size; code `input` if a value is too large for a .cube file.
  public static func sampled(
    size: Int, title: String?, reached: (Int) -> Void, _ function: (SIMD3<Double>) -> SIMD3<Double>
  ) throws(CamrecError) -> LookupTable {
    try check(size: size)
    var samples: [Float] = []
    samples.reserveCapacity(3 * size * size * size)
    let last = Double(size - 1)
    for blue in 0..<size {
      for green in 0..<size {
        for red in 0..<size {
          let value = function([Double(red) / last, Double(green) / last, Double(blue) / last])
          samples.append(Float(value.x))
          samples.append(Float(value.y))
          samples.append(Float(value.z))
        }
      }
      reached((blue + 1) * size * size)
    }
    guard samples.allSatisfy(\.isFinite) else {
      throw CamrecError(
        .input,
        "a value of the result is too large for a .cube file, which holds up to \(Float.greatestFiniteMagnitude);"
          + " usual values are far smaller")
    }
    return LookupTable(title: title, lattice: Lattice(size: size, samples: samples))
  }

  static func check(size: Int) throws(CamrecError) {
    let allowed = CubeHeader.latticeSizes
    guard allowed.contains(size) else {
      throw CamrecError(
        .usage, "a LUT has \(allowed.lowerBound) to \(allowed.upperBound) points per side, not \(size)")
    }
  }
}
