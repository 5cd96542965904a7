import Color
import Frames
import Kernels
import TestKit
import Testing

/// Ten bits to eight, by a pattern.
@Suite struct DitherTests {
  @Test func thePatternHasEveryThresholdOnce_andRepeats() {
    let places = (0..<8).flatMap { y in (0..<8).map { (x: $0, y: y) } }
    #expect(Set(places.map { Dither.ordered.threshold(x: $0.x, y: $0.y) }) == Set((0..<64).map { 2 * $0 + 1 }))
    #expect(places.allSatisfy { Dither.none.threshold(x: $0.x, y: $0.y) == 64 })
    #expect(
      places.allSatisfy {
        Dither.ordered.threshold(x: $0.x + 8, y: $0.y + 24) == Dither.ordered.threshold(x: $0.x, y: $0.y)
      })
    // Half of the thresholds above one half, in any 2×2.
    let corner = [(0, 0), (1, 0), (0, 1), (1, 1)].map { Dither.ordered.threshold(x: $0.0, y: $0.1) }
    #expect(corner.count { $0 > 64 } == 2)
  }

  static let identity = LookupTable.lattice(size: 17) { $0 }

  @Test(arguments: [nil, identity])
  func anAreaKeepsItsMean(lut: LookupTable?) throws {
    for (input, output) in [(PixelLayout.p010, PixelLayout.nv12), (.y210, .yuv422p), (.yuv422p10, .yuyv)] {
      let bake = BakeCase(input: input, output: output, lut: lut, dither: .ordered)
      for luma in 400...408 {
        let (width, height) = (272, 16)
        let blocks = width / 2 * (input.chroma == .yuv420 ? height / 2 : height)
        let source = PictureSamples(
          width: width, height: height, chroma: input.chroma, luma: Array(repeating: luma, count: width * height),
          cb: Array(repeating: 510, count: blocks), cr: Array(repeating: 515, count: blocks))
        let baked = try bake.bake(source).baked
        func mean(_ codes: [Int]) -> Double { Double(codes.reduce(0, +)) / Double(codes.count) }
        #expect(mean(baked.luma) == Double(luma) / 4)
        #expect(mean(baked.cb) == 127.5)
        #expect(mean(baked.cr) == 128.75)
      }
    }
  }

  static let look = LookupTable.random(size: 9, in: -0.2...1.6, seed: 3)

  @Test(arguments: [nil, look])
  func everyResultIsTheExactOnePlusItsThreshold_roundedDown(lut: LookupTable?) throws {
    for (input, output) in [(PixelLayout.p010, PixelLayout.yuv420p), (.p210, .nv21), (.yuv422p10, .uyvy)] {
      for outputColor in [ColorDescription.rec709, .coded(.rec601, .full)] {
        let bake = BakeCase(input: input, output: output, outputColor: outputColor, lut: lut, dither: .ordered)
        var random = SplitMix(seed: 5)
        let source = PictureSamples.random(width: 67, height: 19, layout: input, using: &random)
        let outcome = try bake.bake(source)
        #expect(outcome.changedGuards == 0)
        let exact = ReferenceBake(
          input: .init(layout: input, color: .rec709), output: .init(layout: output, color: outputColor), lut: lut
        ).values(source)
        /// Whether the codes are those of `values`; at most one off where the value is that close to the next code.
        func check(_ codes: [Int], _ values: [Double], width: Int, within error: Double) -> Bool {
          codes.indices.allSatisfy { index in
            let threshold = Double(Dither.ordered.threshold(x: index % width, y: index / width)) / 128
            func code(_ value: Double) -> Int { Int(min(max((value + threshold).rounded(.down), 0), 255)) }
            return (code(values[index] - error)...code(values[index] + error)).contains(codes[index])
          }
        }
        let error = lut == nil ? 0.01 : 0.5
        #expect(check(outcome.baked.luma, exact.luma, width: 67, within: error))
        #expect(check(outcome.baked.cb, exact.cb, width: 34, within: error))
        #expect(check(outcome.baked.cr, exact.cr, width: 34, within: error))
      }
    }
  }

  @Test func whatKeepsItsDepthIsRounded() throws {
    for (input, output) in [(PixelLayout.nv12, PixelLayout.yuv420p), (.p010, .yuv422p10), (.yuyv, .p010)] {
      for lut in [nil, Self.look] {
        let rounded = BakeCase(input: input, output: output, outputColor: .coded(.rec601, .full), lut: lut)
        var dithered = rounded
        dithered.dither = .ordered
        #expect(
          try dithered.bake(width: 33, height: 9, seed: 1).baked == rounded.bake(width: 33, height: 9, seed: 1).baked)
      }
    }
  }

  @Test func stripsContinueThePattern() throws {
    let height = 22
    var random = SplitMix(seed: 6)
    let from = GuardedPicture(width: 300, height: height, layout: .p010, color: .rec709)
    from.samples = .random(width: 300, height: height, layout: .p010, using: &random)
    var whole = GuardedPicture(width: 300, height: height, layout: .yuv420p, color: .rec709)
    let strips = GuardedPicture(width: 300, height: height, layout: .yuv420p, color: .rec709)
    let kernel = try BakeKernel(
      input: from.frame.format, output: whole.frame.format, lut: Self.look, interpolation: .tetrahedral,
      dither: .ordered)
    kernel.bake(from.frame, into: &whole.frame)
    for rows in [0..<2, 2..<12, 12..<22] {
      kernel.bake(
        rows: rows, of: from.frame.storage, from.frame.format, into: strips.frame.storage, strips.frame.format)
    }
    #expect(strips.samples == whole.samples)
  }
}

/// Which arithmetic a table takes.
@Suite struct TablePathTests {
  @Test func tameTablesAreNarrow_steepOnesWide() throws {
    let identity = LookupTable.lattice(size: 33) { $0 }
    #expect(try TablePath(of: identity, bitDepth: 8) == .narrow)
    #expect(try TablePath(of: identity, bitDepth: 10) == .narrow)
    // From far below to far above in a step: 10 bits need finer points and coordinates.
    let random = LookupTable.random(size: 33, in: -3...4, seed: 1)
    #expect(try TablePath(of: random, bitDepth: 8) == .narrow)
    #expect(try TablePath(of: random, bitDepth: 10) == .wide)
    #expect(try TablePath(of: .random(size: 9, in: -40...40, seed: 1), bitDepth: 8) == .wide)
    let curves = LookupTable(curves: LookupTable.curves(size: 9) { $0 }, lattice: nil)
    #expect(try TablePath(of: curves, bitDepth: 8) == .wide)
  }
}
