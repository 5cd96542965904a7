import Audio
import Foundation
import Frames
import MediaFFmpeg
import Movies
import TestKit
import Testing

struct MovieCodecTests {
  struct Case: Sendable {
    let encoding: VideoEncoding
    let input: PixelLayout
    let layout: PixelLayout
    let profile: String?
    let format: String
    let tag: String
  }

  static let cases = [
    Case(encoding: VideoEncoding(), input: .nv12, layout: .yuv420p, profile: "Main", format: "yuv420p", tag: "hvc1"),
    Case(encoding: VideoEncoding(), input: .yuyv, layout: .yuv420p, profile: "Main", format: "yuv420p", tag: "hvc1"),
    Case(
      encoding: VideoEncoding(), input: .p010, layout: .yuv420p10, profile: "Main 10", format: "yuv420p10le",
      tag: "hvc1"),
    Case(
      encoding: VideoEncoding(profile: "main10"), input: .nv12, layout: .yuv420p10, profile: "Main 10",
      format: "yuv420p10le", tag: "hvc1"),
    Case(
      encoding: VideoEncoding(profile: "main422-10"), input: .yuv422p10, layout: .yuv422p10, profile: "Rext",
      format: "yuv422p10le", tag: "hvc1"),
    Case(
      encoding: VideoEncoding(codec: .prores), input: .nv12, layout: .yuv422p10, profile: "HQ", format: "yuv422p10le",
      tag: "apch"),
    Case(
      encoding: VideoEncoding(codec: .prores, profile: "lt"), input: .p010, layout: .yuv422p10, profile: "LT",
      format: "yuv422p10le", tag: "apcs"),
    Case(
      encoding: VideoEncoding(codec: .prores, encoder: "prores_ks", rate: .quality(8)), input: .p010,
      layout: .yuv422p10,
      profile: "HQ", format: "yuv422p10le", tag: "apch"),
    Case(
      encoding: VideoEncoding(codec: .ffv1), input: .nv12, layout: .yuv420p, profile: nil, format: "yuv420p",
      tag: "FFV1"),
    Case(
      encoding: VideoEncoding(codec: .ffv1), input: .uyvy, layout: .yuv422p, profile: nil, format: "yuv422p",
      tag: "FFV1"),
    Case(
      encoding: VideoEncoding(codec: .ffv1), input: .p210, layout: .yuv422p10, profile: nil, format: "yuv422p10le",
      tag: "FFV1"),
    Case(
      encoding: VideoEncoding(rate: .bitrate(2_000_000)), input: .nv12, layout: .yuv420p, profile: "Main",
      format: "yuv420p", tag: "hvc1"),
    Case(
      encoding: VideoEncoding(preset: "superfast", rate: .quality(30)), input: .nv12, layout: .yuv420p, profile: "Main",
      format: "yuv420p", tag: "hvc1"),
  ]

  @Test(arguments: cases)
  func encoderGetsItsLayoutAndMakesItsProfile(example: Case) throws {
    let directory = try MovieDirectory()
    let layout = try MovieWriter.acceptedLayout(for: example.encoding, container: .mov, input: example.input)
    #expect(layout == example.layout)
    let settings = MovieTake.settings(
      directory.path("take.mov"), layout: layout, encoding: example.encoding, isLive: example.input != .nv12)
    let take = MovieTake(settings, frames: 30)
    let report = try take.record()
    #expect(report.frames == 30)
    #expect(report.warnings == [])
    let video = try MovieProbe(settings.path).video
    #expect(video["codec_name"] as? String == example.encoding.codec.rawValue)
    #expect(video["profile"] as? String == example.profile)
    #expect(video["pix_fmt"] as? String == example.format)
    #expect(video["codec_tag_string"] as? String == example.tag)
    #expect(try MovieProbe.decodedTimes(settings.path) == take.times)
    // Close to what went in, or the same for FFV1.
    let decoded = try Tool.run([
      "ffmpeg", "-v", "error", "-i", settings.path, "-f", "rawvideo", "-pix_fmt", example.format, "-",
    ])
    let original = (0..<30).reduce(into: Data()) { $0 += TestPicture.bytes($1, settings.format) }
    if example.encoding.codec == .ffv1 {
      #expect(decoded == original)
    } else {
      #expect(meanError(decoded, original, deep: layout.bitDepth > 8) < 6)
    }
  }

  /// Mean absolute difference of every 37th sample, in code values of 8 bits.
  private func meanError(_ a: Data, _ b: Data, deep: Bool) -> Double {
    guard a.count == b.count else { return .infinity }
    let size = deep ? 2 : 1
    var sum = 0.0
    var count = 0.0
    for index in stride(from: 0, to: a.count / size, by: 37) {
      func sample(_ data: Data) -> Double {
        deep ? Double(UInt16(data[2 * index]) | UInt16(data[2 * index + 1]) << 8) / 4 : Double(data[index])
      }
      sum += abs(sample(a) - sample(b))
      count += 1
    }
    return sum / count
  }

  /// The same encoder settings make the same stream as FFmpeg's own program, byte for byte: nothing else is compared
  /// when speeds are.
  @Test func bakedStreamIsFFmpegs() throws {
    let directory = try MovieDirectory()
    let settings = MovieTake.settings(directory.path("take.mov"), isLive: false)
    try MovieTake(settings, frames: 30).record()
    let raw = (0..<30).reduce(into: Data()) { $0 += TestPicture.bytes($1, settings.format) }
    let other = directory.path("other.mov")
    try Tool.run(
      ["ffmpeg", "-v", "error", "-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", "192x128", "-r", "24", "-i", "-"]
        + ["-c:v", "libx265", "-preset", "ultrafast", "-crf", "20", "-g", "24", "-flags", "+cgop"]
        + ["-x265-params", "log-level=error", other], input: raw)
    func packets(_ path: String) throws -> Data {
      try Tool.run(["ffmpeg", "-v", "error", "-i", path, "-map", "0:v", "-c", "copy", "-f", "data", "-"])
    }
    let ours = try packets(settings.path)
    #expect(ours.count > 1000)
    #expect(try packets(other) == ours)
  }

  @Test func groupsOfPicturesAreClosedAndLastASecond() throws {
    let directory = try MovieDirectory()
    let rate = try #require(FrameRate(Rational(24000, 1001)))
    let settings = MovieTake.settings(directory.path("take.mov"), rate: rate)
    try MovieTake(settings, frames: 100).record()
    let probe = try MovieProbe(settings.path, ["-select_streams", "v:0", "-show_entries", "packet=pts,flags"])
    let packets = probe.json["packets"] as? [[String: Any]] ?? []
    let keys = packets.enumerated().filter { ($0.element["flags"] as? String)?.hasPrefix("K") == true }
    #expect(keys.compactMap { $0.element["pts"] as? Int } == [0, 24 * 1001, 48 * 1001, 72 * 1001, 96 * 1001])
    // Closed: no picture that is stored after a key picture is shown before it.
    for key in keys {
      let time = key.element["pts"] as? Int ?? 0
      #expect(packets.dropFirst(key.offset).allSatisfy { ($0["pts"] as? Int ?? 0) >= time })
    }
  }

  @Test func movieThatIsNotLiveIsIndexedAtOnce() throws {
    let directory = try MovieDirectory()
    let settings = MovieTake.settings(directory.path("take.mov"), audio: .standard, isLive: false)
    try MovieTake(settings, frames: 30).record()
    let boxes = try FilmBoxes(settings.path)
    #expect(boxes.topLevel == ["ftyp", "wide", "mdat", "moov"])
    let still = try MovieWriter.open(MovieTake.settings(directory.path("b.mov"), isLive: false))
    #expect(still.lossBoundSeconds == nil && still.lossBound == nil && still.confirmedEnd == nil)
  }

  @Test func finishedLiveMovieIsAnOrdinaryIndexedOne() throws {
    let directory = try MovieDirectory()
    let settings = MovieTake.settings(directory.path("take.mov"), audio: .standard)
    try MovieTake(settings, frames: 30).record()
    let boxes = try FilmBoxes(settings.path)
    #expect(boxes.topLevel == ["ftyp", "mdat", "moov"])
    #expect(boxes.all("moov/mvex").isEmpty)
  }

  @Test func framesComeBackToTheirOwner() throws {
    for encoding in [VideoEncoding(), VideoEncoding(codec: .prores), VideoEncoding(codec: .ffv1)] {
      let directory = try MovieDirectory()
      let layout = try MovieWriter.acceptedLayout(for: encoding, container: .mov, input: .yuv420p)
      let settings = MovieTake.settings(directory.path("take.mov"), layout: layout, encoding: encoding)
      let owner = CountingOwner(settings.format)
      let writer = try MovieWriter.open(settings)
      for number in 0..<40 {
        try writer.write(owner.lend(), at: Int64(number) * 1000)
        // libx265 copies at once, ffv1 keeps the newest; frame threads keep one each.
        switch encoding.codec {
        case .hevc: #expect(owner.back == number + 1)
        case .ffv1: #expect(owner.back >= number)
        case .prores: #expect(owner.back >= number - ProcessInfo.processInfo.activeProcessorCount)
        }
      }
      #expect(throws: CamrecError.self) { try writer.write(owner.lend(), at: 5) }
      _ = try writer.finish(at: 40000)
      #expect(throws: CamrecError.self) { try writer.write(owner.lend(), at: 50000) }
      #expect(owner.back == 42)
    }
  }

  /// On one core a frame is encoded by whoever hands it over. Frame threads would have it for longer: they take
  /// milliseconds for one of this size.
  @Test func proResOfABakeUsesTheCoresItIsGiven() throws {
    let directory = try MovieDirectory()
    for (cores, name) in [(1, "one.mov"), (256, "many.mov")] {
      let encoding = VideoEncoding(codec: .prores, cores: cores)
      let layout = try MovieWriter.acceptedLayout(for: encoding, container: .mov, input: .yuv420p)
      let settings = MovieTake.settings(
        directory.path(name), width: 1920, height: 1080, layout: layout, encoding: encoding, isLive: false)
      let owner = CountingOwner(settings.format)
      let writer = try MovieWriter.open(settings)
      for number in 0..<3 {
        try writer.write(owner.lend(), at: Int64(number) * 1000)
        if cores == 1 { #expect(owner.back == number + 1) }
      }
      #expect(try writer.finish(at: 3000).frames == 3)
    }
  }
}
