import Audio
import Foundation
import Frames
import MediaFFmpeg
import Movies
import TestKit
import Testing

struct MovieTimesTests {
  static let rates: [(Rational, String?)] = [
    (Rational(24000, 1001), "01:00:00:00"), (Rational(24), "09:59:59:23"), (Rational(25), "00:00:00:00"),
    (Rational(30000, 1001), "10:00:59;28"), (Rational(30), nil), (Rational(60000, 1001), "23:59:59;59"),
    (Rational(25, 2), "00:00:00:12"),
  ]

  /// The finished movie and a copy of it as it lay on disk before.
  @discardableResult
  private func record(_ take: MovieTake, copyAfter number: Int, to copy: String) throws -> MovieReport {
    let writer = try MovieWriter.open(take.settings)
    return try take.record(to: writer) { done in
      writer.settle()
      if done == number { try FileManager.default.copyItem(atPath: take.settings.path, toPath: copy) }
    }
  }

  @Test(arguments: rates)
  func rateIsExactInFragmentsAndInTheEnd(rational: Rational, label: String?) throws {
    let directory = try MovieDirectory()
    let rate = try #require(FrameRate(rational))
    let timecode = try label.map { try Timecode(parsing: $0, rate: rate) }
    let settings = MovieTake.settings(directory.path("take.mov"), rate: rate, audio: .standard, timecode: timecode)
    let take = MovieTake(settings, frames: 90)
    let report = try record(take, copyAfter: 89, to: directory.path("killed.mov"))
    #expect(report.warnings == [])

    let probe = try MovieProbe(settings.path)
    let exact = "\(rational.numerator)/\(rational.denominator)"
    #expect(probe.video["avg_frame_rate"] as? String == exact)
    #expect(probe.video["r_frame_rate"] as? String == exact)
    #expect(probe.video["time_base"] as? String == "1/\(settings.timeBase.denominator)")
    #expect(probe.video["duration_ts"] as? Int64 == take.endTime)
    #expect(probe.video["nb_frames"] as? String == "90")
    #expect(try MovieProbe.times(settings.path) == take.times)
    #expect(try MovieProbe.decodedTimes(settings.path) == take.times)

    let killed = try MovieProbe(directory.path("killed.mov"))
    #expect(killed.video["r_frame_rate"] as? String == exact)
    let survived = try MovieProbe.decodedTimes(directory.path("killed.mov"))
    #expect(survived == Array(take.times.prefix(survived.count)))

    for file in [probe, killed] {
      #expect((file.video["tags"] as? [String: String])?["timecode"] == label)
      let track = file.stream("data")
      #expect(track["codec_tag_string"] as? String == label.map { _ in "tmcd" })
      #expect((track["tags"] as? [String: String])?["timecode"] == label)
    }
  }

  /// The timecode track, to the byte: QuickTime File Format, "Timecode Sample Description".
  @Test func timecodeTrackCountsFramesOfThePicture() throws {
    let directory = try MovieDirectory()
    let rate = try #require(FrameRate(Rational(30000, 1001)))
    let settings = try MovieTake.settings(
      directory.path("take.mov"), rate: rate, timecode: Timecode(parsing: "00:01:00;02", rate: rate))
    try MovieTake(settings, frames: 30).record()
    let boxes = try FilmBoxes(settings.path)
    let description = try #require(boxes.all("moov/trak/mdia/minf/stbl/stsd/tmcd").first)
    // Six reserved bytes, reference index, flags, timecode flags, scale, frame duration, frames per second.
    #expect(FilmBoxes.number(description, 12, 4) == 1, "drop-frame")
    #expect(FilmBoxes.number(description, 16, 4) == 30000)
    #expect(FilmBoxes.number(description, 20, 4) == 1001)
    #expect(FilmBoxes.number(description, 24, 1) == 30)
    // The picture refers to it, and its one sample is the frame number of the label: 1800, as ;00 and ;01 do not exist.
    #expect(boxes.all("moov/trak/tref/tmcd").count == 1)
    let offsets = boxes.all("moov/trak/mdia/minf/stbl/stco").map { FilmBoxes.number($0, 8, 4) }
    let file = try Data(contentsOf: URL(fileURLWithPath: settings.path))
    #expect(offsets.map { FilmBoxes.number(file, Int($0), 4) }.contains(1800))
    let durations = boxes.all("moov/trak/tkhd").map { FilmBoxes.number($0, 20, 4) }
    #expect(durations == [30030, 30030])
  }

  @Test func timecodeOfMoreThan255FramesIsLeftOutWithAWarning() throws {
    let directory = try MovieDirectory()
    let rate = try #require(FrameRate(Rational(300)))
    let settings = try MovieTake.settings(
      directory.path("take.mov"), rate: rate, timecode: Timecode(parsing: "00:00:00:00", rate: rate))
    let report = try MovieTake(settings, frames: 5).record()
    #expect(report.frames == 5)
    #expect(
      report.warnings
        == ["at 300 fps '\(settings.path)' has no timecode: a timecode track counts at most 255 frames a second"])
    #expect(try MovieProbe(settings.path).stream("data").isEmpty)
  }

  @Test(arguments: [true, false], [Container.mov, .mkv])
  func lostFramesLengthenTheirPredecessors(isLive: Bool, container: Container) throws {
    let directory = try MovieDirectory()
    let settings = MovieTake.settings(
      directory.path("take.\(container.rawValue)"), container: container, audio: .standard, isLive: isLive)
    // Lost: 3 and 4, 20 to 29, and everything from 50 to 60 before the end.
    let numbers = [0, 1, 2] + Array(5..<20) + Array(30..<50)
    let take = MovieTake(settings, times: numbers.map { Int64($0) * 1000 }, endTime: 61000)
    let report = try take.record()
    #expect(report.frames == Int64(numbers.count))
    let scale: Int64 = container == .mov ? 1 : 24
    let tolerance: Int64 = container == .mov ? 0 : 12
    let found = try MovieProbe.decodedTimes(settings.path).map { $0 * scale }
    #expect(found.count == take.times.count)
    #expect(zip(found, take.times).allSatisfy { abs($0 - $1) <= tolerance })
    let probe = try MovieProbe(settings.path)
    if container == .mov {
      #expect(probe.video["duration_ts"] as? Int64 == 61000)
      let edits = try FilmBoxes(settings.path).all("moov/trak/edts/elst")
      #expect(edits.map { FilmBoxes.number($0, 8, 4) } == [61000, 61000])
    }
    #expect(Double(probe.format["duration"] as? String ?? "") ?? 0 >= 61.0 / 24 - 0.001)
    #expect(try MovieProbe.samples(settings.path).count == 2 * 48000 * 61 / 24)
  }

  /// Reordered pictures take their decoding times from others, so a hole is felt where no picture is missing.
  @Test(arguments: [true, false])
  func lengthIsExactWhereverFramesAreLost(isLive: Bool) throws {
    let directory = try MovieDirectory()
    var losses = [1..<2, 1..<9, 2..<3, 3..<12, 24..<25, 26..<27, 27..<28, 28..<29, 20..<29, 15..<28].map(Set.init)
    // Every fifth at random.
    var random = SplitMix(seed: 25)
    for _ in 0..<12 { losses.append(Set((1..<30).filter { _ in random.next() % 5 == 0 })) }
    for (number, lost) in losses.enumerated() {
      let settings = MovieTake.settings(directory.path("\(number).mov"), isLive: isLive)
      let numbers = (0..<30).filter { !lost.contains($0) }
      let take = MovieTake(settings, times: numbers.map { Int64($0) * 1000 }, endTime: 30000)
      #expect(try take.record().warnings == [])
      #expect(try MovieProbe.decodedTimes(settings.path) == take.times, "without \(lost.sorted())")
      #expect(try MovieProbe(settings.path).video["duration_ts"] as? Int64 == 30000, "without \(lost.sorted())")
      let edits = try FilmBoxes(settings.path).all("moov/trak/edts/elst")
      #expect(edits.map { FilmBoxes.number($0, 8, 4) } == [30000], "without \(lost.sorted())")
    }
  }

  @Test func measuredTimesOfACameraWithoutARateAreKept() throws {
    let directory = try MovieDirectory()
    let settings = MovieTake.settings(directory.path("take.mov"))
    var times: [Int64] = []
    for number in 0..<50 { times.append(Int64(number * 1000 + (number * number * 7919) % 613)) }
    let take = MovieTake(settings, times: times.sorted(), endTime: 50555)
    try record(take, copyAfter: 49, to: directory.path("killed.mov"))
    #expect(try MovieProbe.decodedTimes(settings.path) == take.times)
    let killed = try MovieProbe.decodedTimes(directory.path("killed.mov"))
    #expect(killed.count > 25)
    #expect(killed == Array(take.times.prefix(killed.count)))
  }

  @Test func pictureThatStartsLateStaysLate() throws {
    let directory = try MovieDirectory()
    let settings = MovieTake.settings(directory.path("take.mov"), audio: .standard)
    let take = MovieTake(settings, times: (3..<40).map { Int64($0) * 1000 }, endTime: 40000)
    try record(take, copyAfter: 36, to: directory.path("killed.mov"))
    #expect(try MovieProbe.decodedTimes(settings.path) == take.times)
    #expect(try MovieProbe.decodedTimes(directory.path("killed.mov")).first == 3000)
    #expect(try MovieProbe(settings.path).audio["start_time"] as? String == "0.000000")
  }

  /// libavformat's own index ends the process where a timecode track's one sample does not fit into 31 bits.
  @Test func filmTooLongForLibavformatsIndexHasOne() throws {
    let directory = try MovieDirectory()
    let rate = try #require(FrameRate(Rational(2)))
    var settings = try MovieTake.settings(
      directory.path("take.mov"), rate: rate, timecode: Timecode(parsing: "00:00:00:00", rate: rate))
    settings.timeBase = Rational(1, 1_000_000_000)
    let take = MovieTake(settings, frames: 7)
    let report = try take.record()
    #expect(report.frames == 7 && report.warnings == [])
    #expect(try MovieProbe.decodedTimes(settings.path) == take.times)
    #expect(try FilmBoxes(settings.path).topLevel == ["ftyp", "mdat", "moov"])
  }

  @Test func bakedFilmTooLongForItsTimecodeEndsThere() throws {
    let directory = try MovieDirectory()
    let rate = try #require(FrameRate(Rational(2)))
    var settings = try MovieTake.settings(
      directory.path("take.mov"), rate: rate, timecode: Timecode(parsing: "00:00:00:00", rate: rate), isLive: false)
    settings.timeBase = Rational(1, 1_000_000_000)
    let writer = try MovieWriter.open(settings)
    let refused = #expect(throws: CamrecError.self) { try MovieTake(settings, frames: 8).record(to: writer) }
    #expect(refused?.code == .output)
    #expect(
      refused?.message
        == "'\(settings.path)' is full: a .mov with a timecode lasts 0.0 h at most; a .mkv can last longer")
    #expect(try writer.finish(at: 4_000_000_000).frames == 5)
    #expect(try MovieProbe.decodedTimes(settings.path) == (0..<5).map { $0 * 500_000_000 })
  }

  /// x265 takes decoding times of so short films from unwritten memory, so more than one attempt.
  @Test(arguments: [1, 2, 3, 4])
  func veryShortMovieIsWhole(count: Int) throws {
    let directory = try MovieDirectory()
    for attempt in 0..<4 {
      let settings = MovieTake.settings(directory.path("take: \(attempt) %.mov"), isLive: attempt % 2 == 0)
      let times = (0..<count).map { Int64($0) * 1000 }
      let report = try MovieTake(settings, times: times, endTime: 7000).record()
      #expect(report.frames == Int64(count))
      #expect(report.warnings == [])
      #expect(try MovieProbe.decodedTimes(settings.path) == times)
      #expect(try MovieProbe(settings.path).video["duration_ts"] as? Int == 7000)
    }
  }
}
