import Color
import Frames
import Kernels
import TestKit
import Testing

/// Bakes without a table.
@Suite struct RepackingTests {
  @Test(arguments: PixelLayout.allCases)
  func everyLayoutBecomesEveryOther_exactly_andNothingElseIsTouched(input: PixelLayout) throws {
    for (number, output) in PixelLayout.allCases.filter(input.isBaked).enumerated() {
      for (width, height) in [(1, 1), (2, 3), (7 + number, 5), (3 + 5 * number, 4), (67 - number, 7), (257, 2)] {
        let outcome = try BakeCase(input: input, output: output).bake(
          width: width, height: height, seed: UInt64(width * 100 + height))
        #expect(outcome.baked == outcome.expected, "\(input) to \(output), \(width)×\(height)")
        #expect(outcome.changedGuards == 0, "\(input) to \(output), \(width)×\(height)")
      }
    }
  }

  /// Every code as luma and as chroma, 4:2:2 so that a chroma code stands alone.
  static func ramp(_ layout: PixelLayout) -> PictureSamples {
    let codes = Array(0..<(1 << layout.bitDepth))
    let twice = codes.flatMap { [$0, $0] }
    return PictureSamples(
      width: twice.count, height: 1, chroma: .yuv422, luma: twice, cb: codes, cr: codes.reversed())
  }

  @Test(arguments: ColorRange.allCases, ColorRange.allCases)
  func everyCodeIsRescaledToTheNearest_halvesUp(from: ColorRange, to: ColorRange) throws {
    for input in [PixelLayout.yuv422p, .yuv422p10] {
      for output in [PixelLayout.yuv422p, .yuv422p10] {
        let source = Self.ramp(input)
        let outcome = try BakeCase(
          input: input, output: output, inputColor: .coded(.rec709, from), outputColor: .coded(.rec709, to)
        ).bake(source)
        let a = CodeScale(range: from, bitDepth: input.bitDepth), b = CodeScale(range: to, bitDepth: output.bitDepth)
        // The rational offset + (code − offset) · span / span, plus one half, rounded down: in whole numbers.
        func exact(_ code: Int, _ offset: (Int, Int), _ span: (Int, Int)) -> Int {
          let numerator = 2 * (code - offset.0) * span.1 + (2 * offset.1 + 1) * span.0
          let floor = numerator >= 0 ? numerator / (2 * span.0) : -((2 * span.0 - 1 - numerator) / (2 * span.0))
          return min(max(floor, 0), b.maximum)
        }
        let luma = source.luma.map { exact($0, (a.lumaOffset, b.lumaOffset), (a.lumaSpan, b.lumaSpan)) }
        let cb = source.cb.map { exact($0, (a.chromaOffset, b.chromaOffset), (a.chromaSpan, b.chromaSpan)) }
        #expect(outcome.baked.luma == luma)
        #expect(outcome.baked.cb == cb)
        #expect(outcome.baked.cr == cb.reversed())
        #expect(outcome.baked == outcome.expected)
      }
    }
  }

  @Test func tenBitsOfLimitedRangeAreFourTimesEight_andBackAgain() throws {
    let source = Self.ramp(.yuv422p)
    let wide = try BakeCase(input: .yuv422p, output: .yuv422p10).bake(source).baked
    #expect(wide.luma == source.luma.map { 4 * $0 })
    #expect(try BakeCase(input: .yuv422p10, output: .yuv422p).bake(wide).baked == source)
  }

  @Test(arguments: ColorMatrix.allCases, ColorMatrix.allCases)
  func anotherMatrixIsWithinOneCode_andGreysAreExact(from: ColorMatrix, to: ColorMatrix) throws {
    for (input, output) in [(PixelLayout.nv12, PixelLayout.yuv420p), (.yuyv, .yuv420p10), (.p010, .yuv422p10)] {
      for range in ColorRange.allCases {
        let bake = BakeCase(
          input: input, output: output, inputColor: .coded(from, range), outputColor: .coded(to, .limited))
        let outcome = try bake.bake(width: 67, height: 21, seed: 4)
        #expect(outcome.greatestDifference <= 1)
        #expect(outcome.differing < 0.01)
        #expect(outcome.changedGuards == 0)

        let grey = Self.ramp(input).luma
        let center = Array(repeating: 1 << (input.bitDepth - 1), count: grey.count / 2)
        let picture = PictureSamples(
          width: grey.count, height: 1, chroma: input.chroma, luma: grey, cb: center, cr: center)
        let made = try bake.bake(picture)
        #expect(made.baked == made.expected)
        #expect(made.baked.cb.allSatisfy { $0 == 1 << (output.bitDepth - 1) })
      }
    }
  }

  /// YV12 is YUV 4:2:0 with its chroma planes exchanged.
  @Test func exchangedChromaIsThatOfTheOtherLayout() throws {
    let table = LookupTable.random(size: 5, in: 0...1, seed: 7)
    for lut in [nil, table] {
      for matrix in [ColorMatrix.rec709, .rec601] {
        var random = SplitMix(seed: 3)
        let source = PictureSamples.random(width: 35, height: 17, layout: .yuv420p, using: &random)
        let baked = try [PixelLayout.yuv420p, .yv12].map { layout in
          let from = GuardedPicture(width: 35, height: 17, layout: layout, color: .rec709)
          var to = GuardedPicture(width: 35, height: 17, layout: .nv12, color: .coded(matrix, .limited))
          from.samples = source
          if layout == .yv12 { (from.samples.cb, from.samples.cr) = (source.cr, source.cb) }
          let kernel = try BakeKernel(
            input: from.frame.format, output: to.frame.format, lut: lut, interpolation: .tetrahedral,
            exchangesChroma: layout == .yuv420p)
          kernel.bake(from.frame, into: &to.frame)
          return to.samples
        }
        #expect(baked[0] == baked[1])
      }
    }
  }

  @Test func wordsAboveTheCodeRangeCountAsItsGreatestCode() throws {
    let from = GuardedPicture(width: 4, height: 1, layout: .yuv422p10, color: .rec709)
    from.samples = PictureSamples(
      width: 4, height: 1, chroma: .yuv422, luma: [0, 1023, 1024, 65535], cb: [512, 40000], cr: [512, 2000])
    var to = GuardedPicture(width: 4, height: 1, layout: .yuv422p, color: .rec709)
    let kernel = try BakeKernel(
      input: from.frame.format, output: to.frame.format, lut: nil, interpolation: .tetrahedral)
    kernel.bake(from.frame, into: &to.frame)
    #expect(to.samples.luma == [0, 255, 255, 255])
    #expect(to.samples.cb == [128, 255])
  }

  @Test func anotherSizeIsRefused() {
    let input = FrameFormat(width: 64, height: 48, layout: .nv12, color: .rec709)
    let output = FrameFormat(width: 64, height: 50, layout: .nv12, color: .rec709)
    let error = #expect(throws: CamrecError.self) {
      try BakeKernel(input: input, output: output, lut: nil, interpolation: .tetrahedral)
    }
    #expect(error?.code == .usage)
    #expect(error?.message == "the bake keeps the size: 64×48 cannot become 64×50")
  }
}
