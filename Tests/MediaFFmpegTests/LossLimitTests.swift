import Audio
import Foundation
import Frames
import MediaFFmpeg
import Movies
import TestKit
import Testing

/// What `--max-loss` makes of fragments and encoder.
struct LossLimitTests {
  private static func settings(_ path: String, limit: Double, rate: Int64, preset: String? = nil) throws
    -> MovieSettings
  {
    let rate = try #require(FrameRate(Rational(rate)))
    var settings = MovieTake.settings(
      path, width: 96, height: 64, rate: rate, encoding: VideoEncoding(preset: preset))
    settings.lossLimit = limit
    return settings
  }

  @Test(arguments: [0.2, 0.5, 1, 2, 5, 10], ["ultrafast", "slower"])
  func encoderAndFragmentKeepToTheLimit(limit: Double, preset: String) throws {
    for rate: Int64 in [24, 30, 60, 120] {
      let settings = try Self.settings("x.mov", limit: limit, rate: rate, preset: preset)
      let bound = try #require(try MovieWriter.check(settings))
      #expect(bound <= limit + 1e-9, "\(limit) s at \(rate) fps: \(bound)")
      // Nobody gives up compression for nothing.
      if preset == "slower", limit <= 1, rate == 24 { #expect(bound > limit - 4 / Double(rate) - limit / 10) }
    }
  }

  @Test(arguments: [0.2, 0.5, 1, 2, 10]) func fragmentsAreAFifthOfIt(limit: Double) throws {
    let directory = try MovieDirectory()
    let settings = try Self.settings(directory.path("take.mov"), limit: limit, rate: 60)
    let copy = directory.path("fragments.mov")
    let writer = try MovieWriter.open(settings)
    let frames = max(120, Int(60 * limit))
    try MovieTake(settings, frames: frames).record(to: writer) { number in
      guard number == frames - 1 else { return }
      writer.settle()
      try FileManager.default.copyItem(atPath: settings.path, toPath: copy)
    }
    let sizes = try FilmBoxes(copy).all("moof/traf/trun").map { Int(FilmBoxes.number($0, 4, 4)) }
    let longest = try #require(sizes.max())
    #expect(
      Double(longest) <= max(1, 60 * min(limit / 5, 2)) && Double(longest) > 60 * min(limit / 5, 2) - 5, "\(sizes)")
  }

  /// The disk counts as stalled only when the limit is broken.
  @Test func bufferIsStatedInSecondsAndBytes() throws {
    var settings = MovieTake.settings("x.mov", width: 1920, height: 1080, audio: .standard)
    let hevc = DiskRoom(settings)
    #expect(abs(hevc.seconds - 8) < 0.01 && (30_000_000...60_000_000).contains(hevc.bytes))
    settings.encoding.rate = .bitrate(8_000_000)
    #expect(abs(Double(DiskRoom(settings).bytes) - 8 * (1e6 + 192_000)) < 2)
    settings.encoding = VideoEncoding(codec: .prores)
    #expect(DiskRoom(settings).bytes == 1 << 27 && DiskRoom(settings).seconds > 2)
    var little = MovieTake.settings("x.mov", width: 480, height: 270)
    little.encoding = VideoEncoding(codec: .prores)
    // FFmpeg's encoders make up to 1566 bits of each of 30×17 macroblocks.
    let rate = Double(30 * 17 * 1566) / 8 * little.frameRate.framesPerSecond
    #expect(abs(Double(DiskRoom(little).bytes) - 8 * rate) < 2)
    settings.encoding = VideoEncoding(codec: .ffv1)
    #expect(DiskRoom(settings).bytes == 1 << 27 && DiskRoom(settings).seconds > 1)
    let small = DiskRoom(MovieTake.settings("x.mov"))
    #expect(small.bytes == 1 << 22 && small.seconds > 8)
  }
}
