import Exposure
import Foundation
import TestKit
import Testing

struct StopsTests {
  @Test func logarithmOfATimeIsTheNearest() {
    var random = SplitMix(seed: 1)
    for _ in 0..<20_000 {
      let nanoseconds = Int64(exp2(4 + random.unit() * 37))
      let exact = log2(Double(nanoseconds) * 1e-9) * 1024
      // The second's own logarithm is rounded once, which may add half a unit.
      #expect(abs(Double(Stops(nanoseconds: nanoseconds).units) - exact) <= 1.0, "\(nanoseconds)")
    }
    #expect(Stops(nanoseconds: 1_000_000_000) == .zero)
    #expect(Stops(nanoseconds: 500_000_000) == Stops(-1))
    #expect(Stops(nanoseconds: 2_000_000_000).units == 1024)
  }

  @Test func timeOfAnExposureIsTheNearestAndComesBack() {
    for units in stride(from: -14 * 1024, through: 10 * 1024, by: 7) {
      let exact = exp2(Double(units) / 1024) * 1e9, nanoseconds = Stops(units: units).nanoseconds
      #expect(abs(Double(nanoseconds) - exact) <= 0.5 + exact * 1e-15)
      #expect(Stops(nanoseconds: nanoseconds).units == units, "\(units)")
    }
    #expect(Stops(units: -Stops.limit).nanoseconds == 1)
    #expect(Stops(units: Stops.limit).nanoseconds == 1 << 62)
  }

  @Test func valuesAreRoundedAndHeld() {
    #expect(Stops(1.0 / 3).units == 341 && Stops(-1.0 / 3).units == -341)
    #expect(Stops(1e300).units == Stops.limit && Stops(-Double.infinity).units == -Stops.limit)
    #expect(Stops(Double.nan) == .zero)
    #expect(Stops(units: .max) + Stops(units: .max) == Stops(64))
  }

  @Test func thirdsAreAsNearAsWholeNumbersCome() {
    guard case .steps(let steps) = GainScale.steps(perEV: 3, to: Stops(7)) else { return #expect(Bool(false)) }
    #expect(steps.map(\.units).prefix(4) == [0, 341, 683, 1024])
    #expect(steps.count == 22 && steps.last == Stops(7))
    let scale = GainScale.steps(steps)
    #expect(scale.nearest(to: Stops(units: 170)) == .zero && scale.nearest(to: Stops(units: 171)).units == 341)
    #expect(scale.nearest(to: Stops(-3)) == .zero && scale.nearest(to: Stops(30)) == Stops(7))
  }
}
