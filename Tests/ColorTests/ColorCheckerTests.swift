import Color
import Frames
import Testing

@Suite struct ColorCheckerTests {
  /// BabelColor's averages of 30 charts in sRGB, 8 bits: other charts and another laboratory than the table's.
  static let averages: [SIMD3<Double>] = [
    [116, 81, 67], [199, 147, 129], [91, 122, 156], [90, 108, 64], [130, 128, 176], [92, 190, 172],
    [224, 124, 47], [68, 91, 170], [198, 82, 97], [94, 58, 106], [159, 189, 63], [230, 162, 39],
    [35, 63, 147], [67, 149, 74], [180, 49, 57], [238, 198, 20], [193, 84, 151], [0, 136, 170],
    [245, 245, 243], [200, 202, 202], [161, 163, 163], [121, 121, 122], [82, 84, 86], [49, 49, 51],
  ]

  @Test func `there are 24 patches with names of their own`() {
    #expect(ColorChecker.patches.count == 24)
    #expect(Set(ColorChecker.patches.map(\.name)).count == 24)
  }

  @Test func `patches agree with an independent measurement`() throws {
    let curve = try #require(TransferFunction(.srgb))
    for (patch, average) in zip(ColorChecker.patches, Self.averages) {
      let code = (curve.encode(patch.linearRec709) * 255).clamped(lowerBound: .zero, upperBound: SIMD3(repeating: 255))
      let difference = code - average
      #expect(difference.max() < 9 && difference.min() > -9, "\(patch.name): \(code)")
    }
  }

  @Test func `the grey row is neutral and the fourth grey is near 18 %`() throws {
    for patch in ColorChecker.patches.suffix(6) {
      #expect(Oklab(linearRec709: patch.linearRec709).chroma < 0.012)
    }
    let grey = ColorChecker.patches[21]
    #expect(abs(grey.xyzD65.y - 0.19) < 0.01)
    #expect(grey.linear(in: .rec2020).min() > 0.17)
  }

  @Test func `only cyan lies outside Rec.709`() {
    for patch in ColorChecker.patches {
      #expect((patch.linearRec709.min() < 0) == (patch.name == "cyan"), "\(patch.name)")
    }
  }
}
