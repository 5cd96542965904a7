import Frames
import Recorder
import TestKit
import Testing

struct TimelineTests {
  static let second = 1e9

  static func rate(_ text: String) -> FrameRate { FrameRate(parsing: text).unsafelyUnwrapped }

  static func timeline(_ text: String) -> Timeline {
    let scale = rate(text).rational.numerator
    return Timeline(rate: rate(text), timeBase: Rational(1, scale < 1000 ? scale * 1000 : scale))
  }

  static func time(_ nanoseconds: Double) -> MonotonicTime {
    MonotonicTime(nanoseconds: 5_000_000_000 + Int64(nanoseconds))
  }

  @Test(arguments: ["24", "23.976", "29.97", "60"])
  func framesStandOnExactMultiplesWhileTheCameraJitters(text: String) {
    var timeline = Self.timeline(text), random = SplitMix(seed: 7)
    let interval = Self.rate(text).frameDuration.doubleValue * 1e9
    for n in 0..<2000 {
      let jitter = (random.unit() - 0.5) * 0.004e9
      let place = timeline.place(
        sequence: UInt64(n), captureTime: Self.time(Double(n) * interval * (1 + 90e-6) + jitter))
      #expect(place == Timeline.Place(index: Int64(n), ticks: Int64(n) * timeline.ticksPerFrame, missing: 0))
    }
    #expect(!timeline.isVariable)
    let measured = timeline.measuredPartsPerMillion
    #expect(measured.map { abs($0 + 90) < 40 } == true)
  }

  @Test func aSequenceJumpIsMissingFrames() {
    var timeline = Self.timeline("25")
    _ = timeline.place(sequence: 10, captureTime: Self.time(0))
    _ = timeline.place(sequence: 11, captureTime: Self.time(0.04e9))
    let place = timeline.place(sequence: 15, captureTime: Self.time(0.2e9))
    #expect(place == Timeline.Place(index: 5, ticks: 5000, missing: 3))
  }

  @Test func framesThatTheCameraSkipsWithoutCountingBecomeAGap() {
    var timeline = Self.timeline("30"), missing = 0, lastIndex: Int64 = 0
    for n in 0..<200 {
      let skipped = n >= 100 ? 2 : 0
      let place = timeline.place(sequence: UInt64(n), captureTime: Self.time(Double(n + skipped) / 30 * 1e9))
      missing += place.missing
      lastIndex = place.index
      #expect(n < 102 || place.index == Int64(n + skipped))
    }
    #expect(missing == 2 && lastIndex == 201 && !timeline.isVariable)
  }

  @Test func oneLateFrameIsNoGap() {
    var timeline = Self.timeline("30"), missing = 0
    for n in 0..<100 {
      let late = n == 50 || n == 51 ? 0.04e9 : 0
      missing += timeline.place(sequence: UInt64(n), captureTime: Self.time(Double(n) / 30 * 1e9 + late)).missing
    }
    #expect(missing == 0)
  }

  @Test func aCameraAtHalfItsRateGetsMeasuredTimes() {
    var timeline = Self.timeline("30")
    for n in 0..<60 {
      let place = timeline.place(sequence: UInt64(n), captureTime: Self.time(Double(n) / 15 * 1e9))
      if n >= 8 { #expect(place.ticks == Int64(n) * 2000) }
      #expect(place.missing == 0)
    }
    #expect(timeline.isVariable)
  }

  @Test func aCameraThatSlowsDownLaterKeepsItsPicturesAtTheirTimes() {
    var timeline = Self.timeline("30")
    for n in 0..<20_000 {
      let frames = n < 19_900 ? n : 19_900 + (n - 19_900) * 2
      let place = timeline.place(sequence: UInt64(n), captureTime: Self.time(Double(frames) / 30 * 1e9))
      #expect(place.missing == 0)
      if n >= 19_910 { #expect(abs(place.ticks - Int64(frames) * 1000) <= 1) }
    }
    #expect(timeline.isVariable)
  }

  /// 30 fps that are 25 under 50 Hz light, 24 that are 22: no frame is missing, the rate is another.
  @Test(arguments: [(30.0, 25.0, 0.0), (30, 25, 0.2), (24, 22, 0), (24, 20, 0.3)])
  func aCameraSomewhatSlowerThanItsRateHasNoGaps(nominal: Double, real: Double, jitter: Double) {
    var timeline = Self.timeline(String(Int(nominal))), random = SplitMix(seed: 5), missing = 0
    for n in 0..<300 {
      let late = jitter * (random.unit() - 0.5) / nominal * 1e9
      missing += timeline.place(sequence: UInt64(n), captureTime: Self.time(Double(n) / real * 1e9 + late)).missing
    }
    #expect(timeline.isVariable && missing == 0)
  }

  @Test func aStepOfThePhaseIsNoOtherRate() {
    var timeline = Self.timeline("24"), missing = 0
    for n in 0..<2000 {
      let step = n > 150 ? 0.4 / 24 * 1e9 : 0
      missing += timeline.place(sequence: UInt64(n), captureTime: Self.time(Double(n) / 24 * 1e9 + step)).missing
    }
    #expect(!timeline.isVariable && missing == 0)
  }

  @Test(arguments: [900.0, -900]) func constantRateHoldsWithin1000PartsPerMillion(ppm: Double) {
    var timeline = Self.timeline("24"), random = SplitMix(seed: 3)
    for n in 0..<5000 {
      let jitter = (random.unit() - 0.5) * 0.001e9
      _ = timeline.place(sequence: UInt64(n), captureTime: Self.time(Double(n) / 24 * 1e9 * (1 + ppm * 1e-6) + jitter))
    }
    #expect(!timeline.isVariable)
  }

  @Test(arguments: [1200.0, -1200]) func beyondThatTimesAreMeasured(ppm: Double) {
    var timeline = Self.timeline("24"), random = SplitMix(seed: 3)
    var lastTicks: Int64 = -1
    for n in 0..<5000 {
      let jitter = (random.unit() - 0.5) * 0.001e9
      let place = timeline.place(
        sequence: UInt64(n), captureTime: Self.time(Double(n) / 24 * 1e9 * (1 + ppm * 1e-6) + jitter))
      #expect(place.ticks > lastTicks)
      lastTicks = place.ticks
    }
    #expect(timeline.isVariable)
  }

  /// Before it is known, too, that the rate is another: no picture stands half a frame off the instant that it shows.
  @Test(arguments: [1500.0, -1500, 5000, -5000, 20_000, -20_000], [0, 0.001e9])
  func picturesAreNeverHalfAFrameOff(ppm: Double, jitter: Double) {
    var timeline = Self.timeline("24"), random = SplitMix(seed: 9), worst = 0.0
    for n in 0..<2000 {
      let instant = Double(n) / 24 / (1 + ppm * 1e-6)
      let noise = n == 0 ? 0 : (random.unit() - 0.5) * jitter
      let place = timeline.place(sequence: UInt64(n), captureTime: Self.time(instant * 1e9 + noise))
      worst = max(worst, abs(Double(place.ticks) / 24_000 - instant))
      #expect(place.missing == 0)
    }
    #expect(timeline.isVariable && worst < 0.5 / 24, "\(worst)")
  }

  /// Days in fine units: only the result has to fit.
  @Test func measuredTimesGoOnForDays() {
    let days = 30.0
    var timeline = Self.timeline("239.999999")
    for n in 0..<60 { _ = timeline.place(sequence: UInt64(n), captureTime: Self.time(Double(n) / 120 * 1e9)) }
    #expect(timeline.isVariable)
    let place = timeline.place(sequence: 60, captureTime: Self.time(days * 86_400e9))
    #expect(place.ticks == Int64(days) * 86_400 * 239_999_999)
  }

  @Test func aDriverThatStartsItsCountAgainIsCountedByTheClock() {
    var timeline = Self.timeline("25")
    for n in 0..<20 { _ = timeline.place(sequence: UInt64(n), captureTime: Self.time(Double(n) * 0.04e9)) }
    let place = timeline.place(sequence: 0, captureTime: Self.time(20 * 0.04e9))
    #expect(place == Timeline.Place(index: 20, ticks: 20_000, missing: 0))
    let jump = timeline.place(sequence: 4_000_000_000, captureTime: Self.time(21 * 0.04e9))
    #expect(jump == Timeline.Place(index: 21, ticks: 21_000, missing: 0))
  }
}
