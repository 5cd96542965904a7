import Frames
import Recorder
import Testing

/// At which frame a recording goes on in the next file.
struct SegmentScheduleTests {
  private static let timeBase = Rational(1, 24000)

  private func schedule(_ length: SegmentLength?, mostBytes: Int64? = nil) -> SegmentSchedule {
    SegmentSchedule(length: length, mostBytes: mostBytes, timeBase: Self.timeBase)
  }

  /// At 23.976 no frame stands at a full second: the first one behind it does, and errors do not add up.
  @Test func timesCountFromTheRecordingsBeginning() {
    var schedule = schedule(.seconds(Rational(1)))
    schedule.begin(at: 0, timeOfDay: 0)
    var begins: [Int64] = []
    for frame in Int64(0)..<1000 {
      let ticks = frame * 1001
      guard schedule.isDue(ticks) else { continue }
      begins.append(frame)
      schedule.begin(at: ticks, timeOfDay: 0)
    }
    let expected = (Int64(1)...41).map { second -> Int64 in (second * 24000 + 1000) / 1001 }
    #expect(begins == expected)
  }

  @Test func aGapOverSeveralTimesMakesNoEmptyFile() {
    var schedule = schedule(.seconds(Rational(1)))
    schedule.begin(at: 0, timeOfDay: 0)
    #expect(schedule.isDue(84_000))
    schedule.begin(at: 84_000, timeOfDay: 0)
    #expect(!schedule.isDue(95_999) && schedule.isDue(96_000))
  }

  @Test func aFileThatIsLateLeavesTheOthersInPlace() {
    var schedule = schedule(.seconds(Rational(10)))
    schedule.begin(at: 0, timeOfDay: 0)
    schedule.postpone(behind: 240_000)
    #expect(!schedule.isDue(240_000) && schedule.isDue(240_001))
    schedule.begin(at: 247_000, timeOfDay: 0)
    #expect(schedule.boundary == 480_000)
  }

  @Test(arguments: [
    (0.0, 14_400_000), (599.5, 12_000), (590, 240_000), (3599.99, 14_400_240), (580, 480_000), (571, 696_000),
    (86_399, 24_000), (570.5, 708_000), (86_399.9, 14_402_400), (1170.0001, 719_998),
  ])
  func clocksAreFull(timeOfDay: Double, ticks: Int64) {
    var schedule = schedule(.clock(seconds: 600))
    schedule.begin(at: 100, timeOfDay: timeOfDay)
    // A twentieth of the step is the least.
    let expected = ticks < 720_000 ? ticks + 14_400_000 : ticks
    #expect(abs(schedule.boundary - 100 - expected) <= 1, "\(schedule.boundary)")
  }

  /// The first file has the pre-roll and at least a second more; those behind it are whole.
  @Test(arguments: [
    // Two seconds are there, and a frame: the cut at 3 s is not a second away.
    (Rational(1), 49_001, 96_000), (Rational(1), 48_000, 72_000), (Rational(3), 49_001, 144_000),
    (Rational(3), 24_000, 72_000),
  ])
  func aPreRollIsInTheFirstFile(length: Rational, end: Int64, boundary: Int64) {
    var schedule = schedule(.seconds(length))
    schedule.begin(at: 1000, timeOfDay: 0, preRollEnd: 1000 + end)
    #expect(schedule.boundary == 1000 + boundary)
    schedule.begin(at: schedule.boundary, timeOfDay: 0)
    #expect(schedule.boundary == 1000 + boundary + Int64(length.doubleValue * 24_000))
  }

  /// A film is asked for so many seconds behind 10:00:00, with a pre-roll of 4 s.
  @Test(arguments: [(2.0, 20), (4, 20), (0, 20), (18.5, 20), (19.5, 40), (20.5, 40)])
  func clocksAreFull_behindAPreRoll(asked: Double, mark: Int64) {
    var schedule = schedule(.clock(seconds: 20))
    let begin = Int64(24_000 * (100 + asked - 4))
    schedule.begin(at: begin, timeOfDay: 36_000 + asked - 4, preRollEnd: begin + 96_000)
    #expect(abs(schedule.boundary - (100 + mark) * 24_000) <= 1, "\(schedule.boundary)")
    schedule.begin(at: schedule.boundary, timeOfDay: 36_000 + Double(mark))
    #expect(abs(schedule.boundary - (120 + mark) * 24_000) <= 2, "\(schedule.boundary)")
  }

  @Test func aFileEndsBeforeItIsTooLarge() {
    var schedule = schedule(nil, mostBytes: 100_000_000)
    schedule.begin(at: 0, timeOfDay: 0)
    // 1 MB a second.
    var ticks: Int64 = 0, near: Int64?
    while !schedule.isDue(ticks) {
      ticks += 1000
      let bytes = ticks * 1_000_000 / 24000
      schedule.look(bytes: bytes, frames: ticks / 1000, ticks: ticks, soundEnd: ticks + 500)
      if near == nil, schedule.isNear(bytes: bytes, frames: ticks / 1000, ticks: ticks) { near = ticks }
      if schedule.boundary < .max { #expect(schedule.boundary == ticks + 500, "behind the sound that is written") }
      if schedule.boundary < .max { break }
    }
    let seconds = Double(ticks) / 24000
    #expect(seconds > 95 && seconds < 97, "three seconds are on their way: \(seconds)")
    #expect(abs(seconds - Double(near ?? 0) / 24000 - 5) < 0.1, "made ready five seconds before")
  }

  @Test func aFileLastsASecondHoweverLargeItIs() {
    var schedule = schedule(nil, mostBytes: 1000)
    schedule.begin(at: 48_000, timeOfDay: 0)
    schedule.look(bytes: 1_000_000, frames: 23, ticks: 71_000, soundEnd: 0)
    #expect(schedule.boundary == .max)
    schedule.look(bytes: 1_000_000, frames: 24, ticks: 72_000, soundEnd: 0)
    #expect(schedule.boundary == 72_001)
  }

  /// All of the pre-roll, and a second more.
  @Test func aFileWithAPreRoll_lastsASecondMoreHoweverLargeItIs() {
    var schedule = schedule(nil, mostBytes: 1000)
    schedule.begin(at: 1000, timeOfDay: 0, preRollEnd: 49_000)
    for ticks in [Int64(49_000), 60_000, 72_999] {
      schedule.look(bytes: 1_000_000, frames: 72, ticks: ticks, soundEnd: 0)
      #expect(schedule.boundary == .max, "\(ticks)")
    }
    schedule.look(bytes: 1_000_000, frames: 73, ticks: 73_000, soundEnd: 73_500)
    #expect(schedule.boundary == 73_500)
    schedule.begin(at: 74_000, timeOfDay: 0)
    schedule.look(bytes: 1_000_000, frames: 24, ticks: 98_000, soundEnd: 0)
    #expect(schedule.boundary == 98_001, "those behind it have none")
  }

  /// A file that is wanted soon begins ten seconds later; those behind it stand where they would have stood.
  @Test func aFileThatIsWantedSoon_leavesTheOthersInPlace() {
    var schedule = schedule(.seconds(Rational(600)))
    schedule.begin(at: 0, timeOfDay: 0)
    schedule.hasten(behind: 24_000)
    #expect(schedule.boundary == 24_000 * 11)
    #expect(
      schedule.isNear(bytes: 0, frames: 0, ticks: 24_000 * 6)
        && !schedule.isNear(bytes: 0, frames: 0, ticks: 24_000 * 5))
    schedule.begin(at: schedule.boundary, timeOfDay: 0)
    #expect(schedule.boundary == 24_000 * 600)
    // Less than a minute is waited for.
    schedule.hasten(behind: 24_000 * 541)
    #expect(schedule.boundary == 24_000 * 600)
    schedule.begin(at: schedule.boundary, timeOfDay: 0)
    #expect(schedule.boundary == 24_000 * 1200)
  }

  @Test func aFileThatIsWantedSoon_bySizeOrClock() {
    var bySize = schedule(nil, mostBytes: 1 << 40)
    bySize.begin(at: 0, timeOfDay: 0)
    bySize.hasten(behind: 0)
    #expect(bySize.boundary == 240_000)
    bySize.begin(at: 240_000, timeOfDay: 10)
    #expect(bySize.boundary == .max)
    var byClock = schedule(.clock(seconds: 600))
    byClock.begin(at: 0, timeOfDay: 1000)
    byClock.hasten(behind: 0)
    byClock.begin(at: byClock.boundary, timeOfDay: 1010)
    #expect(byClock.boundary == 240_000 + 24_000 * 190)
  }
}
