import Color
import Frames
import Testing

/// How far the bake is from the reference in the mean, in codes; printed for the record. No difference is greater than
/// one code, so the mean is the share of codes that differ.
struct MeanErrorTests {
  static let cases: [(PixelLayout, PixelLayout, Interpolation)] = [
    (.nv12, .yuv420p, .tetrahedral), (.nv12, .yuv420p, .trilinear), (.p010, .yuv420p10, .tetrahedral),
    (.p010, .yuv420p10, .trilinear),
  ]

  @Test(arguments: cases, [33, 65])
  func meanErrorOfAFilmLikeTable(_ layouts: (PixelLayout, PixelLayout, Interpolation), size: Int) throws {
    let table = try LookupTable.make(from: .appleLog, to: .rec709, size: size)
    try measure(layouts, table, "apple-log to rec709, \(size) points", limit: layouts.1.bitDepth == 8 ? 0.01 : 0.03)
  }

  @Test(arguments: cases)
  func meanErrorOfARandomTable(_ layouts: (PixelLayout, PixelLayout, Interpolation)) throws {
    let table = LookupTable.random(size: 33, in: -0.2...1.6, seed: 33)
    try measure(layouts, table, "random, 33 points from -0.2 to 1.6", limit: layouts.1.bitDepth == 8 ? 0.01 : 0.03)
  }

  private func measure(
    _ layouts: (PixelLayout, PixelLayout, Interpolation), _ table: LookupTable, _ name: String, limit: Double
  ) throws {
    let bake = BakeCase(
      input: layouts.0, output: layouts.1, inputColor: .appleLog, lut: table, interpolation: layouts.2)
    let outcome = try bake.bake(width: 256, height: 128, seed: 9)
    let mean = (outcome.differing * 1e4).rounded() / 1e4
    print(
      "mean error: \(name), \(layouts.2.rawValue), \(layouts.1.bitDepth) bits: \(mean) codes,",
      "greatest \(outcome.greatestDifference)")
    #expect(outcome.greatestDifference <= 1 && outcome.differing <= limit)
  }
}
