import Frames
import Recorder
import Testing

/// What the write thread's seconds come to.
struct LoadMeterTests {
  private func time(_ seconds: Double) -> MonotonicTime { MonotonicTime(nanoseconds: Int64(seconds * 1e9)) }

  @Test func aSecondIsRead_withWhatWasLostInIt() {
    var meter = LoadMeter()
    #expect(meter.read(lost: 7, isFull: false, frameSeconds: 0.03125, at: time(10)) == nil)
    for frame in 0..<24 {
      meter.add(busy: 15_625_000)
      #expect(!meter.isDue(at: time(10 + Double(frame) * 0.04)))
    }
    #expect(
      meter.read(lost: 9, isFull: true, frameSeconds: 0.03125, at: time(11))
        == LoadReading(lost: 2, isFull: true, speed: 2))
    #expect(
      meter.read(lost: 9, isFull: false, frameSeconds: 0.03125, at: time(12))
        == LoadReading(lost: 0, isFull: false, speed: nil))
  }

  /// A frame that takes the encoder many seconds is no pause.
  @Test func anEncoderThatTakesSeconds_isRead() {
    var meter = LoadMeter()
    _ = meter.read(lost: 0, isFull: true, frameSeconds: 0.05, at: time(0))
    meter.add(busy: 10_000_000_000)
    #expect(meter.read(lost: 0, isFull: true, frameSeconds: 0.05, at: time(10.1))?.speed == 0.005)
  }

  @Test func behindAPause_countingBeginsAnew() {
    var meter = LoadMeter()
    _ = meter.read(lost: 0, isFull: false, frameSeconds: 0.04, at: time(0))
    meter.add(busy: 1_000_000)
    // The disk took nothing for so long.
    meter.add(busy: nil)
    #expect(meter.read(lost: 50, isFull: true, frameSeconds: 0.04, at: time(5)) == nil)
    meter.add(busy: 10_000_000)
    #expect(
      meter.read(lost: 51, isFull: false, frameSeconds: 0.04, at: time(6))
        == LoadReading(lost: 1, isFull: false, speed: 4))
  }
}
