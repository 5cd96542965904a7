import Foundation
import Frames
import MediaFFmpeg
import Movies
import TestKit
import Testing

struct FrameHashWriterTests {
  @Test(arguments: [PixelLayout.yuv420p, .yuv422p, .yuv420p10, .yuv422p10])
  func hashesAreFFmpegs(layout: PixelLayout) throws {
    let directory = try MovieDirectory()
    let settings = MovieTake.settings(
      directory.path("take.framemd5"), container: .framemd5, width: 65, height: 33, layout: layout, isLive: false)
    let take = MovieTake(settings, times: [0, 1000, 2000, 5000, 6000], endTime: 9000)
    let report = try take.record(to: try FrameHashWriter.open(settings))
    #expect(report.frames == 5)
    #expect(report.warnings == [])

    let raw = (0..<5).reduce(into: Data()) { $0 += TestPicture.bytes($1, settings.format) }
    let name = layout.bitDepth > 8 ? layout.rawValue + "le" : layout.rawValue
    let reference = try Tool.run(
      ["ffmpeg", "-v", "error", "-f", "rawvideo", "-pix_fmt", name, "-s", "65x33", "-i", "-", "-f", "framemd5", "-"],
      input: raw)
    let expected = lines(String(decoding: reference, as: UTF8.self)).map { $0[5] }
    let found = lines(try String(contentsOfFile: settings.path, encoding: .utf8))
    #expect(found.map { $0[5] } == expected)
    #expect(found.map { Int64($0[2]) } == take.times)
    #expect(found.map { Int64($0[3]) } == [1000, 1000, 3000, 1000, 3000])
    #expect(report.bytes == Int64(try Data(contentsOf: URL(fileURLWithPath: settings.path)).count))
  }

  @Test func headerSaysWhatFFmpegsSays() throws {
    let directory = try MovieDirectory()
    let settings = MovieTake.settings(directory.path("take.framemd5"), container: .framemd5, isLive: false)
    _ = try MovieTake(settings, frames: 1).record(to: try FrameHashWriter.open(settings))
    let text = try String(contentsOfFile: settings.path, encoding: .utf8)
    for line in [
      "#format: frame checksums", "#hash: MD5", "#tb 0: 1/24000", "#media_type 0: video", "#codec_id 0: rawvideo",
      "#dimensions 0: 192x128",
    ] {
      #expect(text.contains(line + "\n"))
    }
    #expect(!text.contains("Lavf"))
  }

  @Test func emptyRecordingLeavesNoFile() throws {
    let directory = try MovieDirectory()
    let settings = MovieTake.settings(directory.path("take.framemd5"), container: .framemd5)
    let report = try FrameHashWriter.open(settings).finish(at: 0)
    #expect(report.frames == 0)
    #expect(report.warnings.count == 1)
    #expect(directory.names == [])
  }

  /// Fields of the lines that are no comments: stream, dts, pts, duration, size, hash.
  private func lines(_ text: String) -> [[String]] {
    text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map {
      $0.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }
}
