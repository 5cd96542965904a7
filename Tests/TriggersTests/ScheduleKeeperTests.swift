import Frames
import Testing
import Triggers

struct ScheduleKeeperTests {
  /// From 8 to 18 each day, in UTC; times in hours.
  private final class Day {
    var keeper: ScheduleKeeper
    var uptime: Int64 = 0

    init() throws { keeper = ScheduleKeeper(RecordingSchedule([try ScheduleWindow(parsing: "08:00-18:00")])) }

    func look(
      _ hour: Double, _ recorder: ScheduleKeeper.Recorder, after seconds: Int64 = ScheduleKeeper.retrySeconds
    ) -> ScheduleKeeper.Decision? {
      uptime += seconds
      return keeper.look(at: Int64(hour * 3600), uptime: uptime, recorder) { _ in 0 }
    }
  }

  private static let idle = ScheduleKeeper.Recorder.idle(hasFailed: false)
  private static let failed = ScheduleKeeper.Recorder.idle(hasFailed: true)

  @Test func aWindow_beginsAndEndsAFilm() throws {
    let day = try Day()
    #expect(day.look(7, Self.idle) == nil)
    #expect(day.look(8, Self.idle) == .start)
    #expect(day.look(8.01, .starting) == nil && day.look(8.02, .records) == nil)
    #expect(day.look(18, .records) == .stop)
    #expect(day.look(18.1, .stopping) == nil && day.look(18.2, Self.idle) == nil)
    #expect(day.look(32, Self.idle) == .start)
  }

  @Test func whoStartsInAWindow_recordsAtOnce() throws {
    let day = try Day()
    #expect(day.look(12, Self.idle) == .start)
  }

  @Test func aFilmThatSomebodyStops_isNotBegunAnew_untilTheNextWindow() throws {
    let day = try Day()
    #expect(day.look(8, Self.idle) == .start && day.look(9, .records) == nil)
    #expect(day.look(10, Self.idle) == nil && day.look(17.9, Self.idle) == nil && day.look(18, Self.idle) == nil)
    #expect(day.look(32, Self.idle) == .start)
  }

  @Test func aFilmThatFails_isBegunAnew() throws {
    let day = try Day()
    #expect(day.look(8, Self.idle) == .start && day.look(9, .records) == nil)
    #expect(day.look(10, Self.failed) == .start)
    #expect(day.look(10.001, Self.failed, after: 1) == nil, "not at once again")
    #expect(day.look(10.1, Self.failed) == .start)
  }

  @Test func aStartThatIsRefused_isTriedAgain() throws {
    let day = try Day()
    #expect(day.look(8, Self.idle) == .start && day.look(8.1, Self.idle) == .start)
  }

  @Test func aFilmThatSomebodyBegins_endsWithTheNextWindow() throws {
    let day = try Day()
    #expect(day.look(6, .records) == nil && day.look(9, .records) == nil && day.look(18, .records) == .stop)
    #expect(day.look(20, .records) == nil, "outside of all it goes on")
  }

  @Test func aFilmBegunAgainByHand_endsWithItsWindow() throws {
    let day = try Day()
    #expect(day.look(8, Self.idle) == .start && day.look(9, .records) == nil && day.look(10, Self.idle) == nil)
    #expect(day.look(11, .records) == nil && day.look(18, .records) == .stop)
  }

  @Test func aFilmThatIsStartingWhenTheWindowEnds_isStoppedOnceItRecords() throws {
    let day = try Day()
    #expect(day.look(17, .records) == nil && day.look(18, .starting) == nil)
    #expect(day.look(18.001, .records) == .stop)
    #expect(day.look(18.01, .stopping) == nil && day.look(19, .records) == nil, "outside of all it goes on")
  }

  @Test func aFilmBegunBehindOneThatIsStoppingWhenTheWindowEnds_goesOn() throws {
    let day = try Day()
    #expect(day.look(17, .records) == nil && day.look(18, .stopping) == nil && day.look(18.001, .records) == nil)
    #expect(day.look(19, .records) == nil)
  }

  @Test func aClockThatJumps() throws {
    let day = try Day()
    #expect(day.look(7.9, Self.idle) == nil && day.look(12, Self.idle) == .start && day.look(12.1, .records) == nil)
    #expect(day.look(7, .records) == .stop, "back in front of the window")
    #expect(day.look(7.1, Self.idle) == nil && day.look(8, Self.idle) == .start && day.look(8.1, .records) == nil)
    #expect(day.look(9, Self.idle) == nil, "stopped by hand")
    #expect(day.look(8.5, Self.idle) == nil, "back within the window changes nothing")
    #expect(day.look(31, Self.idle) == nil && day.look(33, Self.idle) == .start)
  }
}
