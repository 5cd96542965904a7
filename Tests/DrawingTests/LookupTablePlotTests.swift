import Color
import Drawing
import TestKit
import Testing

@Suite struct LookupTablePlotTests {
  private func pixel(_ picture: Picture, _ x: Int, _ y: Int) -> SIMD3<Int> {
    let at = 3 * (y * picture.width + x)
    return SIMD3(Int(picture.bytes[at]), Int(picture.bytes[at + 1]), Int(picture.bytes[at + 2]))
  }

  /// A cube of two whose corners get their channels from the axes with these numbers.
  private static func cube(_ axes: [Int]) -> LookupTable {
    var samples: [Float] = []
    for corner in 0..<8 {
      for axis in axes { samples.append(Float(corner >> axis & 1)) }
    }
    return LookupTable(lattice: .init(size: 2, samples: samples))
  }

  private let identity = cube([0, 1, 2])
  /// Turns red into green and green into blue.
  private let turned = cube([2, 0, 1])

  @Test func `an identity's neutrals are a white diagonal, and its slice and ramps stay`() {
    let picture = LookupTablePlot(of: identity).picture(heading: [])
    #expect(picture.width == 1600 && picture.height == 1200 && picture.bytes.count == 3 * 1600 * 1200)
    // The chart goes from (110, 720) to (920, 160).
    #expect(pixel(picture, 110 + 405, 720 - 280) == [255, 255, 255])
    #expect(pixel(picture, 110 + 300, 720 - 400).max() < 64)
    for place in [(3, 3), (130, 90), (250, 200)] {
      #expect(pixel(picture, 1020 + place.0, 832 + place.1) == pixel(picture, 1300 + place.0, 832 + place.1))
    }
    for ramp in 0..<7 {
      #expect(pixel(picture, 600, 835 + 48 * ramp) == pixel(picture, 600, 865 + 48 * ramp))
    }
  }

  @Test func `what a table does to a color is seen`() {
    let picture = LookupTablePlot(of: turned).picture(heading: ["title", "facts"])
    let before = pixel(picture, 600, 835 + 48), after = pixel(picture, 600, 865 + 48)
    #expect(before.x > 140 && before.y == 0 && before.z == 0)
    #expect(after == [0, before.x, 0])
    // The chart of red alone, from (1020, 308) to (1560, 160): the green channel rises, the others lie at the bottom.
    #expect(pixel(picture, 1020 + 270, 308 - 74).y > 200)
    #expect(pixel(picture, 1020 + 270, 308 - 74).x < 128)
  }

  @Test func `a heading takes room at the top only`() {
    let bare = LookupTablePlot(of: identity).picture(heading: [])
    let long = String(repeating: "a long title ", count: 50)
    let titled = LookupTablePlot(of: identity).picture(heading: [long, long, "never shown"])
    let top = 3 * 1600 * 110
    #expect(bare.bytes[..<top] != titled.bytes[..<top])
    #expect(bare.bytes[top...] == titled.bytes[top...])
  }

  @Test func `extreme tables are drawn, too`() {
    let wild = LookupTable(
      curves: .init(
        size: 2, samples: [-3e38, 0, 1, 3e38, -1e-30, 1e20],
        domainMin: SIMD3(repeating: -3e38), domainMax: SIMD3(repeating: 3e38)),
      lattice: nil)
    let picture = LookupTablePlot(of: wild).picture(heading: ["wild"])
    #expect(picture.bytes.contains(255))
  }
  /// A .cube file's numbers are floats: subnormal ones, and the greatest, in its samples and its domain.
  @Test(arguments: 0..<6) func `tables of any numbers are drawn`(seed: UInt64) {
    var random = SplitMix(seed: seed)
    func any() -> Float {
      while true {
        let value =
          random.next() % 3 == 0
          ? .leastNonzeroMagnitude * Float(random.next() % 9)
          : Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
        if value.isFinite { return value }
      }
    }
    let low = any(), high = max(low.nextUp, any())
    let wild = LookupTable(
      curves: .init(
        size: 4, samples: (0..<12).map { _ in any() }, domainMin: SIMD3(repeating: Double(low)),
        domainMax: SIMD3(repeating: Double(high))),
      lattice: seed.isMultiple(of: 2) ? .init(size: 2, samples: (0..<24).map { _ in any() }) : nil)
    #expect(LookupTablePlot(of: wild).picture(heading: ["wild"]).height == 1200)
  }
}
