import Foundation
import Frames
import Goldens
import Jobs
import TestKit
import Testing

/// Two clips frame by frame, and what people and programs are told of them.
struct ClipComparisonTests {
  private let folder: TemporaryFolder

  /// A clip of 24 frames, no two of them alike.
  init() throws {
    folder = try TemporaryFolder()
    try ffmpeg("-f lavfi -i testsrc2=size=320x180:rate=24 -frames:v 24 -pix_fmt yuv420p -c:v ffv1 @a.mkv")
  }

  private func ffmpeg(_ line: String) throws {
    try Tool.run(
      ["ffmpeg", "-v", "error", "-y"]
        + line.split(separator: " ").map { $0.hasPrefix("@") ? folder.path(String($0.dropFirst())) : String($0) })
  }

  private func compare(
    _ second: String, by way: ClipAlignment
  ) throws -> (found: ClipComparison, report: ComparisonReport, lines: [String]) {
    let found = try ClipComparison(
      (ClipPictures(path: folder.path("a.mkv")), ClipPictures(path: folder.path(second))), by: way)
    let report = ComparisonReport(found, first: "a.mkv", second: second, findings: [])
    return (found, report, report.lines(found))
  }

  @Test func aClipIsEqualToItself() throws {
    let (found, report, lines) = try compare("a.mkv", by: .auto)
    #expect(found.way == .content && found.alignment == .content, "its frames have no numbers")
    #expect(found.pairs.map(\.first) == Array(0..<24) && found.pairs.allSatisfy { $0.quality == .equal })
    #expect(lines == ["24 frames in both, by content", "all of them are equal"])
    #expect(!report.isUneven && report.overall?.psnr == nil && report.overall?.ssim == 1)
    let object = try JSONSerialization.jsonObject(with: try JSONEncoder().encode(report)) as? [String: Any]
    let frames = try #require(object?["frames"] as? [[String: Any]])
    #expect(object?["format"] as? String == "camrec-compare" && frames.count == 24)
    #expect(frames.allSatisfy { $0["psnr"] == nil && $0["ssim"] as? Double == 1 }, "no number is infinite in JSON")
  }

  @Test func frozenFramesAreMissing_andOthersRepeated() throws {
    try ffmpeg(
      "-i @a.mkv -i @a.mkv -lavfi [0:v][1:v]freezeframes=first=10:last=12:replace=9 -c:v ffv1 @frozen.mkv")
    let (found, report, lines) = try compare("frozen.mkv", by: .content)
    #expect(found.missing == [10, 11, 12] && found.doubled == [10, 11, 12] && found.added == [], "\(lines)")
    #expect(report.isUneven && report.missing == found.missing && report.doubled == found.doubled)
    #expect(
      lines == [
        "21 frames in both, by content", "missing from 'frozen.mkv': frames 10 to 12 of 'a.mkv'",
        "repeated: frames 10 to 12 of 'frozen.mkv'", "all of them are equal",
      ])
    let placed = try compare("frozen.mkv", by: .frame)
    #expect(!placed.report.isUneven && placed.found.pairs.count == 24)
    #expect(placed.found.pairs.filter { $0.quality != .equal }.map(\.first) == [10, 11, 12])
    #expect(placed.lines.prefix(2) == ["24 frames in both, by frame", "21 of them are equal"])
    #expect(placed.lines.count == 5 && placed.report.overall?.psnr?.isFinite == true, "\(placed.lines)")
  }

  @Test func oneFrameIsEqual() throws {
    try ffmpeg("-i @a.mkv -frames:v 1 -c:v ffv1 @one.mkv")
    let one = try compare("one.mkv", by: .frame)
    #expect(
      one.lines == ["1 frame in both, by frame", "missing from 'one.mkv': frames 1 to 23 of 'a.mkv'", "it is equal"])
    try ffmpeg("-i @a.mkv -i @a.mkv -lavfi [0:v][1:v]freezeframes=first=1:last=23:replace=0 -c:v ffv1 @still.mkv")
    let still = try compare("still.mkv", by: .frame)
    #expect(still.lines.prefix(2) == ["24 frames in both, by frame", "1 of them is equal"], "\(still.lines)")
  }

  @Test func whatIsBehindAGapShowsEarlier_andByTimeIsAnotherFrame() throws {
    try ffmpeg("-i @a.mkv -vf select='not(eq(n,5))',setpts=N/24/TB -c:v ffv1 @gap.mkv")
    let known = try compare("gap.mkv", by: .content)
    #expect(known.found.missing == [5] && known.report.shifts.map(\.frame) == [6], "\(known.lines)")
    #expect(abs((known.report.shifts.first?.seconds ?? 0) + 1.0 / 24) < 0.002)
    let timed = try compare("gap.mkv", by: .time)
    #expect(timed.found.missing == [23] && timed.found.pairs.count == 23 && timed.report.shifts.isEmpty)
    #expect(timed.found.pairs.filter { $0.quality == .equal }.map(\.first) == Array(0..<5))
  }

  /// The progress counts those that are there.
  @Test func framesThatAreMissingAreNotExpected() throws {
    try ffmpeg("-i @a.mkv -vf select='not(eq(n,5))' -fps_mode passthrough -c:v ffv1 @gap.mov")
    for (name, count) in [("a.mkv", 24), ("gap.mov", 23)] {
      #expect(try ClipPictures(path: folder.path(name)).expectedFrames == count, "\(name)")
    }
  }

  @Test func clipsWithNothingInCommonAreCalledThat() throws {
    try ffmpeg("-f lavfi -i mandelbrot=size=320x180:rate=24 -frames:v 24 -pix_fmt yuv420p -c:v ffv1 @m.mkv")
    let (found, report, lines) = try compare("m.mkv", by: .content)
    #expect(found.alignment == nil && found.pairs.isEmpty && found.missing == Array(0..<24))
    #expect(report.isUneven && report.alignment == "none" && report.overall == nil)
    #expect(lines.count == 1 && lines.first?.hasPrefix("no frame of 'm.mkv' looks like one of 'a.mkv'") == true)
  }

  @Test func clipsThatCannotBeComparedAreRefused() throws {
    try ffmpeg("-i @a.mkv -vf scale=160:90 -c:v ffv1 @small.mkv")
    let small = #expect(throws: CamrecError.self) { _ = try compare("small.mkv", by: .frame) }
    #expect(small?.code == .input && small?.message.contains("is 160x90, and '") == true)
    for way in [ClipAlignment.timecode, .number] {
      let error = #expect(throws: CamrecError.self) { _ = try compare("a.mkv", by: way) }
      #expect(error?.code == .input && error?.field == .align)
    }
  }
}
