import Color
import Exposure
import Foundation
import Frames
import TestKit
import Testing

struct HistogramTests {
  /// The code that a luminance has, EV above grey.
  static func code(_ ev: Double, _ curve: MeterCurve) -> Int {
    curve.levels.indices.min { abs(curve.levels[$0].ev - ev) < abs(curve.levels[$1].ev - ev) }!
  }

  @Test(arguments: TransferCharacteristic.allCases.filter { TransferFunction($0) != nil })
  func greyReadsZeroAndAStopIsAStop(_ transfer: TransferCharacteristic) {
    let color = ColorDescription(matrix: .rec709, range: .limited, transfer: transfer, primaries: .rec709)
    for depth in [8, 10] {
      let curve = MeterCurve(color: color, bitDepth: depth), scale = CodeScale(range: .limited, bitDepth: depth)
      for ev in [-2.0, -1, 0, 1, 2] {
        let signal = TransferFunction(transfer)!.encode(0.18 * exp2(ev))
        let code = Double(scale.lumaOffset) + signal * Double(scale.lumaSpan)
        let below = curve.levels[Int(code)].ev, above = curve.levels[Int(code) + 1].ev
        #expect(below <= ev + 1e-3 && ev <= above + 1e-3, "\(depth) bits, \(ev) EV between \(below) and \(above)")
      }
      #expect(zip(curve.levels, curve.levels.dropFirst()).allSatisfy { $0 <= $1 })
      #expect(curve.levels[0] >= MeterCurve.floor)
    }
  }

  @Test func averagesAreTheirFormulas() {
    var random = SplitMix(seed: 9)
    for _ in 0..<50 {
      var histogram = LuminanceHistogram(curve: MeterCurve(color: .appleLog, bitDepth: 10))
      var levels: [Double] = []
      for _ in 0..<300 {
        let code = 150 + Int(random.unit() * 700)
        histogram.add(code: code)
        levels.append(histogram.curve.levels[code].ev)
      }
      let mean = levels.reduce(0, +) / 300
      #expect(abs(histogram.reading(.mean).level.ev - mean) < 1e-3)
      let light = levels.map { exp2($0) }
      let byLight = zip(levels, light).map { $0 * $1 }.reduce(0, +) / light.reduce(0, +)
      #expect(abs(histogram.reading(.byLuminance).level.ev - byLight) < 0.02)
      let s = histogram.reading(.bounded).level.ev
      func sum(_ s: Double) -> Double { levels.map { max(-4, min($0 - s, 1.75)) }.reduce(0, +) }
      #expect(sum(s - 0.002) >= 0 && sum(s + 0.002) <= 0)
    }
  }

  @Test func whatIsSeen_isWithoutTheDarkestLevel() {
    let curve = MeterCurve(color: .rec709, bitDepth: 8), dark = Self.code(-2, curve), grey = Self.code(0, curve)
    var histogram = LuminanceHistogram(curve: curve)
    for (code, count) in [(16, 25), (dark, 25), (grey, 50)] { histogram.add(code: code, weight: count) }
    let mean = (25 * curve.levels[dark].ev + 50 * curve.levels[grey].ev) / 75
    let reading = histogram.reading(.mean)
    #expect(reading.seenLevel.map { abs($0.ev - mean) < 1e-3 } == true && reading.level.ev < mean - 1)
    let bounded = histogram.reading(.bounded)
    #expect(bounded.seenLevel.map { $0 > bounded.level && $0.ev < 0.1 } == true)
    histogram.add(code: grey, weight: 200)
    #expect(histogram.reading(.mean).seenLevel == nil, "little is at the darkest level")
    histogram.clear()
    histogram.add(code: 16, weight: 9)
    #expect(histogram.reading(.bounded).seenLevel == nil && histogram.reading(.bounded).level == MeterCurve.floor)
  }

  @Test func clippedCrushedAndSpreadAreShares() {
    let curve = MeterCurve(color: .rec709, bitDepth: 8)
    var histogram = LuminanceHistogram(curve: curve)
    for _ in 0..<25 { histogram.add(code: 235) }
    for _ in 0..<25 { histogram.add(code: 16) }
    for _ in 0..<50 { histogram.add(code: Self.code(0, curve), weight: 1) }
    let reading = histogram.reading(.mean)
    #expect(reading.clipped == 256 && reading.crushed == 256)
    #expect(reading.spread.ev > 7.9)
    histogram.clear()
    let empty = histogram.reading(.bounded)
    #expect(empty.level == MeterCurve.floor && empty.crushed == 1024 && empty.clipped == 0)
  }

  /// The bound that the documentation states, with an object of any brightness over average parts.
  @Test func objectMovesTheBoundedAverageByLessThanItsWeightAllows() {
    var random = SplitMix(seed: 4)
    let curve = MeterCurve(color: .appleLog, bitDepth: 10)
    for trial in 0..<40 {
      let deviation = 0.3 + random.unit() * 1.7
      let codes = (0..<1000).map { _ in Self.code(ScriptedScene.normal(&random) * deviation, curve) }
      let average = Self.code(0, curve)
      var histogram = LuminanceHistogram(curve: curve)
      for code in codes { histogram.add(code: code, weight: 950) }
      // 5 % of the picture in its centre: 9/7 as much weight.
      histogram.add(code: average, weight: 64 * 1000)
      let before = histogram.reading(.bounded).level.ev
      histogram.add(code: average, weight: -64 * 1000)
      histogram.add(code: Self.code(6, curve), weight: 64 * 1000)
      let after = histogram.reading(.bounded).level.ev
      let inside = Double(codes.count { abs(curve.levels[$0].ev - after + 1) < 3 }) / 1000 * 0.937
      #expect(after - before > 0 && after - before < 0.064 * 1.75 / inside + 0.01, "trial \(trial): \(after - before)")
    }
  }
}
