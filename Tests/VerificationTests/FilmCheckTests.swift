import Frames
import MovieBoxes
import TestKit
import Testing
import Verification

/// A good film has no findings, and a change of one thing in its header has one that names it.
struct FilmCheckTests {
  /// What players cannot ignore says what it breaks.
  private func expect(
    _ severity: FilmFinding.Severity, _ atom: String, _ words: String, _ check: FilmCheck,
    _ place: SourceLocation = #_sourceLocation
  ) {
    let found = check.findings.first { $0.atom == atom && $0.finding.contains(words) }
    #expect(found?.severity == severity, "\(check.findings)", sourceLocation: place)
    #expect(found?.severity == .note || found?.breaks != nil, sourceLocation: place)
  }

  @Test func aGoodFilmHasNoFindings() {
    let check = CheckedFilm.check(HandMade.film().content)
    #expect(check.findings == [] && !check.isUnfinished)
  }

  @Test func aFilmOfFragmentsWithItsIndexHasNoFindings() throws {
    let bytes = HandMade.fragments(parts: 4).content
    var scanner = FragmentScanner()
    scanner.advance(to: UInt64(bytes.count)) { (offset: UInt64, count: Int) -> [UInt8] in
      Array(bytes[Int(offset)..<min(bytes.count, Int(offset) + count)])
    }
    let ending = try scanner.ending(), place = Int(scanner.headerOffset)
    var film = bytes + ending.index
    film.replaceSubrange(place..<place + ending.cover.count, with: ending.cover)
    #expect(CheckedFilm.check(film).findings == [])
  }

  @Test func codecAndColour() {
    let path = "moov/trak[1]/mdia/minf/stbl/stsd/hvc1", color = path + "/colr"
    expect(
      .error, "moov/trak[1]/mdia/minf/stbl/stsd/hev1", "HEVC is tagged hev1",
      CheckedFilm.changed { $0[path]?.type = "hev1" })
    expect(.error, path, "has no decoder configuration", CheckedFilm.changed { $0[path + "/hvcC"] = nil })
    expect(.warning, color, "is missing", CheckedFilm.changed { $0[color] = nil })
    expect(
      .error, color, "says matrix 9, but the coded frames say 1",
      CheckedFilm.changed { $0[color]?.put(HandMade.big(9, 2), at: 8) })
    expect(
      .warning, color, "does not say transfer (1-2-1)",
      CheckedFilm.changed { $0[color]?.put(HandMade.big(2, 2), at: 6) })
    expect(.warning, color, "cannot say full range", CheckedFilm.decoded { $0.color?.isFullRange = true })
    expect(.error, path, "says 64×48, but the coded frames have 32×48", CheckedFilm.decoded { $0.width = 32 })
  }

  /// It may be a log curve, or sRGB's in ProRes.
  @Test(arguments: [
    (1, "Rec. 709", "bt709 NEW.mov; if it is sRGB: the same with -color_trc iec61966-2-1"),
    (9, "Rec. 2020", "bt2020-10 NEW.mov"), (12, "Display P3", "iec61966-2-1 NEW.mov"),
  ])
  func aFilmWithoutATransferMayBeInLogOrNot(primaries: Int, film: String, rest: String) {
    let color = "moov/trak[1]/mdia/minf/stbl/stsd/hvc1/colr"
    let check = CheckedFilm.changed {
      $0[color]?.put(HandMade.big(primaries, 2) + HandMade.big(2, 2), at: 4)
    }
    let finding = check.findings.first { $0.finding.contains("does not say transfer (\(primaries)-2-1)") }
    #expect(
      finding?.remedy == "camrec info FILE shows its colours from the sidecar; if the film is in log, set its curve,"
        + " which has no number, in the editor; if the film is \(film): ffmpeg -i FILE -map 0 -map -0:d -c copy"
        + " -movflags write_colr -color_trc \(rest)", "\(check.findings)")
  }

  /// A film in S-Log3 or V-Log says only its matrix: FFmpeg has no numbers for the rest.
  @Test(arguments: [
    (1, "Rec. 709", "bt709 -color_trc bt709"), (6, "Rec. 601", "smpte170m -color_trc bt709"),
    (9, "Rec. 2020", "bt2020 -color_trc bt2020-10"),
  ])
  func aLogFilmIsSetInTheEditor(matrix: Int, film: String, options: String) {
    let color = "moov/trak[1]/mdia/minf/stbl/stsd/hvc1/colr"
    let check = CheckedFilm.changed {
      $0[color]?.put(HandMade.big(2, 2) + HandMade.big(2, 2) + HandMade.big(matrix, 2), at: 4)
    }
    let finding = check.findings.first { $0.finding.contains("does not say primaries and transfer (2-2-\(matrix))") }
    let remedy = finding?.remedy ?? "\(check.findings)"
    #expect(remedy.hasPrefix("a log curve and its maker's primaries have no numbers: set them in the editor"))
    #expect(
      remedy.hasSuffix(
        "; if the film is \(film): ffmpeg -i FILE -map 0 -map -0:d -c copy -movflags write_colr"
          + " -color_primaries \(options) NEW.mov"), "\(remedy)")
  }

  /// FFmpeg's players follow the frames, even if those say nothing; ProRes has no numbers for some curves.
  @Test(arguments: [
    ("hevc", 1, " -color_trc bt709 -bsf:v hevc_metadata=colour_primaries=1:transfer_characteristics=1 NEW.mov"),
    ("hevc", 9, " -color_trc bt2020-10 -bsf:v hevc_metadata=colour_primaries=9:transfer_characteristics=14 NEW.mov"),
    ("prores", 1, " -color_trc bt709 -bsf:v prores_metadata=color_primaries=1:color_trc=1 NEW.mov"),
    ("prores", 9, " -color_trc bt2020-10 -bsf:v prores_metadata=color_primaries=9 NEW.mov"),
    ("ffv1", 1, " -color_trc bt709 NEW.mov"),
  ])
  func aRemedyForColoursSetsThemInFramesThatDoNotSayThem(codec: String, matrix: Int, end: String) {
    var film = HandMade.film(), streams = CheckedFilm.streams
    film["moov/trak[1]/mdia/minf/stbl/stsd/hvc1/colr"]?.put(
      HandMade.big(2, 2) + HandMade.big(2, 2) + HandMade.big(matrix, 2), at: 4)
    streams[0].codec = codec
    streams[0].color = StreamFacts.Color(primaries: 2, transfer: 2, matrix: matrix, isFullRange: false)
    let findings = CheckedFilm.check(film.content, .success(streams)).findings
    let finding = findings.first { $0.finding.contains("does not say primaries and transfer (2-2-\(matrix))") }
    #expect(finding?.remedy?.hasSuffix(end) == true, "\(findings)")
  }

  /// FFmpeg keeps chapters, but not where the first one begins.
  @Test func aRemedyByFFmpeg_saysWhatItCostsAFilmWithChapters() {
    let color = "moov/trak[1]/mdia/minf/stbl/stsd/hvc1/colr"
    func remedy(_ starts: [Int], version: Int = 1) -> String {
      let chapters: [UInt8] = starts.flatMap { (start: Int) -> [UInt8] in HandMade.big(start * 10_000, 8) + [1, 65] }
      let list = HandMade.Box.full(
        "chpl", version: version, HandMade.big(0, version == 1 ? 4 : 0) + [UInt8(starts.count)] + chapters)
      let check = CheckedFilm.changed {
        $0["moov"]?.boxes.append(HandMade.Box("udta", [], [list]))
        $0[color] = nil
      }
      return check.findings.first { $0.atom == color }?.remedy ?? "\(check.findings)"
    }
    let usual = remedy([])
    #expect(usual.contains("ffmpeg -i FILE ") && !usual.contains("chapter"))
    #expect(remedy([0, 2000]) == usual)
    for version in [0, 1] {
      #expect(
        remedy([1792, 3417], version: version) == usual + "; FFmpeg may move the first chapter (at 1.792 s) to 0 s")
    }
    let other = CheckedFilm.changed {
      $0["moov"]?.boxes.append(HandMade.Box("udta", [], [.full("chpl", version: 1, HandMade.big(0, 4) + [9])]))
    }
    #expect(other.findings.map(\.severity) == [.note], "a list that is cut off is no player's matter")
  }

  /// As in sRGB's ProRes films.
  @Test func aRemedyByFFmpeg_saysHowToKeepColoursThatOnlyColrSays() {
    func remedy(transfer: Int, codec: String) -> String {
      let check = CheckedFilm.decoded {
        $0.codec = codec
        $0.width = 32
        $0.color?.transfer = transfer
      }
      return check.findings.first { $0.finding.contains("the coded frames have 32×48") }?.remedy ?? "\(check.findings)"
    }
    let usual = remedy(transfer: 1, codec: "prores")
    #expect(usual.contains("ffmpeg -i FILE ") && !usual.contains("colr"))
    #expect(
      remedy(transfer: 2, codec: "prores") == usual
        + "; FFmpeg leaves out what colr says and the frames do not: add -movflags write_colr -color_trc 1")
    #expect(remedy(transfer: 2, codec: "ffv1") == usual)
  }

  @Test func aRemedyThatWritesColrIsNotToldToDoSo() {
    let cost = "; FFmpeg leaves out what colr says and the frames do not: add -colorspace 1"
    var film = HandMade.film(), streams = CheckedFilm.streams
    film["moov/trak[1]/mdia/minf/stbl/stsd/hvc1/colr"]?.put(HandMade.big(2, 2), at: 6)
    streams[0].color?.transfer = 2
    streams[0].color?.matrix = 2
    let silent = CheckedFilm.check(film.content, .success(streams)).findings
    let remedy = silent.first { $0.finding.contains("does not say transfer (1-2-1)") }?.remedy ?? "\(silent)"
    #expect(remedy.contains("-c copy -movflags write_colr "), "\(remedy)")
    #expect(remedy.contains("-color_trc bt709 -bsf:v hevc_metadata=transfer_characteristics=1 NEW.mov; "), "\(remedy)")
    #expect(remedy.hasSuffix("-color_trc iec61966-2-1 and transfer_characteristics=13" + cost), "\(remedy)")
    let other = CheckedFilm.decoded {
      $0.color?.primaries = 9
      $0.color?.matrix = 2
    }
    let wrong = other.findings.first { $0.finding.contains("says primaries 1, but") }?.remedy ?? "\(other.findings)"
    #expect(wrong.hasSuffix("; if the frames are right: -movflags write_colr" + cost), "\(wrong)")
  }

  @Test func numbersOfTheSameMeaningAreNoDifference() {
    // A curve has four numbers, and 2 says nothing.
    let color = StreamFacts.Color(primaries: 1, transfer: 6, matrix: 2, isFullRange: false)
    #expect(CheckedFilm.decoded { $0.color = color }.findings == [])
  }

  @Test func placeAndSizeOfThePicture() {
    let path = "moov/trak[1]/tkhd", description = "moov/trak[1]/mdia/minf/stbl/stsd/hvc1"
    expect(
      .warning, path, "its matrix is not a rotation by quarter turns: -1.0 0.0 0.0 0.0 1.0",
      CheckedFilm.changed { $0[path]?.put(HandMade.big(-0x1_0000, 4), at: 40) })
    expect(
      .warning, path, "moves it by 5.0, 0.0 instead of 0.0, 0.0",
      CheckedFilm.changed { $0[path]?.put(HandMade.big(5 << 16, 4), at: 64) })
    expect(
      .warning, path, "is shown at 128.0×48.0, but coded at 64×48",
      CheckedFilm.changed { $0[path]?.put(HandMade.big(128 << 16, 4), at: 76) })
    expect(.warning, path, "the track is disabled", CheckedFilm.changed { $0[path]?.put(HandMade.big(6, 3), at: 1) })
    expect(
      .error, description, "has a size of 0×48",
      CheckedFilm.changed { $0[description]?.put(HandMade.big(0, 2), at: 24) })
  }

  @Test func theIndexCountsItsSamples() {
    let path = "moov/trak[1]/mdia/minf/stbl"
    let times = path + "/stts", runs = path + "/stsc", offsets = path + "/stco", keys = path + "/stss"
    expect(
      .error, times, "has durations of 11 samples, but the track has 12",
      CheckedFilm.changed { $0[times]?.put(HandMade.big(11, 4), at: 8) })
    expect(
      .error, times, "claims 1000 entries, but has room for 1",
      CheckedFilm.changed { $0[times]?.put(HandMade.big(1000, 4), at: 4) })
    let twoRuns = [0, 2, 1, 0, 11, 1000].flatMap { HandMade.big($0, 4) }
    expect(.error, times, "a sample lasts 0 ticks", CheckedFilm.changed { $0[times]?.fields = twoRuns })
    expect(.error, times, "is missing", CheckedFilm.changed { $0[times] = nil })
    expect(
      .error, runs, "has 13 samples in its chunks, but the track has 12",
      CheckedFilm.changed { $0[runs]?.put(HandMade.big(13, 4), at: 12) })
    expect(
      .error, runs, "a chunk uses description 2, but the track has only 1",
      CheckedFilm.changed { $0[runs]?.put(HandMade.big(2, 4), at: 16) })
    expect(
      .error, offsets, "outside the data (mdat)", CheckedFilm.changed { $0[offsets]?.put(HandMade.big(4, 4), at: 8) })
    expect(
      .error, offsets, "but the file ends at",
      CheckedFilm.changed { $0[offsets]?.put(HandMade.big(1 << 30, 4), at: 8) })
    expect(
      .error, keys, "lists key frames that cannot exist",
      CheckedFilm.changed { $0[keys]?.put(HandMade.big(13, 4), at: 8) })
    expect(
      .error, keys, "the first key frame is frame 2", CheckedFilm.changed { $0[keys]?.put(HandMade.big(2, 4), at: 8) })
    expect(.error, path + "/stsz", "lists 12 frames, but FFmpeg finds 11", CheckedFilm.decoded { $0.samples = 11 })
  }

  @Test func headersAgree() {
    let movie = "moov/mvhd", sound = "moov/trak[2]"
    expect(
      .error, "moov", "says 5.0 s, but its longest track lasts 0.5 s",
      CheckedFilm.changed { $0[movie]?.put(HandMade.big(5000, 4), at: 16) })
    expect(.error, "moov", "has 0 ticks a second", CheckedFilm.changed { $0[movie]?.put(HandMade.big(0, 4), at: 12) })
    expect(
      .warning, "moov", "says that the next track has number 3, but there already is a track 3",
      CheckedFilm.changed { $0[movie]?.put(HandMade.big(3, 4), at: 96) })
    expect(
      .error, sound, "has the number 1, like another track",
      CheckedFilm.changed { $0[sound + "/tkhd"]?.put(HandMade.big(1, 4), at: 12) })
    expect(
      .error, sound + "/mdia/mdhd", "says 90000 ticks, but the samples last 4000",
      CheckedFilm.changed { $0[sound + "/mdia/mdhd"]?.put(HandMade.big(90000, 4), at: 16) })
    expect(.error, sound + "/mdia/hdlr", "is missing", CheckedFilm.changed { $0[sound + "/mdia/hdlr"] = nil })
    expect(.error, sound + "/mdia", "minf at", CheckedFilm.changed { $0[sound + "/mdia/minf"]?.claimedSize = 1 << 20 })
    expect(.error, "moov", "the film has no tracks", CheckedFilm.made([]))
  }

  @Test func ratesThatMissATelevisionRateByRounding() {
    expect(
      .error, "moov/trak[1]/mdia/minf/stbl/stts", "close to 24000/1001 but not equal",
      CheckedFilm.made([.pictures(timescale: 2398, ticks: 100)]))
    for (scale, ticks) in [(24000, 1001), (30000, 1001), (25, 1), (12500, 1000)] {
      let check = CheckedFilm.made([.pictures(timescale: scale, ticks: ticks)])
      #expect(!check.findings.contains { $0.finding.contains("the rate is") }, "\(scale)/\(ticks)")
    }
  }

  @Test func timecodeCountsAsThePictureDoes() {
    let path = "moov/trak[3]/mdia/minf/stbl/stsd/tmcd"
    expect(
      .error, path, "is drop-frame at 24 fps, which has no drop-frame labels",
      CheckedFilm.changed { $0[path]?.put(HandMade.big(1, 4), at: 12) })
    expect(
      .error, path, "has 25 frames in a second of labels, not the 24 of 24 fps",
      CheckedFilm.changed { $0[path]?.put([25], at: 24) })
    expect(
      .error, path, "counts 25 frames a second, but the picture has 24",
      CheckedFilm.changed { $0[path]?.put(HandMade.big(960, 4), at: 20) })
    expect(
      .error, "moov/trak[1]", "refers to track 9 for its timecode, which has none",
      CheckedFilm.changed { $0["moov/trak/tref/tmcd"]?.fields = HandMade.big(9, 4) })
    expect(
      .error, "moov/trak[3]", "no picture track refers to this timecode track",
      CheckedFilm.changed { $0["moov/trak/tref"] = nil })
    expect(
      .warning, path, "begins with frame 2073600, but a day has 2073600",
      CheckedFilm.made([.pictures(), .sound(), .timecode(first: 24 * 86400)]))
    expect(
      .warning, path, "ends at 0.25 s, but the picture at 0.5 s",
      CheckedFilm.made([.pictures(), .sound(), .timecode(frames: 6)]))
    expect(.note, "moov/trak[1]", "the film has no timecode track", CheckedFilm.made([.pictures()]))
  }

  /// Every second frame is missing, or only some are: the picture's rate is that of its timecode.
  @Test func aFilmWithGapsHasTheRateOfItsTimecode() throws {
    let times = "moov/trak[1]/mdia/minf/stbl/stts"
    let tracks = [HandMade.Track.pictures(ticks: 2000), .timecode(frames: 24)]
    let half = CheckedFilm.made(tracks)
    #expect(
      half.findings.map(\.finding)
        == [
          "the durations of 11 of 12 frames differ from 1000/24000 s (they are 2000 ticks), not counting the last",
          "the last frame is shown for 2000 ticks, as 2 frames of 1000/24000 s would be: frames are missing behind it",
        ])
    #expect(half.findings.first?.remedy?.contains("camrec bake FILE --fill-gaps") == true)
    #expect(half.facts.tracks.first?.rate == "24")
    let mixed = CheckedFilm.changed {
      $0[times]?.fields = [0, 3, 1, 1000, 10, 2000, 1, 1000].flatMap { HandMade.big($0, 4) }
    }
    expect(.warning, times, "the durations of 10 of 12 frames differ from 1000/24000 s", mixed)
    #expect(mixed.findings.first { $0.atom == times }?.remedy?.contains("--fill-gaps") == true)
    // Nobody knows that of another program's film: its frames may be slow.
    let slow = CheckedFilm.check(HandMade.film(tracks, software: "Lavf61").content)
    #expect(slow.findings.contains { $0.finding == "counts 24 frames a second, but the picture has 12" })
    #expect(slow.facts.tracks.first?.rate == "12")
  }

  private static func reordered(durations: [Int], behind: Int) -> FilmCheck {
    CheckedFilm.changed { reorder(&$0, track: 1, durations: durations, behind: behind) }
  }

  /// As an encoder stores it that shows every second frame after the one behind it.
  private static func reorder(_ film: inout HandMade.Box, track: Int, durations: [Int], behind: Int) {
    let table = "moov/trak[\(track)]/mdia/minf/stbl", order = [0, 2, 1, 4, 3, 6, 5, 8, 7, 10, 9, 11]
    var decoded = 0
    let offsets = zip(order, durations).flatMap { place, ticks in
      defer { decoded += ticks }
      return [1, 1000 * (place + (place == 11 ? behind : 0)) + 2000 - decoded]
    }
    let runs = durations.flatMap { [1, $0] }
    film[table + "/stts"]?.fields = [[0, 12], runs].joined().flatMap { HandMade.big($0, 4) }
    film[table]?.boxes.append(.full("ctts", [[12], offsets].joined().flatMap { HandMade.big($0, 4) }))
  }

  /// The tables give the last stored frames durations of 2 and 6 frames. The last but one on the screen lasts 7.
  @Test func aGapNearTheEnd_isAsLongAsItIsShown() {
    let atom = "moov/trak[1]/mdia/minf/stbl/stts"
    let gap = Self.reordered(durations: Array(repeating: 1000, count: 10) + [2000, 6000], behind: 6)
    expect(
      .warning, atom, "the durations of 1 of 12 frames differ from 1000/24000 s (they are 1000 to 7000 ticks)", gap)
    let whole = Self.reordered(durations: Array(repeating: 1000, count: 12), behind: 0)
    #expect(!whole.findings.contains { $0.atom == atom }, "\(whole.findings)")
  }

  /// - Parameter edit: its duration in 1000 ticks a second, and the tick that it begins with.
  private static func timed(_ runs: [Int], edit: (duration: Int, time: Int)? = nil) -> FilmCheck {
    CheckedFilm.changed { film in
      film["moov/trak[1]/mdia/minf/stbl/stts"]?.fields = ([0, runs.count / 2] + runs).flatMap { HandMade.big($0, 4) }
      guard let edit else { return }
      let list = [1, edit.duration, edit.time, 1 << 16].flatMap { HandMade.big($0, 4) }
      film["moov/trak[1]"]?.boxes.append(HandMade.Box("edts", [], [HandMade.Box.full("elst", list)]))
    }
  }

  private static func filledEnd(missing: Int, total: Int) -> String {
    "repeat the last frame: ffmpeg -i FILE -vf fps=24,tpad=stop_mode=clone:stop=\(missing) -frames:v \(total) NEW.mov"
  }

  /// The camera was lost, and the recording ended before it came back. The finding on the other gaps keeps its figures:
  /// goldens have them.
  @Test func aGapAtTheEndHasItsOwnFinding() {
    let atom = "moov/trak[1]/mdia/minf/stbl/stts"
    let end =
      "the last frame is shown for 5000 ticks, as 5 frames of 1000/24000 s would be: frames are missing behind it"
    let both = Self.timed([3, 1000, 1, 3000, 7, 1000, 1, 5000]).findings.filter { $0.atom == atom }
    #expect(
      both.map(\.finding)
        == [
          "the durations of 1 of 12 frames differ from 1000/24000 s (they are 1000 to 3000 ticks)"
            + ", not counting the last",
          end,
        ])
    #expect(both.first?.remedy?.contains("--fill-gaps") == true)
    #expect(both.last?.remedy == Self.filledEnd(missing: 4, total: 18))
    let only = Self.timed([11, 1000, 1, 5000])
    expect(.warning, atom, end, only)
    // Nothing follows that would show '--fill-gaps' how long the gap is.
    let found = only.findings.filter { $0.atom == atom }
    #expect(found.compactMap(\.remedy) == [Self.filledEnd(missing: 4, total: 16)], "\(found)")
    #expect(only.facts.tracks.first?.rate == "24")
  }

  /// Their last frame says nothing.
  @Test func framesThatLastVariouslyHaveOneFinding() {
    let film = Self.timed([8, 1000, 3, 1500, 1, 5000])
    let found = film.findings.filter { $0.atom == "moov/trak[1]/mdia/minf/stbl/stts" }
    #expect(
      found.map(\.finding)
        == ["the durations of 3 of 12 frames differ from 1000/24000 s (they are 1000 to 1500 ticks)"])
  }

  /// An edit may hide the rest of the last frame, or skip the first ones. Its duration may be rounded down.
  @Test(arguments: [
    (5000, 667, 0, 5000, 4, 16), (5000, 666, 0, 5000, 4, 16), (5000, 600, 0, 3400, 2, 14),
    (5000, 625, 1000, 5000, 4, 15), (5000, 500, 0, 0, 0, 0), (2000, 500, 0, 0, 0, 0), (2000, 541, 0, 2000, 1, 13),
  ])
  func theLastFrameLastsAsLongAsItIsShown(
    ticks: Int, duration: Int, time: Int, shown: Int, missing: Int, total: Int
  ) {
    let found = Self.timed([11, 1000, 1, ticks], edit: (duration, time)).findings.filter {
      $0.finding.hasPrefix("the last frame is shown for ")
    }
    let remedies = shown == 0 ? [] : [Self.filledEnd(missing: missing, total: total)]
    #expect(found.compactMap(\.remedy) == remedies, "\(found)")
    let words = "shown for \(shown) ticks, as \(missing + 1) frames of "
    #expect(found.allSatisfy { $0.finding.contains(words) }, "\(found)")
  }

  /// A film may end in the middle of a frame.
  @Test(arguments: [1, 500, 1001, 1999]) func theLastFrameMayHaveAnotherDuration(ticks: Int) {
    let film = Self.timed([11, 1000, 1, ticks])
    #expect(!film.findings.contains { $0.atom == "moov/trak[1]/mdia/minf/stbl/stts" }, "\(film.findings)")
  }

  /// A small file may have hundreds of tracks with millions of samples each.
  @Test(arguments: [(24, [7000, 7000]), (23, [7000, 2000]), (11, [2000, 2000])] as [(UInt64, [Int])])
  func timesAreFoundForSoManySamplesOfAllTracks(most: UInt64, longest: [Int]) {
    var second = HandMade.Track.pictures()
    second.number = 4
    var film = HandMade.film([.pictures(), second])
    let durations = Array(repeating: 1000, count: 10) + [2000, 6000]
    for track in 1...2 { Self.reorder(&film, track: track, durations: durations, behind: 6) }
    let found = CheckedFilm.check(film.content, mostSamples: most).findings.map(\.finding)
    #expect(
      found.filter { $0.hasPrefix("the durations of ") }
        == longest.map {
          "the durations of 1 of 12 frames differ from 1000/24000 s (they are 1000 to \($0) ticks)"
        })
    // The tables alone give 6000 ticks to the one that is stored last, which need not be the last one shown.
    #expect(!found.contains { $0.hasPrefix("the last frame ") }, "\(found)")
  }

  /// More ticks than a signed number holds, the first of them late.
  @Test func aFilmWithoutEndIsChecked() {
    let table = "moov/trak[1]/mdia/minf/stbl", most = 0xFFFF_FFFF
    let check = CheckedFilm.changed { film in
      film[table + "/stts"]?.fields = [0, 1, most, most].flatMap { HandMade.big($0, 4) }
      film[table]?.boxes.append(.full("ctts", [1, 12, 1].flatMap { HandMade.big($0, 4) }))
    }
    expect(.error, table + "/stts", "has durations of 4294967295 samples, but the track has 12", check)
  }

  /// FFmpeg counts the labels of its copy at the mean rate, which gaps distort.
  @Test func gapsAreFilledBeforeFFmpegCopiesTheFilm() {
    let path = "moov/trak[3]/mdia/minf/stbl/stsd/tmcd"
    var film = HandMade.film([.pictures(ticks: 2000), .sound(12000), .timecode(frames: 24)])
    film[path]?.put([25], at: 24)
    let remedies = CheckedFilm.check(film.content).findings.filter { $0.atom != "moov/trak[1]/mdia/minf/stbl/stts" }
    #expect(remedies.count == 2 && remedies.allSatisfy { $0.remedy?.contains("--fill-gaps") == true }, "\(remedies)")
    let sound = remedies.first { $0.finding == "the audio ends 0.5 s after the picture" }
    #expect(sound?.remedy?.contains("; then ffmpeg -i NEW.mov -map 0:v -map 0:a ") == true, "\(remedies)")
  }

  @Test func soundHasItsPlace() {
    let sizes = "moov/trak[2]/mdia/minf/stbl/stsz", description = "moov/trak[2]/mdia/minf/stbl/stsd/sowt"
    expect(
      .error, sizes, "a sample of 1 channel takes 3 bytes, but 2 are described",
      CheckedFilm.changed { $0[sizes]?.put(HandMade.big(3, 4), at: 4) })
    expect(
      .error, description, "has 0 channels", CheckedFilm.changed { $0[description]?.put(HandMade.big(0, 2), at: 16) })
    expect(
      .warning, description, "has a sample rate of 7999.5 Hz",
      CheckedFilm.changed { $0[description]?.put(HandMade.big(7999 << 16 + 0x8000, 4), at: 24) })
    expect(
      .warning, "moov/trak[2]/tkhd", "the audio ends 0.25 s before the picture",
      CheckedFilm.made([.pictures(), .sound(2000), .timecode()]))
  }

  @Test func whatADecoderRefusesIsFound() {
    let refusal = CamrecError(.input, "moov atom not found")
    expect(
      .error, "the file", "FFmpeg cannot open it: moov atom not found",
      CheckedFilm.check(HandMade.film().content, .failure(refusal)))
    expect(
      .error, "moov/trak[1]", "hevc: its last frame is damaged",
      CheckedFilm.decoded { $0.damage = "its last frame is damaged" })
    expect(
      .warning, "moov/trak[1]", "but not from the last key frame",
      CheckedFilm.decoded { $0.isDamagedBehindJump = true })
  }

  @Test func filmsOfOthersAreNamedAsSuch() {
    let check = CheckedFilm.check(HandMade.film(software: "Lavf61").content)
    #expect(check.findings.map(\.finding) == ["the film is not camrec's: it was made by Lavf61"])
    #expect(check.findings.map(\.severity) == [.note])
  }
}
