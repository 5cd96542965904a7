import Frames
import RecorderAPI
import Reporting
import Testing

struct AbsenceClockTests {
  @Test func anAbsenceLasts_untilTheCameraIsBack_andTheNextBeginsAnew() {
    var clock = AbsenceClock()
    func at(_ seconds: Int64) -> MonotonicTime { MonotonicTime(nanoseconds: seconds * 1_000_000_000) }
    #expect(clock.seconds(in: .recording, at: at(100)) == nil)
    #expect(clock.seconds(in: .waiting, at: at(110)) == 0 && clock.seconds(in: .waiting, at: at(115)) == 5)
    #expect(clock.seconds(in: .recording, at: at(120)) == nil)
    #expect(clock.seconds(in: .waiting, at: at(130)) == 0)
  }
}
