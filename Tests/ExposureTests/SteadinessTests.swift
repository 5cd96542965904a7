import Exposure
import Foundation
import Frames
import Testing

/// Light that stays, that creeps, and a lamp that passes.
struct SteadinessTests {
  static let rate = FrameRate(parsing: "24")!

  @Test(arguments: 1...5)
  func constantLightChangesNothingForTenMinutes(_ delay: Int) throws {
    for gains in [GainScale.fine, .thirds] {
      for seed in 1...3 {
        // Some start where the scene is grey, some beside it, so that the light lies anywhere between two gains.
        var loop = try ClosedLoop(
          seed: UInt64(seed * 31 + delay), rate: Self.rate, gains: gains, delay: delay, gain: 2 + Double(seed) * 0.61)
        loop.run(seconds: 2)
        let start = loop.decisions.count
        loop.run(frames: 14_400)
        let changes = loop.decisions[start...].count { $0.isChange }
        #expect(changes == 0, "\(gains.halfStep) \(seed): \(changes)")
        #expect(loop.decisions[start...].allSatisfy { $0.state == .settled })
        #expect(abs(loop.readings[start].level.ev) <= 0.1 + gains.halfStep)
      }
    }
  }

  @Test(arguments: ["60", "120"])
  func constantLightChangesNothingAtHighRates(_ rate: String) throws {
    for gains in [GainScale.fine, .thirds] {
      var loop = try ClosedLoop(seed: 5, rate: FrameRate(parsing: rate)!, gains: gains, delay: 3, gain: 3.1)
      loop.run(seconds: 2)
      let start = loop.decisions.count
      loop.run(seconds: 300)
      #expect(loop.decisions[start...].count { $0.isChange } == 0)
    }
  }

  /// Half a stop in ten seconds up to one in four; without noise it would be a staircase of the dead band.
  @Test(arguments: [0.05, 0.1, 0.25], [1.0, -1])
  func rampIsFollowedWithoutVisibleSteps(_ speed: Double, _ sign: Double) throws {
    for rate in ["24", "23.976", "60", "120"] {
      for delay in rate.hasPrefix("2") ? [1, 2, 3, 4, 5] : [1, 5] {
        for noise in [0, 0.02] {
          var loop = try ClosedLoop(
            seed: UInt64(delay), rate: FrameRate(parsing: rate)!, gains: .fine, delay: delay, gain: sign > 0 ? 6 : 1)
          loop.scene.noise = noise
          loop.run(seconds: 1)
          let start = loop.readings.count, before = loop.seconds
          loop.scene.light = { sign * max(0, min(($0 - before) * speed, 5)) }
          loop.run(seconds: min(5 / speed, 15))
          let worst = loop.readings[start...].map { abs($0.level.ev) }.max()!
          #expect(worst <= 0.25, "\(rate) \(delay) \(noise): \(worst)")
          let steps = zip(loop.exposures[start...], loop.exposures[(start + 1)...]).map { abs($0 - $1) }
          #expect(steps.max()! <= 0.05, "\(rate) \(delay) \(noise): \(steps.max()!)")
          #expect(abs(loop.exposures.last! - loop.exposures[start] + sign * min(5, 15 * speed)) < 0.3)
        }
      }
    }
  }

  /// Third stops leave half a step; what comes on top is the hysteresis and the delay.
  @Test(arguments: 1...5)
  func rampIsFollowedInThirdStops(_ delay: Int) throws {
    for speed in [0.05, -0.05, 0.25, -0.25] {
      var loop = try ClosedLoop(
        seed: UInt64(delay), rate: Self.rate, gains: .thirds, delay: delay, gain: speed > 0 ? 6 : 1)
      loop.run(seconds: 1)
      let start = loop.readings.count, before = loop.seconds
      loop.scene.light = { max(0, $0 - before) * speed }
      loop.run(seconds: abs(speed) < 0.1 ? 60 : 18)
      let worst = loop.readings[start...].map { abs($0.level.ev) }.max()!
      #expect(worst <= (abs(speed) < 0.1 ? 0.25 : 0.25 + 1.0 / 6), "\(speed): \(worst)")
      // One way only: a step back would be seen.
      let gains = loop.decisions[start...].map(\.setting.gainStops)
      #expect(zip(gains, gains.dropFirst()).allSatisfy { speed > 0 ? $0 >= $1 : $0 <= $1 })
    }
  }

  /// A lamp on 5 % of the parts, which count 9/7 as much as others, as in the centre of the picture.
  @Test(arguments: 1...5)
  func passingLampMovesExposureByLessThanAFifth(_ delay: Int) throws {
    for gains in [GainScale.fine, .thirds] {
      for deviation in [0.0, 0.8, 1.2, 1.6] {
        for seed in 1...3 {
          var loop = try ClosedLoop(
            seed: UInt64(seed), deviation: deviation, rate: Self.rate, gains: gains, delay: delay, gain: 3.5)
          loop.run(seconds: 2)
          let start = loop.exposures.count, before = loop.seconds
          // 6 of 96 parts: 6.25 %, as 4.9 % are in the centre. It takes two seconds from one end to the other.
          loop.scene.moving = { seconds, part in
            let first = Int((seconds - before) * 45)
            return (first..<first + 6).contains(part) ? 6 : nil
          }
          loop.run(seconds: 4)
          let moved = loop.exposures[start...].max()! - loop.exposures[start...].min()!
          #expect(moved < 0.2, "\(gains.halfStep) \(deviation) \(seed): \(moved)")
        }
      }
    }
  }
}
