import Frames
import Terminal
import Testing

/// How fast long work goes, on a clock of the test's own.
struct WorkPaceTests {
  private func time(_ seconds: Double) -> MonotonicTime { MonotonicTime(nanoseconds: Int64(seconds * 1e9)) }

  @Test func whatIsDoneSaysWhatIsLeft() throws {
    var pace = WorkPace(total: 2400, at: time(0))
    #expect(pace.percent == 0 && pace.perSecond(at: time(1)) == nil && pace.secondsLeft(at: time(1)) == nil)
    pace.reach(480, at: time(5))
    #expect(pace.percent == 20 && pace.perSecond(at: time(5)) == 96 && pace.secondsLeft(at: time(5)) == 20)
    #expect(!pace.isFinishing)
    // A stop is told as one.
    #expect(try #require(pace.perSecond(at: time(10))) == 48)
    pace.reach(2400, at: time(25))
    #expect(pace.isFinishing && pace.percent == 100 && pace.secondsLeft(at: time(25)) == 0)
  }

  /// What was slow a minute ago says nothing any more.
  @Test func theLastHalfMinuteCounts() throws {
    var pace = WorkPace(total: 100_000, at: time(0))
    for second in 1...60 { pace.reach(second, at: time(Double(second))) }
    for second in 61...120 { pace.reach(60 + (second - 60) * 100, at: time(Double(second))) }
    let rate = try #require(pace.perSecond(at: time(120)))
    #expect(abs(rate - 100) < 0.01)
  }

  /// Clips of minutes: the last few of them count, however long ago that is.
  @Test func largePiecesCountLonger() throws {
    var pace = WorkPace(total: 10, at: time(0))
    for clip in 1...5 { pace.reach(clip, at: time(Double(clip) * 300)) }
    #expect(try #require(pace.secondsLeft(at: time(1500))) == 1500)
  }

  /// How much there is may be known late, and change.
  @Test func aTotalMayComeLater() throws {
    var pace = WorkPace(total: nil, at: time(0))
    pace.reach(100, at: time(10))
    #expect(pace.secondsLeft(at: time(10)) == nil)
    pace.expect(1000)
    #expect(try #require(pace.secondsLeft(at: time(10))) == 90 && pace.percent == 10)
  }

  /// A header may lie.
  @Test func aTotalThatIsPassedIsNone() {
    var pace = WorkPace(total: 10, at: time(0))
    pace.reach(11, at: time(1))
    #expect(pace.percent == nil && pace.secondsLeft(at: time(1)) == nil && !pace.isFinishing)
    pace.reach(5, at: time(2))
    #expect(pace.done == 11)
    #expect(WorkPace(total: 0, at: time(0)).total == nil && WorkPace(total: nil, at: time(0)).percent == nil)
  }
}
