import Color
import Testing

@Suite struct LookupTableEvaluationTests {
  /// A corner of the cube, by its red, green and blue.
  static func corners(_ value: (Int, Int, Int) -> Float) -> LookupTable.Lattice {
    var samples: [Float] = []
    for blue in 0...1 {
      for green in 0...1 {
        for red in 0...1 { samples += [value(red, green, blue), Float(red), 0] }
      }
    }
    return LookupTable.Lattice(size: 2, samples: samples)
  }

  /// Only one corner is 1: its tetrahedral weight is read off directly.
  static func weight(of corner: (Int, Int, Int), at color: SIMD3<Double>, _ interpolation: Interpolation) -> Double {
    corners { (red, green, blue) in (red, green, blue) == corner ? 1 : 0 }
      .evaluate(color, interpolation: interpolation).x
  }

  @Test func tetrahedralWeightsAreDifferencesOfTheSortedFractions() {
    let color = SIMD3(0.7, 0.2, 0.4)
    // Red first, then blue, then green: black, red, magenta, white.
    for (corner, expected) in [
      ((0, 0, 0), 0.3), ((1, 0, 0), 0.3), ((1, 0, 1), 0.2), ((1, 1, 1), 0.2), ((0, 1, 0), 0), ((0, 0, 1), 0),
      ((1, 1, 0), 0), ((0, 1, 1), 0),
    ] {
      #expect(abs(Self.weight(of: corner, at: color, .tetrahedral) - expected) < 1e-12, "\(corner)")
    }
  }

  @Test func trilinearWeightsAreProducts() {
    let color = SIMD3(0.7, 0.2, 0.4)
    #expect(abs(Self.weight(of: (0, 0, 0), at: color, .trilinear) - 0.3 * 0.8 * 0.6) < 1e-12)
    #expect(abs(Self.weight(of: (1, 0, 1), at: color, .trilinear) - 0.7 * 0.8 * 0.4) < 1e-12)
    #expect(abs(Self.weight(of: (0, 1, 1), at: color, .trilinear) - 0.3 * 0.2 * 0.4) < 1e-12)
  }

  @Test func redRunsFastest() {
    let lattice = Self.corners { _, _, _ in 0 }
    #expect(lattice.evaluate(SIMD3(1, 0, 0), interpolation: .tetrahedral).y == 1)
    #expect(lattice.evaluate(SIMD3(0, 1, 1), interpolation: .tetrahedral).y == 0)
  }

  @Test func inputClampsToTheDomain_andOutputDoesNotClamp() {
    let lattice = LookupTable.Lattice(
      size: 2, samples: (0..<8).flatMap { [Float($0 & 1) * 3 - 1, 0, 0] }, domainMin: SIMD3(0.5, 0, 0),
      domainMax: SIMD3(1.5, 1, 1))
    func red(_ value: Double) -> Double { lattice.evaluate(SIMD3(value, 0, 0), interpolation: .tetrahedral).x }
    #expect(red(0.2) == -1)
    #expect(red(1) == 0.5)
    #expect(red(9) == 2)
  }

  @Test func curvesComeFirst_eachChannelByItself() {
    let curves = LookupTable.Curves(size: 3, samples: [0, 1, 0.5, 0.25, 0.5, 0.5, 1, 0, 0.5])
    let lattice = Self.corners { red, _, _ in Float(red) }
    #expect(curves.evaluate(SIMD3(0.25, 0.25, 0.9)) == SIMD3(0.125, 0.75, 0.5))
    let both = LookupTable(curves: curves, lattice: lattice)
    #expect(both.evaluate(SIMD3(0.25, 0, 0), interpolation: .trilinear).x == 0.125)
  }

  @Test func videoRangeReads64As0_andGives940As1() {
    let ramp = LookupTable.Curves(size: 2, samples: [0, 0, 0, 1, 1, 1])
    func table(_ input: Bool, _ output: Bool) -> LookupTable {
      LookupTable(curves: ramp, lattice: nil, inputIsVideoRange: input, outputIsVideoRange: output)
    }
    let white = SIMD3<Double>.one
    #expect(abs(table(true, false).evaluate(white, interpolation: .tetrahedral).x - 940.0 / 1023) < 1e-12)
    #expect(abs(table(true, false).evaluate(.zero, interpolation: .tetrahedral).x - 64.0 / 1023) < 1e-12)
    #expect(abs(table(false, true).evaluate(.zero, interpolation: .tetrahedral).x + 64.0 / 876) < 1e-12)
    #expect(abs(table(true, true).evaluate(white * 0.3, interpolation: .tetrahedral).x - 0.3) < 1e-12)
  }
}
