import Color
import Frames
import Testing

/// Tables from one display's picture to another's.
@Suite struct DisplayTableTests {
  private static let srgb = ColorDescription(matrix: .rec709, range: .limited, transfer: .srgb, primaries: .rec709)
  private static let displayP3 = ColorDescription(
    matrix: .rec709, range: .limited, transfer: .srgb, primaries: .displayP3)

  private func isNear(_ a: SIMD3<Double>, _ b: SIMD3<Double>, _ tolerance: Double) -> Bool {
    let difference = a - b
    return difference.max() < tolerance && difference.min() > -tolerance
  }

  @Test(arguments: [(srgb, srgb), (displayP3, displayP3), (srgb, ColorDescription.rec709)])
  func `the same picture is an identity, bit for bit`(from: ColorDescription, to: ColorDescription) throws {
    let lattice = try #require(try LookupTable.make(from: from, to: to, size: 9).lattice)
    for index in 0..<9 * 9 * 9 {
      let point = SIMD3(index % 9, index / 9 % 9, index / 81)
      let expected = SIMD3(Float(point.x), Float(point.y), Float(point.z)) / 8
      #expect(lattice.samples[3 * index] == expected.x)
      #expect(lattice.samples[3 * index + 1] == expected.y)
      #expect(lattice.samples[3 * index + 2] == expected.z)
    }
  }

  /// CSS Color 4's own examples: `color(srgb 1 0 0)` and green in Display P3.
  @Test func `sRGB's red and green in Display P3`() throws {
    let table = try LookupTable.make(from: Self.srgb, to: Self.displayP3, size: 5)
    let red = table.evaluate([1, 0, 0], interpolation: .tetrahedral)
    #expect(isNear(red, [0.9175, 0.2003, 0.1386], 5e-4))
    let green = table.evaluate([0, 1, 0], interpolation: .tetrahedral)
    #expect(isNear(green, [0.4584, 0.9853, 0.2983], 5e-4))
  }

  @Test func `what sRGB does not hold is kept, and comes back`() throws {
    let there = try LookupTable.make(from: Self.displayP3, to: Self.srgb, size: 5)
    let green = there.evaluate([0, 1, 0], interpolation: .tetrahedral)
    #expect(isNear(green, [-0.5116, 1.0183, -0.3107], 5e-4))
    #expect(there.title == "display-p3 to srgb")
    let rec709 = try LookupTable.make(from: Self.displayP3, to: .rec709, size: 5)
    #expect(rec709.lattice?.samples == there.lattice?.samples)
  }

  @Test func `neutrals stay where they are`() throws {
    for (from, to) in [(Self.srgb, Self.displayP3), (Self.displayP3, Self.srgb)] {
      let table = try LookupTable.make(from: from, to: to, size: 17)
      for step in 0...100 {
        let grey = SIMD3(repeating: Double(step) / 100)
        #expect(isNear(table.evaluate(grey, interpolation: .tetrahedral), grey, 1e-6))
      }
    }
  }

  @Test func `footage for Display P3 shows the same neutrals and holds stronger colours`() throws {
    let rec709 = try LookupTable.make(from: .appleLog, to: .rec709, size: 17)
    let srgb = try LookupTable.make(from: .appleLog, to: Self.srgb, size: 17)
    let wide = try LookupTable.make(from: .appleLog, to: Self.displayP3, size: 17)
    #expect(rec709.lattice?.samples == srgb.lattice?.samples)
    #expect(wide.title == "apple-log rec2020 to display-p3")
    for step in 0...64 {
      let grey = SIMD3(repeating: Double(step) / 64)
      let narrow = rec709.evaluate(grey, interpolation: .tetrahedral)
      #expect(isNear(wide.evaluate(grey, interpolation: .tetrahedral), narrow, 1e-6))
    }
    // A leaf under strong light: outside of Rec.709, inside of Display P3. Seen in P3 it is more colourful than what
    // Rec.709 leaves of it.
    let curve = try #require(TransferFunction(.appleLog)), display = try #require(TransferFunction(.srgb))
    let leaf = curve.encode(SIMD3(0.02, 0.3, 0.01))
    let toRec709 = RGBSpace.displayP3.matrix(to: .rec709)
    let shown = Oklab(linearRec709: toRec709 * display.decode(wide.evaluate(leaf, interpolation: .tetrahedral)))
    let kept = Oklab(linearRec709: display.decode(rec709.evaluate(leaf, interpolation: .tetrahedral)))
    #expect(shown.chroma > kept.chroma * 1.05)
    #expect(Oklab.hueDifference(shown, kept) < 5)
  }
}
