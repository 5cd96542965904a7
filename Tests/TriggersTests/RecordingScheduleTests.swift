import Foundation
import Frames
import Testing
import Triggers

struct RecordingScheduleTests {
  /// Moments as `2026-03-29 01:30:00` in UTC.
  private static func utc(_ text: String) -> Int64 {
    let parts = text.split { "- :".contains($0) }.compactMap { Int64($0) }
    let (y, m, d) = (parts[1] <= 2 ? parts[0] - 1 : parts[0], (parts[1] + 9) % 12, parts[2])
    let era = y / 400, year = y - era * 400
    let days = era * 146_097 + year * 365 + year / 4 - year / 100 + (153 * m + 2) / 5 + d - 1 - 719_468
    return days * 86_400 + parts[3] * 3600 + parts[4] * 60 + (parts.count > 5 ? parts[5] : 0)
  }

  /// Berlin in 2026: summer time from 29 March, 01:00 UTC, to 25 October, 01:00 UTC.
  private static func berlin(_ time: Int64) -> Int64 {
    time >= utc("2026-03-29 01:00") && time < utc("2026-10-25 01:00") ? 7200 : 3600
  }

  private static func schedule(_ windows: String...) throws -> RecordingSchedule {
    RecordingSchedule(try windows.map { (text) throws(CamrecError) in try ScheduleWindow(parsing: text) })
  }

  /// Where the schedule opens and closes, minute by minute.
  private static func changes(
    _ schedule: RecordingSchedule, from: String, to: String, _ offset: RecordingSchedule.Offset
  ) -> [String] {
    var result: [String] = [], wasOpen = schedule.end(at: utc(from), offset: offset) != nil
    for time in stride(from: utc(from), to: utc(to), by: 60) {
      let isOpen = schedule.end(at: time, offset: offset) != nil
      if isOpen != wasOpen {
        let seconds = time % 86_400
        result.append((isOpen ? "+" : "-") + String(format: "%02d:%02d", seconds / 3600, seconds % 3600 / 60))
      }
      wasOpen = isOpen
    }
    return result
  }

  @Test func windowsOpenAndClose_onTheirDays() throws {
    let schedule = try Self.schedule("mon-fri 08:00-18:00", "sat 10:00-12:00:30")
    // 20 November 2026 is a Friday.
    let utc = { (_: Int64) -> Int64 in 0 }
    #expect(Self.changes(schedule, from: "2026-11-20 00:00", to: "2026-11-23 09:00", utc)
      == ["+08:00", "-18:00", "+10:00", "-12:01", "+08:00"])
    #expect(schedule.end(at: Self.utc("2026-11-21 12:00:29"), offset: utc) == Self.utc("2026-11-21 12:00:30"))
    #expect(schedule.end(at: Self.utc("2026-11-21 12:00:30"), offset: utc) == nil)
    #expect(schedule.next(after: Self.utc("2026-11-21 12:00:30"), offset: utc) == Self.utc("2026-11-23 08:00"))
  }

  @Test func localTime_isMeant() throws {
    let schedule = try Self.schedule("08:00-18:00")
    #expect(
      Self.changes(schedule, from: "2026-07-01 00:00", to: "2026-07-02 00:00", Self.berlin) == ["+06:00", "-16:00"])
    #expect(
      Self.changes(schedule, from: "2026-12-01 00:00", to: "2026-12-02 00:00", Self.berlin) == ["+07:00", "-17:00"])
  }

  @Test func overMidnight_theDayIsThatOfTheBeginning() throws {
    let schedule = try Self.schedule("sat 22:00-02:00")
    #expect(Self.changes(schedule, from: "2026-11-20 12:00", to: "2026-11-24 12:00") { _ in 0 } == ["+22:00", "-02:00"])
    #expect(schedule.end(at: Self.utc("2026-11-22 01:00")) { _ in 0 } == Self.utc("2026-11-22 02:00"))
  }

  /// 2:00 to 3:00 does not exist on 29 March.
  @Test func theHourThatIsLeftOut() throws {
    let night = ("2026-03-29 00:00", "2026-03-29 04:00")
    func changes(_ window: String) throws -> [String] {
      Self.changes(try Self.schedule(window), from: night.0, to: night.1, Self.berlin)
    }
    #expect(try changes("02:30-04:00") == ["+01:00", "-02:00"])
    #expect(try changes("01:30-02:30") == ["+00:30", "-01:00"])
    #expect(try changes("02:10-02:50").isEmpty)
    #expect(try changes("01:00-03:30") == ["-01:30"], "it is open from midnight UTC on")
  }

  /// 2:00 to 3:00 comes twice on 25 October.
  @Test func theHourThatComesTwice() throws {
    let night = ("2026-10-24 22:30", "2026-10-25 04:00")
    func changes(_ window: String) throws -> [String] {
      Self.changes(try Self.schedule(window), from: night.0, to: night.1, Self.berlin)
    }
    #expect(try changes("02:30-04:00") == ["+00:30", "-03:00"])
    #expect(try changes("01:30-02:30") == ["+23:30", "-01:30"], "both times, without a stop in between")
    #expect(try changes("02:10-02:50") == ["+00:10", "-01:50"])
  }

  @Test func wholeDays_followOneAnother() throws {
    let schedule = try Self.schedule("00:00-24:00")
    #expect(Self.changes(schedule, from: "2026-03-27 12:00", to: "2026-03-31 12:00", Self.berlin).isEmpty)
    #expect(Self.changes(schedule, from: "2026-10-23 12:00", to: "2026-10-27 12:00", Self.berlin).isEmpty)
    let week = try Self.schedule("fri-mon 00:00-24:00")
    #expect(Self.changes(week, from: "2026-11-18 12:00", to: "2026-11-25 12:00") { _ in 0 } == ["+00:00", "-00:00"])
  }

  @Test(arguments: [
    ("", "write days and times, as in 08:00-18:00, mon-fri 08:00-18:00 or sat,sun 22:00-02:00"),
    (
      "08:00",
      "write days and times, as in 08:00-18:00, mon-fri 08:00-18:00 or sat,sun 22:00-02:00, not '08:00'"
    ),
    ("8:00-18:00", "'8:00' is not a time of day; write HH:MM or HH:MM:SS, 00:00 to 24:00"),
    ("08:00-25:00", "'25:00' is not a time of day; write HH:MM or HH:MM:SS, 00:00 to 24:00"),
    ("08:00-08:00", "'08:00-08:00' ends when it begins; write 00:00-24:00 for a whole day"),
    ("24:00-08:00", "a window must begin by 23:59:59"),
    ("mo 08:00-18:00", "'mo' is not a day; write mon, tue, wed, thu, fri, sat or sun, as in mon-fri or sat,sun"),
    (
      "mon-tue-wed 08:00-18:00",
      "'mon-tue-wed' is not a day; write mon, tue, wed, thu, fri, sat or sun, as in mon-fri or sat,sun"
    ),
  ])
  func whatIsWrong_isSaid(text: String, sentence: String) {
    let error = #expect(throws: CamrecError.self) { try ScheduleWindow(parsing: text) }
    #expect(error?.message == sentence && error?.code == .usage)
  }
}
