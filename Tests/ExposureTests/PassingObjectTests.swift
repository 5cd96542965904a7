import Exposure
import Foundation
import Frames
import Testing

/// Something bright on less than 5 % of the picture, and light that changes by as little as it does, where gain comes
/// in steps: wherever the light lies between two of them.
struct PassingObjectTests {
  static let rate = FrameRate(parsing: "24")!
  /// Of the light from the middle of a step, in eighths of a third: from one edge of the step to the other.
  static let offsets = (-4...4).map { Double($0) / 24 }

  private static func loop(
    _ gains: GainScale, seed: Int, deviation: Double = 1.2, delay: Int, offset: Double, around gain: Double = 11.0 / 3
  ) throws -> ClosedLoop {
    var loop = try ClosedLoop(
      seed: UInt64(seed), deviation: deviation, rate: rate, gains: gains, delay: delay, gain: gain + offset)
    loop.run(seconds: 2)
    return loop
  }

  /// 6 of 96 parts: 6.25 %, as 4.9 % are in the centre. In half a second, two and four from one end to the other.
  @Test(arguments: 1...5)
  func aLampThatPassesMovesExposureByLessThanAFifth(_ delay: Int) throws {
    for gains in [GainScale.thirds, .fine, .steps(perEV: 2, to: Stops(7))] {
      for (index, offset) in Self.offsets.enumerated() {
        for (deviation, seconds) in [(0.0, 2.0), (0.8, 4), (1.2, 2), (1.6, 0.5)] {
          var loop = try Self.loop(
            gains, seed: index * 7 + delay, deviation: deviation, delay: delay, offset: offset)
          let start = loop.exposures.count, before = loop.seconds
          loop.scene.moving = { now, part in
            let first = Int((now - before) * 90 / seconds)
            return (first..<first + 6).contains(part) ? 6 : nil
          }
          loop.run(seconds: seconds + 2)
          let moved = loop.exposures[start...].max()! - loop.exposures[start...].min()!
          #expect(moved < 0.2, "\(gains.halfStep) \(offset) \(deviation) \(seconds) s: \(moved)")
        }
      }
    }
  }

  /// It is light, since the whole picture shows it: one step, that leaves it within half of one.
  @Test(arguments: 1...5)
  func aSmallChangeThatLastsIsMetOnce(_ delay: Int) throws {
    for sign in [1.0, -1] {
      for offset in Self.offsets {
        var loop = try Self.loop(.thirds, seed: 3 + delay, delay: delay, offset: offset)
        let start = loop.decisions.count, before = loop.seconds
        loop.scene.light = { $0 >= before ? sign * 0.19 : 0 }
        loop.run(seconds: 12)
        let last = loop.readings.count - 24
        #expect(loop.decisions[start...].count { $0.isChange } <= 1, "\(sign) \(offset)")
        #expect(loop.readings[last...].allSatisfy { abs($0.level.ev) <= 0.1 + 1.0 / 6 }, "\(sign) \(offset)")
      }
    }
  }

  /// What no passing lamp makes is followed at once, from wherever it begins.
  @Test(arguments: 1...5)
  func aChangeThatIsLightIsMetWithinASecond(_ delay: Int) throws {
    for step in [1.0, -1, 3, -3] {
      for offset in Self.offsets {
        var loop = try Self.loop(.thirds, seed: 5 + delay, delay: delay, offset: offset)
        let start = loop.readings.count, before = loop.seconds
        loop.scene.light = { $0 >= before ? step : 0 }
        loop.run(seconds: 3)
        #expect(loop.settleTime(from: start, within: 0.1 + 1.0 / 6) <= 24, "\(step) \(offset)")
        #expect(loop.overshoot(from: start, sign: step > 0 ? 1 : -1) <= 0.15 + 1.0 / 6, "\(step) \(offset)")
      }
    }
  }

  /// A stop in fifty seconds and one in ten.
  @Test(arguments: 1...5)
  func aSlowRampIsFollowedFromWhereverItBegins(_ delay: Int) throws {
    for speed in [0.02, 0.1] {
      for sign in [1.0, -1] {
        for offset in stride(from: -1.0 / 6, through: 1.0 / 6, by: 1.0 / 12) {
          var loop = try Self.loop(
            .thirds, seed: 9 + delay, delay: delay, offset: offset, around: sign > 0 ? 17.0 / 3 : 4.0 / 3)
          let start = loop.readings.count, before = loop.seconds
          loop.scene.light = { sign * max(0, $0 - before) * speed }
          loop.run(seconds: min(1.5 / speed, 30))
          let worst = loop.readings[start...].map { abs($0.level.ev) }.max()!
          #expect(worst <= 0.25 + 1.0 / 6, "\(sign * speed) \(offset): \(worst)")
          let gains = loop.decisions[start...].map(\.setting.gainStops)
          #expect(zip(gains, gains.dropFirst()).allSatisfy { sign > 0 ? $0 >= $1 : $0 <= $1 }, "no step back")
        }
      }
    }
  }

  @Test(arguments: [1, 5])
  func constantLightChangesNothingWhereverItLies(_ delay: Int) throws {
    for offset in Self.offsets {
      var loop = try Self.loop(.thirds, seed: 40 + delay, delay: delay, offset: offset)
      let start = loop.decisions.count
      loop.run(seconds: 60)
      #expect(loop.decisions[start...].count { $0.isChange } == 0, "\(offset)")
    }
  }
}
