import Color
import Frames
import TestKit
import Testing

/// What must come through a table unchanged, bit for bit.
@Suite struct NeutralityTests {
  /// A picture whose every pixel is inside the R'G'B' cube, its faces included.
  static func inGamut(
    _ layout: PixelLayout, _ color: ColorDescription, using random: inout SplitMix
  ) -> PictureSamples {
    let scale = CodeScale(range: color.range, bitDepth: layout.bitDepth)
    /// The luma codes that keep R'G'B' within 0…1 beside this chroma; `nil` where there are none.
    func allowed(_ cb: Int, _ cr: Int) -> ClosedRange<Int>? {
      let rgb = color.matrix.rgb(
        luma: 0, cb: Double(cb - scale.chromaOffset) / Double(scale.chromaSpan),
        cr: Double(cr - scale.chromaOffset) / Double(scale.chromaSpan))
      let low = scale.lumaOffset + Int((-rgb.min() * Double(scale.lumaSpan)).rounded(.up))
      let high = scale.lumaOffset + Int(((1 - rgb.max()) * Double(scale.lumaSpan)).rounded(.down))
      return low <= high ? low...high : nil
    }
    var picture = PictureSamples.random(width: 31, height: 22, layout: layout, using: &random)
    let white = scale.lumaOffset...scale.lumaOffset + scale.lumaSpan
    var ranges: [ClosedRange<Int>] = []
    for block in picture.cb.indices {
      // Small chroma more often than great one, so that there is room for luma.
      let reach = Int.random(in: 0...scale.chromaOffset, using: &random)
      let cb = scale.chromaOffset + Int.random(in: -reach...reach, using: &random) / 2
      let cr = scale.chromaOffset + Int.random(in: -reach...reach, using: &random) / 2
      let range = allowed(cb, cr)
      picture.cb[block] = range == nil ? scale.chromaOffset : cb
      picture.cr[block] = range == nil ? scale.chromaOffset : cr
      ranges.append(range ?? white)
    }
    for index in picture.luma.indices {
      let range = ranges[picture.block(x: index % picture.width, y: index / picture.width)]
      // The faces of the cube as often as its inside.
      picture.luma[index] = [range.lowerBound, range.upperBound, Int.random(in: range, using: &random)]
        .randomElement(using: &random) ?? range.lowerBound
    }
    return picture
  }

  static let identities: [LookupTable] = {
    let curves = LookupTable.curves(size: 256) { $0 }
    return [2, 5, 33].map { size in LookupTable.lattice(size: size) { $0 } }
      + [nil, LookupTable.points(size: 17) { $0 }].map { LookupTable(curves: curves, lattice: $0) }
  }()

  @Test(arguments: ColorMatrix.allCases, ColorRange.allCases)
  func anIdentityReturnsEveryInGamutPixel(matrix: ColorMatrix, range: ColorRange) throws {
    var random = SplitMix(seed: 1)
    let color = ColorDescription.coded(matrix, range)
    for layout in [PixelLayout.nv12, .yuv422p, .p010, .yuv422p10] {
      let picture = Self.inGamut(layout, color, using: &random)
      for (number, lut) in Self.identities.enumerated() {
        for interpolation in Interpolation.allCases {
          let outcome = try BakeCase(
            input: layout, output: layout, inputColor: color, outputColor: color, lut: lut,
            interpolation: interpolation
          ).bake(picture)
          #expect(outcome.baked == picture, "\(layout), table \(number), \(interpolation)")
        }
      }
    }
  }

  @Test func anIdentityOfVideoRangeReturnsEveryInGamutPixel() throws {
    var random = SplitMix(seed: 2)
    let lut = LookupTable(
      lattice: LookupTable.points(size: 33) { $0 }, inputIsVideoRange: true, outputIsVideoRange: true)
    let picture = Self.inGamut(.p010, .rec709, using: &random)
    #expect(try BakeCase(input: .p010, output: .p010, lut: lut).bake(picture).baked == picture)
  }

  /// Greys of the grid become greys. Symmetric in the channels, so that trilinear weights keep those between grey too.
  static let symmetric = LookupTable.lattice(size: 17) { color in
    let saturation = color.max() - color.min(), mean = (color.x + color.y + color.z) / 3
    return color * color * 1.2 - 0.05 + (color - SIMD3(repeating: mean)) * saturation
  }

  @Test(arguments: Interpolation.allCases, PixelLayout.allCases.filter { $0.chroma == .yuv422 })
  func greysStayGreyThroughATableWithANeutralDiagonal(interpolation: Interpolation, layout: PixelLayout) throws {
    let maximum = (1 << layout.bitDepth) - 1, center = (maximum + 1) / 2
    let luma = (0...maximum).flatMap { [$0, $0] }
    let chroma = Array(repeating: center, count: luma.count / 2)
    let picture = PictureSamples(
      width: luma.count, height: 1, chroma: .yuv422, luma: luma, cb: chroma, cr: chroma)
    for output in [PixelLayout.yuv420p, .yuv420p10] {
      for matrix in ColorMatrix.allCases {
        let outcome = try BakeCase(
          input: layout, output: output, inputColor: .coded(matrix, .limited), lut: Self.symmetric,
          interpolation: interpolation
        ).bake(picture)
        #expect((outcome.baked.cb + outcome.baked.cr).allSatisfy { $0 == 1 << (output.bitDepth - 1) })
        #expect(outcome.greatestDifference <= 1)
      }
    }
  }
}
