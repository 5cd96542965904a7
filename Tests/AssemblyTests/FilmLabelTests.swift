import Assembly
import Cameras
import Frames
import Movies
import Platform
import Testing

/// The timecode that was asked for goes on from film to film.
@Suite struct FilmLabelTests {
  private static let begin = MonotonicTime(nanoseconds: 1_000_000_000)

  /// The label of a film that begins `seconds` after the first one, at another rate.
  private func label(_ first: String, at rate: String, after seconds: Double, at other: String) throws -> Timecode {
    let label = FilmLabel(first)
    _ = try label.timecode(of: Self.begin, at: FrameRate(argument: rate))
    return try label.timecode(of: Self.begin.advanced(by: Int64(seconds * 1e9)), at: FrameRate(argument: other))
  }

  /// A drop-frame label is a count of frames, and may be 0.1 s off the clock that it looks like.
  @Test(arguments: ["10:00:58;00", "10:00:10;00", "00:00:58;00", "00:00:10;00", "23:58:59;28"])
  func dropFrameLabelsGoOnByTheirCount(text: String) throws {
    for (rate, other) in [("29.97", "59.94"), ("59.94", "29.97")] {
      let first = try FrameRate(argument: rate), second = try FrameRate(argument: other), seconds = 3.5728
      let count = try Timecode(parsing: text, rate: first).frameNumber(at: first)
      let time = Double(count) / first.framesPerSecond + seconds
      let later = try label(text, at: rate, after: seconds, at: other)
      let off = Double(later.frameNumber(at: second)) - time * second.framesPerSecond
      #expect(off <= 1e-6 && off > -1.001, "\(text) at \(rate) became \(later): \(off) frames off")
    }
  }

  @Test func otherLabelsGoOnWithTheClock() throws {
    #expect(try label("10:00:58:00", at: "25", after: 3.5, at: "50").description == "10:01:01:25")
    #expect(try label("10:00:58:00", at: "24", after: 3.5, at: "24").description == "10:01:01:12")
  }
}
