import Frames
import Recorder
import Telemetry
import Testing

/// Losses are said at once, with what helps, and then not too often.
@Suite struct LossAlarmTests {
  private static func at(_ seconds: Double) -> MonotonicTime { MonotonicTime(nanoseconds: Int64(seconds * 1e9)) }

  @Test func first_isSaidAtOnce_withItsReasonAndRemedy() {
    for reason in LossReason.allCases {
      var alarm = LossAlarm()
      let sentence = alarm.hear(SessionLoss(reason, count: 1, frames: 48...48), at: LossAlarmTests.at(0))
      #expect(sentence?.hasPrefix("a frame is lost (frame 48): ") == true && sentence?.contains("; ") == true)
    }
    var alarm = LossAlarm()
    #expect(
      alarm.hear(SessionLoss(.overload, count: 3), at: LossAlarmTests.at(0))
        == "3 frames are lost: bake or encoder are too slow; try a faster --preset or --codec; 'camrec bench' measures what "
        + "this machine can do")
    #expect(
      alarm.hear(SessionLoss(.disk, count: 2, frames: 5...6), at: LossAlarmTests.at(0))
        == "2 frames are lost (from frame 5 on): the disk is too slow; record to a faster disk, or with a lower bitrate",
      "each reason by itself")
    #expect(alarm.hear(SessionLoss(.deviceGap, count: 0), at: LossAlarmTests.at(0)) == nil, "nothing was lost")
  }

  @Test func more_areSummedUp() {
    var alarm = LossAlarm(seconds: 30)
    _ = alarm.hear(SessionLoss(.overload, count: 1), at: LossAlarmTests.at(0))
    for second in 1..<30 {
      #expect(alarm.hear(SessionLoss(.overload, count: 2), at: LossAlarmTests.at(Double(second))) == nil)
    }
    #expect(
      alarm.hear(SessionLoss(.overload, count: 2), at: LossAlarmTests.at(30))
        == "60 more frames are lost in 30 s, 61 in all: bake or encoder are too slow")
    #expect(alarm.hear(SessionLoss(.overload, count: .max), at: LossAlarmTests.at(31)) == nil)
    #expect(
      alarm.hear(SessionLoss(.overload, count: .max), at: LossAlarmTests.at(60))?.contains("\(Int64.max) in all") == true)
  }

  /// A status line has the count.
  @Test func beneathAStatusLine_onlyTheFirstIsSaid() {
    var alarm = LossAlarm(repeats: false)
    #expect(alarm.hear(SessionLoss(.disk, count: 1), at: LossAlarmTests.at(0)) != nil)
    #expect(alarm.hear(SessionLoss(.disk, count: 1), at: LossAlarmTests.at(1000)) == nil)
  }
}
