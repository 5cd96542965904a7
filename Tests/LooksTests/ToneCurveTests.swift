import Foundation
import Looks
import TestKit
import Testing

@Suite struct ToneCurveTests {
  private static let portra: [ToneCurve.Point] = [
    .init(0, 0.03), .init(0.15, 0.12), .init(0.5, 0.48), .init(0.85, 0.82), .init(1, 0.97),
  ]

  @Test func pointsAreHitExactly() throws {
    let curve = try #require(ToneCurve(Self.portra))
    for point in Self.portra { #expect(curve.value(at: point.x) == point.y) }
    #expect(curve.value(at: -1) == 0.03 && curve.value(at: 2) == 0.97)
  }

  /// From `Monotone` in Looks/derivation/chain.py.
  @Test(arguments: [
    (0.05, 0.058531073446327686), (0.3, 0.26084927890215237), (0.62, 0.5975774804770357), (0.95, 0.9198601699472947),
  ])
  func betweenThePoints_itIsThatOfTheDerivation(_ x: Double, _ y: Double) throws {
    let curve = try #require(ToneCurve(Self.portra))
    #expect(abs(curve.value(at: x) - y) < 1e-12, "\(curve.value(at: x))")
  }

  /// Random points, also with steps that are ten thousand times steeper than their neighbours.
  @Test func everyCurveRises() throws {
    var generator = SplitMix(seed: 7)
    for _ in 0..<300 {
      let count = Int.random(in: 2...32, using: &generator)
      func rising() -> [Double] {
        let steps = (0..<count).map { _ in pow(generator.unit(), 4) + 1e-4 }
        var sum = 0.0
        let sums = steps.map { step in
          sum += step
          return sum - steps[0]
        }
        return sums.map { $0 / (sums[count - 1]) }
      }
      let x = rising(), y = rising()
      let points = zip(x, y).map { ToneCurve.Point($0, $1) }
      let curve = try #require(ToneCurve(points))
      for (low, high) in zip(points, points.dropFirst()) {
        var last = low.y
        for step in 1...64 {
          let value = curve.value(at: low.x + (high.x - low.x) * Double(step) / 64)
          #expect(value >= last - 1e-15)
          #expect(value >= low.y - 1e-15 && value <= high.y + 1e-15)
          last = value
        }
      }
    }
  }

  @Test func whatIsNoCurve_isRefused() {
    #expect(ToneCurve([.init(0, 0)]) == nil)
    #expect(ToneCurve([.init(0, 0), .init(0.9, 1)]) == nil)
    #expect(ToneCurve([.init(0.1, 0), .init(1, 1)]) == nil)
    #expect(ToneCurve([.init(0, 0), .init(0.5, 0.5), .init(0.5, 0.6), .init(1, 1)]) == nil)
    #expect(ToneCurve([.init(0, 0), .init(0.5, 0.5), .init(0.6, 0.5), .init(1, 1)]) == nil)
    #expect(ToneCurve([.init(0, 0), .init(1, 1.5)]) == nil)
    #expect(ToneCurve([.init(0, 0), .init(1, .nan)]) == nil)
  }
}
