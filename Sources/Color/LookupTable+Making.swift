public import Frames

extension LookupTable {
  /// A table that turns log footage into a display picture with `VideoLook`, or the picture for one display into that
  /// for another with `DisplayColor` (no tone curve). Input and output are R'G'B' signals of 0…1.
  ///
  /// For footage, neutrals stay neutral in both interpolations. The tetrahedral one takes them from the diagonal alone;
  /// the trilinear one also mixes in the six points around it, in two groups of three with equal weights. The points of
  /// each group are therefore shifted so that their mean is neutral, by less than an 8-bit code above black.
  ///
  /// - Parameter size: points per side, 2…256.
  /// - Throws: code `usage` for any other size or pair.
  public static func make(
    from input: ColorDescription, to output: ColorDescription, size: Int
  ) throws(CamrecError) -> LookupTable {
    try check(size: size)
    let signal = try converter(from: input, to: output)
    var points: [SIMD3<Double>] = []
    points.reserveCapacity(size * size * size)
    let last = Double(size - 1)
    for blue in 0..<size {
      for green in 0..<size {
        for red in 0..<size {
          points.append(signal([Double(red) / last, Double(green) / last, Double(blue) / last]))
        }
      }
    }
    if DisplayColor(input) == nil { keepNeutralsNeutral(&points, size: size) }
    return LookupTable(
      title: "\(name(input))\(DisplayColor(input) == nil ? " \(input.primaries.rawValue)" : "") to \(name(output))",
      lattice: Lattice(size: size, samples: points.flatMap { [Float($0.x), Float($0.y), Float($0.z)] }))
  }

  /// The file of `make(from:to:size:)`, with the command that makes it in its first line.
  ///
  /// - Throws: as `make(from:to:size:)`.
  public static func makeCubeFile(
    from input: ColorDescription, to output: ColorDescription, size: Int
  ) throws(CamrecError) -> [UInt8] {
    let table = try make(from: input, to: output, size: size)
    let command = "camrec lut make --from \(name(input)) --to \(name(output)) --size \(size)"
    return table.cubeFile(comments: [command])
  }

  private static func converter(
    from input: ColorDescription, to output: ColorDescription
  ) throws(CamrecError) -> (SIMD3<Double>) -> SIMD3<Double> {
    if let look = VideoLook(from: input, to: output) { return look.signal(for:) }
    if input.transfer == .srgb, let shown = DisplayColor(input), let target = DisplayColor(output) {
      return shown.converter(to: target)
    }
    throw CamrecError(
      .usage,
      "cannot make a LUT from \(name(input)) to \(name(output)); choose from "
        + "\(VideoLook.logs.map(\.rawValue).joined(separator: ", ")), srgb, display-p3 to rec709, srgb, display-p3")
  }

  /// As the command line spells it.
  private static func name(_ color: ColorDescription) -> String {
    color.transfer == .srgb && color.primaries == .displayP3 ? "display-p3" : color.transfer.rawValue
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
