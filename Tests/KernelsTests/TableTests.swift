import Color
import Frames
import Testing

/// Bakes through a table: at most one code from the reference.
@Suite struct TableTests {
  static let outputs: [PixelLayout] = [.yuv420p, .yuv422p, .nv12, .yuv420p10, .yuv422p10]

  @Test(arguments: PixelLayout.allCases)
  func everyLayoutAtOddSizes_staysWithinOneCode_andNothingElseIsTouched(input: PixelLayout) throws {
    let lut = LookupTable.random(size: 17, in: -0.2...1.6, seed: 1)
    for (number, output) in PixelLayout.allCases.enumerated() {
      let width = 1 + (number * 11 + input.rawValue.count * 7) % 67
      for (width, height) in [(width, 3), (68 - width, 2), (1 + number, 5)] {
        let outcome = try BakeCase(input: input, output: output, outputColor: .rec601, lut: lut).bake(
          width: width, height: height, seed: UInt64(width))
        #expect(outcome.greatestDifference <= 1, "\(input) to \(output), \(width)×\(height)")
        #expect(outcome.changedGuards == 0, "\(input) to \(output), \(width)×\(height)")
      }
    }
  }

  @Test(arguments: 1...67)
  func everyWidth(width: Int) throws {
    let lut = LookupTable.random(size: 5, in: -0.2...1.6, seed: 2)
    for height in 1...4 {
      let outcome = try BakeCase(input: .nv12, output: .yuv420p, lut: lut).bake(
        width: width, height: height, seed: UInt64(height))
      #expect(outcome.greatestDifference <= 1)
      #expect(outcome.changedGuards == 0)
    }
  }

  @Test(arguments: Interpolation.allCases, [2, 3, 17, 33, 65])
  func randomCubes(interpolation: Interpolation, size: Int) throws {
    let lut = LookupTable.random(size: size, in: -0.2...1.6, seed: UInt64(size))
    for (input, output) in [(PixelLayout.nv12, PixelLayout.yuv420p), (.yuyv, .yuv422p10), (.p010, .yuv420p10)] {
      for range in ColorRange.allCases {
        let outcome = try BakeCase(
          input: input, output: output, inputColor: .coded(.rec2020, range), lut: lut, interpolation: interpolation
        ).bake(width: 64, height: 16, seed: 3)
        #expect(outcome.greatestDifference <= 1)
        // Rarely even one: the kernels are closer than they have to be.
        #expect(outcome.differing < 0.15)
      }
    }
  }
}
