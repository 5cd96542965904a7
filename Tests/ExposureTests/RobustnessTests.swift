import Exposure
import Foundation
import Frames
import Testing

/// The ends of the range, cameras that are not what they were taken for, and flashes.
struct RobustnessTests {
  static let rate = FrameRate(parsing: "24")!

  @Test(arguments: [2.0, -2])
  func endOfTheRangeIsKeptAndWhatIsMissingIsSaid(_ beyond: Double) throws {
    for gains in [GainScale.fine, .thirds] {
      for delay in 1...5 {
        var loop = try ClosedLoop(
          seed: 3, deviation: 0.8, rate: Self.rate, gains: gains, delay: delay, gain: beyond > 0 ? 6 : 1)
        loop.run(seconds: 1)
        let before = loop.seconds
        // A stop is left in the range.
        loop.scene.light = { $0 >= before && $0 < before + 10 ? -beyond - beyond.sign.value : 0 }
        loop.run(seconds: 2)
        let start = loop.decisions.count
        loop.run(seconds: 7)
        let end = beyond > 0 ? Stops(7) : .zero
        let stays = loop.decisions[start...].allSatisfy { $0.setting.gainStops == end && !$0.isChange }
        #expect(stays && loop.decisions[start...].allSatisfy { $0.state == .limited })
        let missing = loop.decisions[start...].map(\.missing.ev)
        // Of a picture that is two stops too bright, the clipped part cannot say how much it is short of.
        let least = beyond > 0 ? 1.9 : 1.4
        let isTold = missing.allSatisfy { (least...2.1).contains($0 * beyond.sign.value) }
        #expect(isTold, "\(missing.min()!) \(missing.max()!)")
        loop.run(seconds: 1)
        let back = loop.readings.count
        loop.run(seconds: 2)
        #expect(loop.decisions.last!.missing == .zero && loop.decisions.last!.state == .settled)
        #expect(loop.readings[(back + 24)...].allSatisfy { abs($0.level.ev) <= 0.1 + gains.halfStep })
      }
    }
  }

  /// Also off by a frame and with gains that give a quarter more or less than they say, it comes to rest.
  @Test(arguments: [-1, 1], [0.75, 1, 1.25])
  func wrongDelayAndWrongGainsDoNotMakeItSwing(_ wrong: Int, _ slope: Double) throws {
    for gains in [GainScale.fine, .thirds] {
      for delay in 1...5 where delay + wrong >= 1 {
        for step in [1.5, -1.5] {
          var loop = try ClosedLoop(
            seed: 7, rate: Self.rate, gains: gains, delay: delay, gain: 3.5, realDelay: delay + wrong)
          loop.scene.gainSlope = slope
          loop.run(seconds: 4)
          let before = loop.seconds
          loop.scene.light = { $0 >= before ? step : 0 }
          loop.run(seconds: 4)
          let start = loop.decisions.count
          loop.run(seconds: 20)
          #expect(loop.decisions[start...].count { $0.isChange } <= 1, "\(delay) \(step) \(gains.halfStep)")
          #expect(loop.readings[(start + 24)...].allSatisfy { abs($0.level.ev) <= 0.12 + gains.halfStep })
        }
      }
    }
  }

  @Test(arguments: 1...5)
  func flashOfOneFrameLeavesNoTrace(_ delay: Int) throws {
    for flash in [2.0, 8, -4] {
      var loop = try ClosedLoop(seed: 2, rate: Self.rate, gains: .fine, delay: delay, gain: 3.5)
      loop.run(seconds: 2)
      let start = loop.exposures.count, at = loop.seconds
      loop.scene.light = { $0 >= at && $0 < at + 0.03 ? flash : 0 }
      loop.run(seconds: 2)
      #expect(loop.exposures[start...].allSatisfy { $0 == loop.exposures[start] }, "\(flash)")
    }
  }

  @Test func lostFramesAreCountedByTheirNumbers() throws {
    let configuration = try ClosedLoop.configuration(rate: Self.rate, gains: .fine, delay: 2)
    var controller = ExposureController(configuration, current: ExposureSetting(exposureTime: 0.0208, gain: 3))
    for frame in [0, 1, 2] { controller.next(.init(frame: frame, reading: MeterReading(level: .zero))) }
    controller.next(.init(frame: 3, reading: MeterReading(level: Stops(-1))))
    let moved = controller.next(.init(frame: 4, reading: MeterReading(level: Stops(-1))))
    #expect(moved.isChange && moved.frame == 6)
    // Frame 5 was lost; frame 6 shows the change, so that a reading that is brighter by as much says the same light.
    let gained = moved.setting.gain - 3
    let next = controller.next(.init(frame: 6, reading: MeterReading(level: Stops(-1 + gained))))
    #expect(abs(next.setting.gain + next.deviation.ev - 4) < 0.01)
  }

  @Test func whatTheFrameWasTakenWithCountsWhereItIsSaid() throws {
    let configuration = try ClosedLoop.configuration(rate: Self.rate, gains: .fine, delay: 1)
    var controller = ExposureController(configuration, current: ExposureSetting(exposureTime: 0.0208, gain: 3))
    let shown = ExposureSetting(exposureTime: 0.0104, gain: 3)
    // One stop darker, because the exposure was a stop shorter than the account says: the light is grey's.
    let decision = controller.next(.init(frame: 0, reading: MeterReading(level: Stops(-1)), shown: shown))
    #expect(decision.deviation.magnitude <= Stops(units: 2) && decision.setting.gainStops == Stops(3))
  }

  @Test func settingThatTheDeviceChangedIsReckonedWith() throws {
    let configuration = try ClosedLoop.configuration(rate: Self.rate, gains: .fine, delay: 2)
    var controller = ExposureController(configuration, current: ExposureSetting(exposureTime: 0.0208, gain: 3))
    for frame in 0..<2 { controller.next(.init(frame: frame, reading: MeterReading(level: Stops(-1)))) }
    let asked = controller.decision
    let given = ExposureSetting(nanoseconds: asked.setting.nanoseconds, gainStops: asked.setting.gainStops - Stops(0.5))
    let after = controller.receive(.applied(given))
    #expect(after.setting == given && !after.isChange && after.frame == asked.frame)
    #expect(after.deviation == asked.deviation + Stops(0.5))
  }
}

extension FloatingPointSign {
  /// 1 or −1.
  var value: Double { self == .plus ? 1 : -1 }
}
