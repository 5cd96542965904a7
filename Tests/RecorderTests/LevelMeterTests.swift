import Frames
import Recorder
import Testing

/// A peak programme meter: quick up, slow down, and it remembers the highest.
@Suite struct LevelMeterTests {
  private var meter = LevelMeter()

  private static func at(_ seconds: Double) -> MonotonicTime { MonotonicTime(nanoseconds: Int64(seconds * 1e9)) }

  @Test mutating func fallsBy20Decibels_in1700ms() {
    meter.hear(0.5, at: LevelMeterTests.at(10))
    #expect(meter.peak == 0.5)
    meter.hear(0, at: LevelMeterTests.at(11.7))
    #expect(abs(meter.peak - 0.05) < 1e-9)
    meter.hear(0.3, at: LevelMeterTests.at(11.7))
    #expect(meter.peak == 0.3)
  }

  @Test mutating func highest_standsForTwoSeconds() {
    meter.hear(0.8, at: LevelMeterTests.at(10))
    for tenth in 1..<20 {
      meter.hear(0.1, at: LevelMeterTests.at(10 + Double(tenth) / 10))
      #expect(meter.held == 0.8)
    }
    meter.hear(0.1, at: LevelMeterTests.at(12))
    #expect(meter.held < 0.8 && meter.held >= 0.1)
  }

  @Test(arguments: [
    (32766.0 / 32768, false), (32767.0 / 32768, true), (1, true), (7, true), (.infinity, true), (.nan, false),
  ])
  mutating func fullScale_isClipped(_ block: Double, _ isClipped: Bool) {
    meter.hear(block, at: LevelMeterTests.at(1))
    #expect((meter.clippedAt != nil) == isClipped && (0...1).contains(meter.peak))
  }
}
