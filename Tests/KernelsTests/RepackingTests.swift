import Color
import Frames
import Testing

/// Bakes without a table and with the same matrix: exact.
@Suite struct RepackingTests {
  @Test(arguments: PixelLayout.allCases)
  func everyLayoutBecomesEveryOther_exactly_andNothingElseIsTouched(input: PixelLayout) throws {
    for (number, output) in PixelLayout.allCases.enumerated() {
      for (width, height) in [(1, 1), (2, 3), (7 + number, 5), (3 + 5 * number, 4), (67 - number, 7), (257, 2)] {
        let outcome = try BakeCase(input: input, output: output).bake(
          width: width, height: height, seed: UInt64(width * 100 + height))
        #expect(outcome.baked == outcome.expected, "\(input) to \(output), \(width)×\(height)")
        #expect(outcome.changedGuards == 0, "\(input) to \(output), \(width)×\(height)")
      }
    }
  }
}
