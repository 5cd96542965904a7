import Audio
import Foundation
import Frames
import MediaFFmpeg
import Movies
import RecorderAPI
import TestKit
import Testing

/// Films that begin with what was kept: packet for packet the encoder's, without a gap to what comes.
struct PreRollTests {
  struct Codec: Sendable, CustomStringConvertible {
    let encoding: VideoEncoding
    let container: Container
    let layout: PixelLayout
    var description: String { "\(encoding.codec.rawValue) \(encoding.preset ?? "") in \(container.rawValue)" }
  }

  static let codecs = [
    Codec(encoding: VideoEncoding(), container: .mov, layout: .yuv420p),
    // Pictures that are stored in another order than they are shown.
    Codec(encoding: VideoEncoding(preset: "medium"), container: .mov, layout: .yuv420p),
    Codec(encoding: VideoEncoding(preset: "medium"), container: .mkv, layout: .yuv420p),
    Codec(encoding: VideoEncoding(codec: .prores, profile: "proxy"), container: .mov, layout: .yuv422p10),
    Codec(encoding: VideoEncoding(codec: .ffv1), container: .mkv, layout: .yuv420p),
  ]

  struct Film {
    let path: String
    /// In pictures of the recording.
    let start: Int
    let kept: PreRollStatus
    let report: MovieReport
  }

  /// Pictures and sound into a pre-roll; a film that is asked for before picture `trigger`, and ends with picture
  /// `count`.
  private func record(
    _ directory: MovieDirectory, _ codec: Codec, seconds: Int, trigger: Int, count: Int,
    missing: (Int) -> Bool = { _ in false }
  ) throws -> Film {
    let path = directory.path("take.\(codec.container.rawValue)")
    let settings = MovieTake.settings(
      path, container: codec.container, layout: codec.layout, audio: .standard, encoding: codec.encoding)
    let roll = try EncodedPreRoll(settings, seconds: Rational(Int64(seconds)))
    let pool = FramePool(format: settings.format, capacity: 64), ticks = MovieTake.ticks(settings)
    var sound = AudioBuffer(format: .standard, capacity: 4000), writer: MovieWriter?, start = 0
    var kept = PreRollStatus()
    for number in 0..<count {
      let first = 2000 * number
      if number == trigger {
        kept = roll.status
        let time = try #require(roll.start(for: Int64(max(0, number - 24 * seconds)) * ticks))
        start = Int(time / ticks)
        roll.begins(at: time, sample: Int64(2000 * start))
        writer = try MovieWriter.prepare(settings, behind: roll).begin(timecode: nil, creationTime: 0)
      }
      if !missing(number) {
        guard var frame = pool.take() else { throw MovieTake.Exhausted() }
        TestPicture.draw(number, into: &frame)
        if let writer {
          try writer.write(frame, at: Int64(number - start) * ticks)
        } else {
          try roll.write(frame, at: Int64(number) * ticks)
        }
      }
      MovieTake.draw(from: first, count: 2000, into: &sound)
      if let writer { try writer.write(sound) } else { try roll.write(sound, at: Int64(first)) }
    }
    let report = try #require(try writer?.finish(at: Int64(count - start) * ticks))
    return Film(path: path, start: start, kept: kept, report: report)
  }

  /// The MD5 of each decoded picture.
  private func pictures(_ path: String) throws -> [Substring] {
    let text = String(
      decoding: try Tool.run([
        "ffmpeg", "-v", "error", "-xerror", "-i", path, "-map", "0:v:0", "-fps_mode", "passthrough", "-f", "framemd5",
        "-",
      ]),
      as: UTF8.self)
    return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { $0.split(separator: " ").last }
  }

  @Test(arguments: codecs)
  func theFilm_hasAllOfIt_withoutAGap(codec: Codec) throws {
    let directory = try MovieDirectory()
    let film = try record(directory, codec, seconds: 3, trigger: 200, count: 260)
    #expect(
      film.start <= 200 - 72 && film.start > 200 - 72 - 24 - 1, "at most a group of pictures earlier: \(film.start)")
    #expect(film.report.frames == Int64(260 - film.start) && film.report.warnings.isEmpty)
    let scale: Int64 = codec.container == .mov ? 1000 : 1
    let times = try MovieProbe.times(film.path)
    #expect(times.first == 0 && times.count == 260 - film.start)
    if scale > 1 { #expect(times == (0..<Int64(260 - film.start)).map { $0 * scale }) }
    // The same encoder made the same of all of them in one film.
    let settings = MovieTake.settings(
      directory.path("whole.\(codec.container.rawValue)"), container: codec.container, layout: codec.layout,
      encoding: codec.encoding)
    try MovieTake(settings, frames: 260).record()
    #expect(try pictures(film.path) == pictures(settings.path).dropFirst(film.start).map { $0 })
    #expect(try MovieProbe.samples(film.path) == (0..<2 * 2000 * (260 - film.start)).map { index in
      Int32(Int16(truncatingIfNeeded: MovieTake.sample(2000 * film.start + index / 2, index % 2))) << 16
    })
  }

  /// Key frames are as many frames apart as ever, and so further apart in time.
  @Test func whereHalfOfTheFramesAreLost_theFilmBeginsUpToTwoSecondsEarlier() throws {
    let directory = try MovieDirectory()
    let film = try record(
      directory, Self.codecs[0], seconds: 3, trigger: 200, count: 260, missing: { !$0.isMultiple(of: 2) })
    #expect(film.start <= 200 - 72 && film.start > 200 - 72 - 48 - 1, "\(film.start)")
    #expect(film.report.frames == Int64(260 - film.start) / 2)
  }

  /// Which of it is old is known before memory is full, and what is kept is bounded by time, too.
  @Test func whatIsOld_isForgotten() throws {
    let directory = try MovieDirectory()
    let film = try record(directory, Self.codecs[0], seconds: 2, trigger: 24 * 20, count: 24 * 21)
    #expect(abs(film.kept.seconds - 2) < 1e-9 && film.kept.frames == 24 * 20, "never more than was asked for")
    #expect(film.kept.bytes <= film.kept.capacityBytes)
    let early = try record(MovieDirectory(), Self.codecs[0], seconds: 2, trigger: 30, count: 31)
    #expect(early.kept.frames == 30 && abs(early.kept.seconds - 30 / 24.0) < 1e-9, "up to the end of the last frame")
  }

  @Test(arguments: codecs)
  func aFilmBeforeItIsFull_beginsWithTheFirstPicture(codec: Codec) throws {
    for trigger in [1, 30] {
      let directory = try MovieDirectory()
      let film = try record(directory, codec, seconds: 3, trigger: trigger, count: 60)
      #expect(film.start == 0 && film.report.frames == 60)
      #expect(try MovieProbe.decodedTimes(film.path).count == 60)
    }
  }

  /// The decoding times of the first pictures would lie as far back as those in front of the hole.
  @Test(arguments: codecs.prefix(2))
  func aHoleInFront_isNotInTheFilm(codec: Codec) throws {
    let directory = try MovieDirectory()
    let film = try record(directory, codec, seconds: 2, trigger: 24 * 12, count: 24 * 13, missing: (100..<214).contains)
    let times = try MovieProbe.times(film.path)
    #expect(times.first == 0 && Int64(times.count) == film.report.frames)
    let probe = try MovieProbe(film.path).video
    #expect(probe["start_time"] as? String == "0.000000")
    #expect(Double(probe["duration"] as? String ?? "") == Double(24 * 13 - film.start) / 24)
  }

  /// The table of a film says how far apart its decoding times are: an editor takes odd ones for a variable rate.
  @Test func aHoleRightInFront_makesNoOddDecodingTimes() throws {
    let directory = try MovieDirectory()
    let film = try record(
      directory, Self.codecs[0], seconds: 3, trigger: 24 * 12, count: 24 * 13, missing: (96..<210).contains)
    #expect(film.start == 210, "a group of pictures begins behind the hole")
    let times = try MovieProbe.decodingTimes(film.path).prefix(48)
    #expect(times.count == 48 && zip(times, times.dropFirst()).allSatisfy { $1 - $0 == 1000 }, "\(times)")
  }

  /// What does not fit is forgotten by whole groups, and the film still begins with a picture that plays.
  @Test func memory_isTheBound() throws {
    let directory = try MovieDirectory()
    let settings = MovieTake.settings(
      directory.path("take.mkv"), container: .mkv, width: 640, height: 360,
      encoding: VideoEncoding(codec: .ffv1, rate: nil))
    let room = PreRollRoom(settings, seconds: 600, heldFrames: 0)
    #expect(room.bytes <= 1 << 30 && room.seconds < 600, "the rest is said")
    for sampleRate in [48_000, 768_000] {
      var heard = settings
      heard.audio = AudioFormat(sampleRate: sampleRate, channels: 2, sample: .s16)
      let both = PreRollRoom(heard, seconds: 600, heldFrames: 0)
      #expect(both.bytes <= 1 << 30 && both.seconds > 0 && both.seconds < room.seconds)
    }
    let roll = try EncodedPreRoll(settings, seconds: Rational(1, 10))
    let pool = FramePool(format: settings.format, capacity: 8), ticks = MovieTake.ticks(settings)
    roll.keepAll(true)
    var noise = SplitMix(seed: 1)
    for number in 0..<120 {
      guard var frame = pool.take() else { throw MovieTake.Exhausted() }
      frame.withMutablePlane(0) { bytes in
        for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: noise.next()) }
      }
      _ = frame.withMutablePlane(1) { $0.initializeMemory(as: UInt8.self, repeating: 128) }
      _ = frame.withMutablePlane(2) { $0.initializeMemory(as: UInt8.self, repeating: 128) }
      try roll.write(frame, at: Int64(number) * ticks)
      #expect(roll.status.bytes <= roll.status.capacityBytes)
    }
    let start = try #require(roll.start(for: 0))
    #expect(start > 0 && roll.status.bytes > roll.status.capacityBytes / 4)
    roll.begins(at: start, sample: 0)
    let report = try MovieWriter.prepare(settings, behind: roll).begin(timecode: nil, creationTime: 0).finish(
      at: 120 * ticks - start)
    #expect(report.frames == 120 - start / ticks)
    #expect(try MovieProbe.decodedTimes(settings.path).count == Int(report.frames))
  }

  /// Its audio goes on, and pushes out pictures that had room enough.
  @Test func aCameraThatIsSilent_makesNoShortfall() throws {
    let settings = MovieTake.settings("take.mov", audio: .standard)
    let roll = try EncodedPreRoll(settings, seconds: Rational(3))
    let pool = FramePool(format: settings.format, capacity: 64), ticks = MovieTake.ticks(settings)
    let silence = 240..<24 * 60
    var sound = AudioBuffer(format: .standard, capacity: 4000), begin: Int64 = -1
    for number in 0..<silence.upperBound + 72 {
      if number == silence.lowerBound { begin = try #require(roll.begin) }
      if number == silence.upperBound { #expect(roll.begin != begin, "audio has needed the room") }
      if !silence.contains(number) {
        guard var frame = pool.take() else { throw MovieTake.Exhausted() }
        TestPicture.draw(number, into: &frame)
        try roll.write(frame, at: Int64(number) * ticks)
      }
      MovieTake.draw(from: 2000 * number, count: 2000, into: &sound)
      try roll.write(sound, at: Int64(2000 * number))
    }
    #expect(roll.shortfall == nil)
  }

  /// A pre-roll of 12 s, after 14 s of frames that are hard to encode.
  private func kept(of encoding: VideoEncoding) throws -> EncodedPreRoll {
    let settings = MovieTake.settings(
      "take.mov", width: 320, height: 180, layout: .yuv422p10, encoding: encoding)
    let roll = try EncodedPreRoll(settings, seconds: Rational(12))
    let pool = FramePool(format: settings.format, capacity: 64), ticks = MovieTake.ticks(settings)
    var noise = SplitMix(seed: 1)
    let luma = (0..<settings.format.planeBytes(0) / 2).map { _ in 480 + UInt16(noise.next() % 64) }
    for number in 0..<24 * 14 {
      guard var frame = pool.take() else { throw MovieTake.Exhausted() }
      frame.withMutablePlane(0) { bytes in
        luma.withUnsafeBytes { bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<bytes.count])) }
      }
      for plane in 1...2 {
        frame.withMutablePlane(plane) { bytes in
          for index in bytes.indices { bytes[index] = index.isMultiple(of: 2) ? 0 : 2 }
        }
      }
      try roll.write(frame, at: Int64(number) * ticks)
    }
    return roll
  }

  /// FFmpeg's ProRes is larger than Apple's.
  @Test func memoryForProRes_holdsWhatItSays() throws {
    let roll = try kept(of: VideoEncoding(codec: .prores))
    #expect(roll.room.seconds == 12 && roll.status.seconds > 11.99, "\(roll.status)")
    #expect(roll.shortfall == nil)
  }

  /// At a constant quality, ProRes has no upper bound.
  @Test func framesThatNeedMoreThanExpected_makeThePreRollShorter_andThatIsKnown() throws {
    let roll = try kept(of: VideoEncoding(codec: .prores, encoder: "prores_ks", rate: .quality(1)))
    let shortfall = try #require(roll.shortfall)
    #expect(shortfall.wanted == 12 && !shortfall.isMostMemory)
    #expect(shortfall.seconds > 4 && shortfall.seconds < 11.9, "\(shortfall)")
  }
}
