import Frames
import Movies
import Testing

struct TimecodeTests {
  private func rate(_ numerator: Int64, _ denominator: Int64 = 1) throws -> FrameRate {
    try #require(FrameRate(Rational(numerator, denominator)))
  }

  private func refusal(_ text: String, _ rate: FrameRate) -> CamrecError? {
    do throws(CamrecError) {
      _ = try Timecode(parsing: text, rate: rate)
      return nil
    } catch {
      return error
    }
  }

  @Test func labelsAreReadAndWritten() throws {
    let code = try Timecode(parsing: "01:02:03:23", rate: rate(24000, 1001))
    #expect([code.hours, code.minutes, code.seconds, code.frames] == [1, 2, 3, 23])
    #expect(!code.dropFrame)
    #expect(code.description == "01:02:03:23")
    let drop = try Timecode(parsing: "23:59:59;29", rate: rate(30000, 1001))
    #expect(drop.dropFrame)
    #expect(drop.description == "23:59:59;29")
  }

  @Test(arguments: [
    "", "now", "1:2:3:4", "01:02:03", "01:02:03:04:05", "01;02;03;04", "01:02:03.04", "-1:02:03:04", "01:02:03:0x",
    "０１:02:03:04",
  ])
  func otherTextIsRefused(text: String) throws {
    let refused = try refusal(text, rate(24))
    #expect(refused?.code == .usage)
    #expect(
      refused?.message == "timecode '\(text)' is neither HH:MM:SS:FF (HH:MM:SS;FF for drop-frame) nor 'now'")
  }

  @Test(arguments: [
    ("24:00:00:00", "hours are 0 to 23"), ("00:60:00:00", "minutes are 0 to 59"),
    ("00:00:60:00", "seconds are 0 to 59"),
    ("00:00:00:24", "frames are 0 to 23"),
  ])
  func fieldsOutsideTheirRangeAreRefused(text: String, why: String) throws {
    #expect(try refusal(text, rate(24))?.message.contains(why) == true)
  }

  /// FFmpeg writes three digits there; older films of camrec's have two up to frame 99.
  @Test(arguments: [("120", 119, "060"), ("120000/1001", 119, "060"), ("240", 239, "120"), ("1000", 999, "500")])
  func framesHaveThreeDigitsAbove100FramesASecond(text: String, last: Int, middle: String) throws {
    let rate = try #require(FrameRate(parsing: text))
    for label in ["01:02:03:09", "01:02:03:009"] {
      let code = try Timecode(parsing: label, rate: rate)
      #expect(code.frames == 9 && code.description == "01:02:03:009")
    }
    let code = try Timecode(parsing: "01:02:03:\(last)", rate: rate)
    #expect(code.frames == last && code.description == "01:02:03:\(last)")
    #expect(code.advanced(by: 1, at: rate).description == "01:02:04:000")
    #expect(Timecode(timeOfDay: 45296.5, rate: rate).description == "12:34:56:\(middle)")
    #expect(refusal("01:02:03:0009", rate)?.message.contains("is neither HH:MM:SS:FFF (") == true)
    #expect(refusal("01:02:003:09", rate)?.code == .usage)
    guard last < 999 else { return }
    #expect(refusal("01:02:03:\(last + 1)", rate)?.message.contains("frames are 0 to \(last)") == true)
  }

  /// FFmpeg says `01:02:03:4` of a film with 10 fps.
  @Test(arguments: ["1", "5", "25/3", "10"]) func oneDigitIsReadUpTo10FramesASecond(text: String) throws {
    let rate = try #require(FrameRate(parsing: text))
    let label = "01:02:03:\(rate.timecodeBase - 1)", whole = "01:02:03:0\(rate.timecodeBase - 1)"
    let code = try Timecode(parsing: label, rate: rate)
    #expect(code.description == whole)
    #expect(try code == Timecode(parsing: whole, rate: rate))
    #expect(refusal("1:02:03:00", rate)?.code == .usage)
  }

  @Test func oneDigitIsRefusedAbove10FramesASecond() throws {
    #expect(try refusal("01:02:03:4", rate(12))?.message.contains("is neither HH:MM:SS:FF (") == true)
  }

  @Test func framesHaveTwoDigitsUpTo100FramesASecond() throws {
    #expect(try Timecode(parsing: "01:02:03:09", rate: rate(100)).description == "01:02:03:09")
    #expect(try refusal("01:02:03:009", rate(100))?.message.contains("is neither HH:MM:SS:FF (") == true)
  }

  @Test func dropFrameIsRefusedWhereItDoesNotExist() throws {
    #expect(
      try refusal("01:00:00;00", rate(30))?.message
        .contains("only at 30000/1001 and 60000/1001 fps, not at 30") == true)
    #expect(try refusal("01:00:00;00", rate(24000, 1001))?.code == .usage)
    #expect(
      try refusal("00:01:00;01", rate(30000, 1001))?.message
        == "timecode '00:01:00;01' does not exist in drop-frame; the next one that does is 00:01:00;02")
    #expect(try refusal("00:09:00;03", rate(60000, 1001))?.message.hasSuffix("00:09:00;04") == true)
    #expect(try refusal("00:10:00;00", rate(30000, 1001)) == nil)
  }

  /// Counts labels one by one, leaving out those that drop-frame leaves out, and compares at every frame of 25 minutes.
  @Test(arguments: [(Int64(30000), 30), (60000, 60)])
  func dropFrameTimeOfDayCountsEveryExistingLabel(numerator: Int64, base: Int) throws {
    let rate = try rate(numerator, 1001)
    var label = (minute: 0, second: 0, frame: 0)
    var wrong: [String] = []
    for frame in 0..<(25 * 60 * base) {
      let seconds = (Double(frame) + 0.5) / rate.framesPerSecond
      let code = Timecode(timeOfDay: seconds, rate: rate)
      if (code.minutes, code.seconds, code.frames) != (label.minute, label.second, label.frame) || !code.dropFrame {
        wrong.append("\(frame): \(code)")
      }
      label.frame += 1
      if label.frame == base {
        label = (label.minute, label.second + 1, 0)
        if label.second == 60 { label = (label.minute + 1, 0, (label.minute + 1) % 10 == 0 ? 0 : base / 15) }
      }
    }
    #expect(wrong == [])
  }

  @Test func dropFrameStaysWithTheClockAllDay() throws {
    // A day has 2 589 408 labels and 2 589 410.6 frames at 30000/1001: the clock is never left by more than 87 ms.
    let last = try Timecode(timeOfDay: 86399.99, rate: rate(30000, 1001))
    #expect(last.description == "23:59:59;29")
    #expect(try Timecode(timeOfDay: 12 * 3600, rate: rate(30000, 1001)).description.hasPrefix("12:00:00;0") == true)
  }

  @Test(arguments: [("23:59:59:23", Int64(24), Int64(1), 2_073_600), ("23:59:59;29", 30000, 1001, 2_589_408)])
  func labelsStartAgainAfterADay(last: String, numerator: Int64, denominator: Int64, count: Int) throws {
    let rate = try rate(numerator, denominator), code = try Timecode(parsing: last, rate: rate)
    #expect(code.framesPerDay(at: rate) == count && code.frameNumber(at: rate) == count - 1)
    #expect(code.advanced(by: 1, at: rate).frameNumber(at: rate) == 0 && code.advanced(by: count, at: rate) == code)
  }

  @Test func timeOfDayWithoutDropFrameIsTheClock() throws {
    #expect(try Timecode(timeOfDay: 45296.5, rate: rate(24)).description == "12:34:56:12")
    #expect(try Timecode(timeOfDay: 45296.999, rate: rate(24000, 1001)).description == "12:34:56:23")
    #expect(try Timecode(timeOfDay: 0, rate: rate(25)).description == "00:00:00:00")
    #expect(try Timecode(timeOfDay: 86399.999, rate: rate(25)).description == "23:59:59:24")
  }
}
