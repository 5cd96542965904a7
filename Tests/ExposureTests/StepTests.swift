import Exposure
import Frames
import Testing

/// A change of light, and how fast and how far the picture follows.
struct StepTests {
  struct Case: CustomStringConvertible, Sendable {
    let rate: FrameRate
    let gains: GainScale
    let delay: Int
    let step: Double
    let seed: UInt64
    /// Of the scene's parts.
    let deviation: Double
    var description: String {
      "\(rate) \(gains.halfStep == 0 ? "fine" : "thirds") \(delay) \(step) EV, seed \(seed), \(deviation)"
    }

    /// Of the gain before the step: the matching end of the range for six stops, its middle for others.
    var gain: Double { abs(step) < 6 ? 3.5 : step > 0 ? 6.5 : 0.5 }

    static func every(rates: [String]) -> [Case] {
      var cases: [Case] = []
      for rate in rates {
        for gains in [GainScale.fine, .thirds] {
          for delay in 1...5 {
            for step in [1.0, -1, 3, -3, 6, -6] {
              for (seed, deviation) in [(UInt64(1), 0.0), (2, 0.8), (3, 1.2), (4, 1.6)] {
                cases.append(
                  Case(
                    rate: FrameRate(parsing: rate)!, gains: gains, delay: delay, step: step, seed: seed,
                    deviation: deviation))
              }
            }
          }
        }
      }
      return cases
    }
  }

  @Test func settlesInTimeWithoutOvershoot() throws {
    for each in Case.every(rates: ["24", "23.976", "60", "120"]) {
      let result = try each.run()
      #expect(result.settled <= 1, "\(each): \(result)")
      #expect(result.overshoot <= 0.15 + each.gains.halfStep, "\(each): \(result)")
      #expect(result.clipped <= 0.5, "\(each): \(result)")
    }
  }
}

/// What came of a step.
struct StepResult {
  /// Seconds until the picture stays within 0.1 EV and half a step of gain of grey.
  let settled: Double
  /// EV past grey, once less than half the picture clips.
  let overshoot: Double
  /// Seconds until less than an eighth of the picture, beyond what clips at grey, stays clipped.
  let clipped: Double
}

extension StepTests.Case {
  func run() throws -> StepResult {
    var loop = try ClosedLoop(seed: seed, deviation: deviation, rate: rate, gains: gains, delay: delay, gain: gain)
    loop.run(seconds: 1)
    let start = loop.readings.count, before = loop.seconds, step = step
    loop.scene.light = { $0 >= before ? step : 0 }
    loop.run(seconds: 2)
    let settled = loop.settleTime(from: start, within: 0.1 + gains.halfStep)
    let usual = loop.readings[loop.readings.count - 1].clipped
    let clipped = loop.readings.indices.last { $0 >= start && loop.readings[$0].clipped > usual + 128 }
    let fps = rate.framesPerSecond
    return StepResult(
      settled: Double(settled) / fps, overshoot: loop.overshoot(from: start, sign: step > 0 ? 1 : -1),
      clipped: Double(clipped.map { $0 + 1 - start } ?? 0) / fps)
  }
}
