import Assembly
import Cameras
import Foundation
import Frames
import Movies
import Testing

/// What a film begins with.
struct FirstFrameSettingsTests {
  private static let begin = MonotonicTime(nanoseconds: 5_000_000_000)

  /// - Parameter seconds: from the clip's first frame to the film's.
  private func timecode(
    _ label: String, at rate: String, after seconds: Double, choice: TimecodeChoice? = nil
  ) throws -> String? {
    let rate = try FrameRate(argument: rate)
    let settings = MovieSettings(
      path: "take.mov", container: .mov, format: FrameFormat(width: 16, height: 16, layout: .nv12, color: .rec709),
      frameRate: rate, audio: nil, encoding: VideoEncoding(), timecode: try Timecode(parsing: label, rate: rate),
      creationTime: 0, isLive: true)
    let first = FirstFrameSettings(
      settings, timecode: choice, label: nil, isClip: true, hasOwnClock: false, clipBegin: { Self.begin })
    return try first.at(Self.begin.advanced(by: Int64(seconds * 1e9))).settings.timecode?.description
  }

  /// A clip runs before its film begins: with a pre-roll, or to take over from another camera.
  @Test func aFilmOfAClip_hasTheTimecodeOfItsFirstFrame() throws {
    #expect(try timecode("23:17:26:20", at: "25", after: 0) == "23:17:26:20")
    #expect(try timecode("23:17:26:20", at: "25", after: 2) == "23:17:28:20")
    #expect(try timecode("23:17:26:20", at: "25", after: 0.1601) == "23:17:26:24")
    #expect(try timecode("23:59:59:23", at: "24", after: 1.0 / 24) == "00:00:00:00")
    #expect(try timecode("00:00:59;29", at: "30000/1001", after: 1001.0 / 30000) == "00:01:00;02")
  }

  @Test(arguments: [1_774_745_999.5, 0, -0.5, 1_792_893_600.5])
  func now_isTheTimeOfDayThatNamesHave(seconds: Double) throws {
    let date = Date(timeIntervalSince1970: seconds), rate = try FrameRate(argument: "24")
    let name = try OutputPath.filled("%H:%M:%S", date)
    let frames = seconds.rounded(.down) == seconds ? "00" : "12"
    #expect(try TimecodeChoice.now.timecode(rate: rate, date: date).description == "\(name):\(frames)")
  }

  /// It was asked for, for the film's first frame.
  @Test func aTimecodeThatWasGiven_isTheFilms() throws {
    #expect(try timecode("10:00:00:00", at: "25", after: 2, choice: .label("10:00:00:00")) == "10:00:00:00")
  }
}
