import Drawing
import TestKit
import Testing

@Suite struct TimePlotTests {
  private func pixel(_ picture: Picture, _ x: Int, _ y: Int) -> SIMD3<Int> {
    let at = 3 * (y * picture.width + x)
    return SIMD3(Int(picture.bytes[at]), Int(picture.bytes[at + 1]), Int(picture.bytes[at + 2]))
  }

  private func isCurve(_ color: SIMD3<Int>) -> Bool { color.y > 180 && color.x < 150 }
  private func isLoss(_ color: SIMD3<Int>) -> Bool { color.x > 220 && color.y < 130 }

  /// The axis goes from x = 220 to 1560, a strip from y = 150 to 330, and the first row below it begins at 410.
  @Test func `a step rises where it does, and a loss is marked where it was`() {
    let bins: [ClosedRange<Double>?] = (0..<100).map { $0 < 50 ? 0...0 : 4...4 }
    let plot = TimePlot(
      seconds: 10,
      strips: [TimePlot.Strip(heading: "ev", curve: TimePlot.Curve(width: 0.1, bins: bins), leastSpan: 1)],
      rowsHeading: "losses",
      rows: [TimePlot.Row(heading: "drop", width: 0.1, bins: (0..<100).map { $0 == 75 })])
    let picture = plot.picture(heading: ["film"])
    #expect(picture.width == 1600 && picture.bytes.count == 3 * picture.width * picture.height)
    // From 8 % below to 8 % above what the curve has.
    let low = Int(150 + 180 * (1 - 0.08 / 1.16)), high = Int(150 + 180 * 0.08 / 1.16)
    #expect(isCurve(pixel(picture, 500, low)) && !isCurve(pixel(picture, 500, high)))
    #expect(isCurve(pixel(picture, 1300, high)) && !isCurve(pixel(picture, 1300, low)))
    #expect(isLoss(pixel(picture, 220 + 1340 * 755 / 1000, 420)) && !isLoss(pixel(picture, 220 + 1340 * 73 / 100, 420)))
  }

  /// A sidecar may hold any number.
  @Test func `numbers of any size are a picture`() {
    let odd: [Double] = [
      1e19, -1e19, 1e308, .infinity, -.infinity, .nan, .leastNonzeroMagnitude, 0, -0.0, 1, 1 + .ulpOfOne,
      9.007199254740993e15, 1e-300,
    ]
    for value in odd {
      for other in odd where value <= other {
        for seconds in [value, other, 10] {
          let curve = TimePlot.Curve(width: seconds, bins: [value...other, nil, value...value, other...other])
          let plot = TimePlot(
            seconds: seconds, strips: [TimePlot.Strip(heading: "ev", curve: curve, leastSpan: 0)],
            rowsHeading: "losses", rows: [TimePlot.Row(heading: "drop", width: seconds, bins: [true, false, true])])
          #expect(plot.picture(heading: []).width == 1600)
        }
      }
    }
  }

  /// Any 64 bits are a number: subnormal, infinite, none.
  @Test(arguments: 0..<8) func `numbers of any bits are a picture`(seed: UInt64) {
    var random = SplitMix(seed: seed)
    func any() -> Double {
      switch random.next() % 4 {
      case 0: .leastNonzeroMagnitude * Double(random.next() % 1000)
      case 1: [.infinity, -.infinity, .nan, 0, .greatestFiniteMagnitude][Int(random.next() % 5)]
      default: Double(bitPattern: random.next())
      }
    }
    func bins() -> [ClosedRange<Double>?] {
      (0..<Int(random.next() % 5)).map { _ in
        let one = any(), other = any()
        return one <= other ? one...other : nil
      }
    }
    let strips = (0..<12).map { index in
      TimePlot.Strip(
        heading: "ev", curve: TimePlot.Curve(width: any(), bins: bins()), leastSpan: index.isMultiple(of: 2) ? 0 : 2)
    }
    let row = TimePlot.Row(heading: "drop", width: any(), bins: [true, false, true])
    let plot = TimePlot(seconds: any(), strips: strips, rowsHeading: "losses", rows: [row])
    #expect(plot.picture(heading: []).height > 12 * 180)
  }

  @Test func `nothing known is a picture, too`() {
    let plot = TimePlot(
      seconds: .nan, strips: [TimePlot.Strip(heading: "ev", curve: nil, leastSpan: 1)], rowsHeading: "losses", rows: [])
    #expect(plot.picture(heading: []).height > 300)
  }
}
