public import Frames

extension LookupTable {
  /// A table that turns log footage into Rec.709 by `VideoLook`. Input and output are R'G'B' signals of 0…1.
  ///
  /// Neutrals stay neutral through both interpolations. The tetrahedral one takes them from the diagonal alone; the
  /// trilinear one mixes in the six points around it, in two groups of three with equal weights. Each group is
  /// therefore shifted by what its mean is off neutral, by less than an 8-bit code above black.
  ///
  /// - Parameter size: points along an edge, 2…256.
  /// - Throws: code `usage` for another size, and for a pair that `VideoLook` does not have.
  public static func make(
    from input: ColorDescription, to output: ColorDescription, size: Int
  ) throws(CamrecError) -> LookupTable {
    let allowed = CubeHeader.latticeSizes
    guard allowed.contains(size) else {
      throw CamrecError(
        .usage, "a table of \(size) points an edge; allowed are \(allowed.lowerBound) to \(allowed.upperBound)")
    }
    let look = try VideoLook(from: input, to: output)
    var points: [SIMD3<Double>] = []
    points.reserveCapacity(size * size * size)
    let last = Double(size - 1)
    for blue in 0..<size {
      for green in 0..<size {
        for red in 0..<size {
          points.append(look.signal(for: [Double(red) / last, Double(green) / last, Double(blue) / last]))
        }
      }
    }
    keepNeutralsNeutral(&points, size: size)
    return LookupTable(
      title: "\(input.transfer.rawValue) \(input.primaries.rawValue) to \(output.transfer.rawValue)",
      lattice: Lattice(size: size, samples: points.flatMap { [Float($0.x), Float($0.y), Float($0.z)] }))
  }

  /// The file of `make(from:to:size:)`, with the command that makes it in its first line.
  ///
  /// - Throws: as `make(from:to:size:)`.
  public static func makeCubeFile(
    from input: ColorDescription, to output: ColorDescription, size: Int
  ) throws(CamrecError) -> [UInt8] {
    let table = try make(from: input, to: output, size: size)
    let command = "camrec lut make --from \(input.transfer.rawValue) --to \(output.transfer.rawValue) --size \(size)"
    return table.cubeFile(comments: [command])
  }

  private static func keepNeutralsNeutral(_ points: inout [SIMD3<Double>], size: Int) {
    let (red, green, blue) = (1, size, size * size)
    for cell in 0..<size - 1 {
      let black = cell * (red + green + blue)
      for group in [[red, green, blue], [red + green, green + blue, blue + red]] {
        let mean = group.reduce(SIMD3.zero) { $0 + points[black + $1] } / 3
        let shift = SIMD3(repeating: mean.sum() / 3) - mean
        for offset in group { points[black + offset] += shift }
      }
    }
  }
}
