import Audio
import Foundation
import Frames
import MediaFFmpeg
import MovieBoxes
import Movies
import Recovery
import Sidecar
import TestKit
import Testing

/// What a crash leaves of a live .mov becomes an ordinary one, whatever the crash has done to it.
struct MovieRecoveryTests {
  /// A film that is cut off behind its last fragment, with its sidecar, and the same film stopped cleanly.
  struct Killed {
    static let frames = 96
    let settings: MovieSettings
    let bytes: [UInt8]
    let boxes: [FilmBoxes.Box]

    init(
      _ directory: MovieDirectory, layout: PixelLayout = .yuv420p, encoding: VideoEncoding = VideoEncoding(),
      audio: AudioFormat? = .standard
    ) throws {
      let rate = try #require(FrameRate(Rational(24)))
      settings = MovieTake.settings(
        directory.path("clean.mov"), width: 96, height: 64, layout: layout, color: .rec709, audio: audio,
        encoding: encoding, rotation: .quarter, timecode: try Timecode(parsing: "10:00:00:00", rate: rate),
        metadata: [MetadataEntry("software", "camrec 0.1.0")])
      let path = settings.path, copy = directory.path("fragments")
      let writer = try MovieWriter.open(settings)
      try MovieTake(settings, frames: Killed.frames).record(to: writer) { number in
        writer.settle()
        if number == Killed.frames - 1 { try FileManager.default.copyItem(atPath: path, toPath: copy) }
      }
      bytes = Array(try Data(contentsOf: URL(fileURLWithPath: copy)))
      boxes = FilmBoxes(bytes: bytes).boxes
      try FileManager.default.removeItem(atPath: copy)
    }

    /// Where its fragments begin, each a `moof` and its `mdat`.
    var fragments: [Int] { boxes.filter { $0.path == "moof" }.map(\.offset) }

    /// Writes a damaged state of the film, and its sidecar, which knows every frame.
    ///
    /// - Parameters:
    ///   - sampleRate: of the audio, if the sidecar knows of any.
    ///   - clip: that the film shows.
    ///   - records: behind those of the frames.
    @discardableResult
    func write(
      _ state: [UInt8], to path: String, hasSidecar: Bool = true, sampleRate: Int? = nil, clip: String? = nil,
      _ records: [SidecarRecord] = []
    ) throws -> String {
      try Data(state).write(to: URL(fileURLWithPath: path))
      guard hasSidecar else { return path }
      let head = SidecarHead(
        software: "camrec 0.1.0", film: (path as NSString).lastPathComponent,
        camera: clip.map { "clip \($0)" } ?? "test", width: 96, height: 64,
        pixelFormat: "yuv420p", frameRate: settings.frameRate, timeBase: settings.timeBase, colorIn: "rec709",
        colorOut: "rec709", codec: "hevc",
        microphone: sampleRate.map { _ in clip.map { "audio of \($0)" } ?? "test" }, sampleRate: sampleRate,
        start: Date(timeIntervalSince1970: 1_795_255_200), timecode: "10:00:00:00")
      let writer = try SidecarWriter(film: path, head: head)
      for index in 0..<Int64(Killed.frames) {
        writer.append(.frame(SidecarFrame(index: index, ticks: index * 1000, sequence: UInt64(index), exposure: nil)))
      }
      records.forEach(writer.append)
      writer.flush()
      return path
    }
  }

  private static func salvage(_ bytes: [UInt8]) -> MovieSalvage {
    MovieSalvage(size: UInt64(bytes.count)) { (offset, count) in
      let begin = min(Int(offset), bytes.count)
      return Array(bytes[begin..<min(bytes.count, begin + count)])
    }
  }

  /// What an editor looks at: the same for a recovered film as for one that was stopped.
  private static func tags(_ path: String) throws -> [String] {
    let probe = try MovieProbe(path)
    var tags = probe.streams.map { stream in
      let keys = [
        "codec_name", "codec_tag_string", "width", "height", "color_space", "color_transfer", "color_primaries",
        "color_range", "pix_fmt", "sample_rate", "channels", "channel_layout", "sample_fmt", "time_base", "start_time",
        "sample_aspect_ratio",
      ]
      let metadata = stream["tags"] as? [String: String] ?? [:]
      let rotation = (stream["side_data_list"] as? [[String: Any]] ?? []).map { "\($0["rotation"] ?? "")" }
      return keys.map { "\(stream[$0] ?? "none")" }.joined(separator: " ")
        + " \(metadata.sorted { $0.key < $1.key }) \(rotation)"
    }
    tags.append("\(probe.formatTags.sorted { $0.key < $1.key })")
    return tags
  }

  private static func isOrdinary(_ path: String) throws -> Bool {
    let boxes = try FilmBoxes(path)
    return boxes.topLevel == ["ftyp", "mdat", "moov"] && boxes.all("moov/mvex").isEmpty
  }

  @Test(arguments: [VideoCodec.hevc, .prores])
  func recoveredFilmIsTheOneThatWasStopped(codec: VideoCodec) throws {
    let directory = try MovieDirectory()
    var encoding = VideoEncoding()
    encoding.codec = codec
    let film = try Killed(directory, layout: codec == .prores ? .yuv422p10 : .yuv420p, encoding: encoding)
    let path = try film.write(film.bytes, to: directory.path("killed.mov"))
    let before = try MovieProbe.packets(path), sound = try MovieProbe.samples(path)
    let found = try FilmRecovery().recover(path)
    #expect(found.verdict == .recovered && found.frames == before.count && found.output == nil)
    #expect(found.missing == Int64(Killed.frames - before.count) && found.unlisted == 0 && found.lostBytes == 0)
    #expect(try Self.isOrdinary(path))
    let packets = try MovieProbe.packets(path), all = try MovieProbe.packets(film.settings.path)
    #expect(packets == before && before.count >= Killed.frames - 24)
    #expect(
      Set(all.map { $0[1...] }).isSuperset(of: packets.map { $0[1...] }), "the samples are those of the clean film")
    #expect(try MovieProbe.samples(path) == sound)
    #expect(try Self.tags(path) == Self.tags(film.settings.path))
    #expect(try FilmRecovery().recover(path).verdict == .finished)
    #expect(try FilmRecovery().recover(path).sentence == "'\(path)' is finished; there is nothing to recover")
    let summary = try SidecarSummary(path: path + ".camrec")
    #expect(summary.recovery?.frames == found.frames && summary.recovery?.missing == found.missing)
    #expect(summary.missing.items.map(\.count) == [Int64(Killed.frames - before.count)])
    #expect(summary.recovery?.ticks == Int64(before.count) * 1000 && abs(summary.seconds - found.seconds) < 1e-9)
  }

  /// Its last frame would stay until the next that the encoder had, and the disk was full before that.
  @Test func aFilmIsNoLongerThanItsRecording() throws {
    let directory = try MovieDirectory(), film = try Killed(directory)
    let end = Int64(Self.salvage(film.bytes).pictures) * 1000 - 400
    let record = SidecarEnd(
      date: Date(timeIntervalSince1970: 1_795_255_210), expected: 96, captured: 96, written: 96, losses: [:],
      ticks: end, soundFrames: nil, soundLost: nil)
    let path = try film.write(film.bytes, to: directory.path("ended.mov"), [.end(record)])
    let packets = try MovieProbe.packets(path).count
    let found = try FilmRecovery().recover(path)
    #expect(found.frames == packets && abs(found.seconds - Double(end) * film.settings.timeBase.doubleValue) < 1e-9)
    #expect(try SidecarSummary(path: SidecarFile.path(ofFilm: path)).recovery?.ticks == end)
    #expect(try MovieProbe.packets(path).count == packets)
  }

  /// The sidecar's rate is not the film's: the camera did not keep to it. Frames 40 and 41 are repeated ones.
  @Test(arguments: [Int64(12), 48]) func repeatsAreFoundAtAnyRate(rate: Int64) throws {
    let directory = try MovieDirectory()
    let film = try Killed(directory), there = Int64(Self.salvage(film.bytes).pictures)
    try #require(there > 50)
    func recover(_ name: String, _ records: [SidecarRecord]) throws -> RecoveredFilm {
      let path = try film.write(film.bytes, to: directory.path(name), hasSidecar: false)
      let head = SidecarHead(
        software: "camrec 0.1.0", film: name, camera: "test", width: 96, height: 64, pixelFormat: "yuv420p",
        frameRate: try #require(FrameRate(Rational(rate))), timeBase: film.settings.timeBase, colorIn: "rec709",
        colorOut: "rec709", codec: "hevc", microphone: nil, sampleRate: nil,
        start: Date(timeIntervalSince1970: 1_795_255_200), timecode: "10:00:00:00")
      let writer = try SidecarWriter(film: path, head: head)
      records.forEach(writer.append)
      writer.flush()
      return try FilmRecovery().recover(path)
    }
    func frames(_ indexes: Range<Int64>, timesOf shift: Int64 = 0) -> [SidecarRecord] {
      indexes.map {
        .frame(SidecarFrame(index: $0, ticks: ($0 - shift) * 1000, sequence: UInt64($0), exposure: nil))
      }
    }
    let known = try recover("known.mov", frames(0..<40) + [.repeated(frame: 40, count: 2)] + frames(42..<there))
    #expect(known.missing == 0 && known.unlisted == 0)
    let summary = try SidecarSummary(path: SidecarFile.path(ofFilm: directory.path("known.mov")))
    #expect(summary.written == there - 2 && summary.repeated.items.map(\.count) == [2])
    // The repeats are not in the film: the next frame stands in their place.
    let lost = try recover(
      "lost.mov", frames(0..<40) + [.repeated(frame: 40, count: 2)] + frames(42..<there + 2, timesOf: 2))
    #expect(lost.missing == 0 && lost.unlisted == 0)
    // The sidecar's own end is lost: no record stands behind the repeats.
    let open = try recover("open.mov", frames(0..<there - 3) + [.repeated(frame: there - 3, count: 2)])
    #expect(open.missing == 0 && open.unlisted == 1)
  }

  /// The frames of the sidecar were due audio that the film does not have. What its microphone had lost is known.
  @Test func audioThatTheFilmLacksAtItsEndIsMissing() throws {
    let directory = try MovieDirectory()
    let film = try Killed(directory), last = try #require(film.fragments.last)
    let state = Array(film.bytes[..<last]), due = Int64(Killed.frames) * 2000
    func check(_ name: String, _ records: [SidecarRecord]) throws -> RecoveredFilm {
      let path = try film.write(state, to: directory.path(name), sampleRate: 48_000, records)
      return try FilmRecovery(isDry: true).recover(path)
    }
    let checked = try check("killed.mov", [])
    let stored = try #require(checked.soundSamples), missing = due - stored
    #expect(missing > 2000 && checked.missingSamples == missing && checked.silentSamples == 0)
    #expect(checked.sentence.contains("; \(missing) audio samples are missing"), "\(checked.sentence)")
    // In front of the film's end, across it, and beyond the last frame.
    let lost = [(stored - 1000, 500), (stored - 100, 600), (due - 200, 300)] as [(Int64, Int64)]
    let losses = lost.map { SidecarRecord.soundLoss(sample: $0.0, count: $0.1) }
    #expect(try check("lost.mov", losses).missingSamples == missing - 700)
    // The account knows how much there was.
    for (recorded, lacks) in [(stored, 0), (stored + 700, 700)] as [(Int64, Int64)] {
      let end = SidecarEnd(
        date: Date(timeIntervalSince1970: 1_795_255_210), expected: 96, captured: 96, written: 96, losses: [:],
        ticks: 96_000, soundFrames: recorded, soundLost: 0)
      #expect(try check("end-\(lacks).mov", [.end(end)]).missingSamples == lacks)
    }
    // A clip's audio may end before its frames, unless the account knows of more.
    for recorded in [nil, stored + 700] as [Int64?] {
      let path = directory.path("clip-\(recorded == nil ? "open" : "ended").mov")
      let end = recorded.map { (recorded) in
        SidecarRecord.end(
          SidecarEnd(
            date: Date(timeIntervalSince1970: 1_795_255_210), expected: 96, captured: 96, written: 96, losses: [:],
            ticks: 96_000, soundFrames: recorded, soundLost: 0))
      }
      try film.write(state, to: path, sampleRate: 48_000, clip: "a b.mov", [end].compactMap(\.self))
      #expect(try FilmRecovery(isDry: true).recover(path).missingSamples == (recorded == nil ? 0 : 700))
    }
    let silent = try film.write(state, to: directory.path("silent.mov"))
    #expect(try FilmRecovery(isDry: true).recover(silent).missingSamples == nil, "its sidecar has no audio")

    let path = directory.path("killed.mov")
    #expect(try FilmRecovery().recover(path).missingSamples == missing)
    let summary = try SidecarSummary(path: SidecarFile.path(ofFilm: path))
    #expect(summary.recovery?.missingSamples == missing && summary.absentSound == missing)
  }

  /// The encoder was too slow: frames waited for it when the recording was killed, and later ones were lost.
  @Test func framesThatWaitedToBeWrittenAreLost() throws {
    let directory = try MovieDirectory()
    let film = try Killed(directory)
    let losses: [SidecarRecord] = [
      .frameLoss(.overload, frame: 101, count: 1), .frameLoss(.overload, frame: 98, count: 2),
      .frameLoss(.overload, frame: nil, count: 5), .frameLoss(.overload, frame: 50, count: 1),
    ]
    let path = try film.write(film.bytes, to: directory.path("killed.mov"), sampleRate: 48_000, losses)
    let found = try FilmRecovery().recover(path), stored = try #require(found.soundSamples)
    #expect(found.unwritten == 3, "96, 97 and 100")
    #expect(found.sentence.contains("; 3 frames that waited to be written are lost"), "\(found.sentence)")
    #expect(found.missingSamples == 102 * 2000 - stored, "audio was due for frame 101")
    let summary = try SidecarSummary(path: SidecarFile.path(ofFilm: path))
    #expect(summary.recovery?.unwritten == 3 && summary.unaccounted == (found.missing ?? 0) + 3)
    // The account has all of them.
    let end = SidecarEnd(
      date: Date(timeIntervalSince1970: 1_795_255_210), expected: 102, captured: 102, written: 96,
      losses: [.overload: 6], ticks: 102_000)
    let ended = try film.write(film.bytes, to: directory.path("ended.mov"), losses + [.end(end)])
    #expect(try FilmRecovery(isDry: true).recover(ended).unwritten == 0)
  }

  /// The sidecar's own end is lost: the film has the first of the frames that have no record.
  @Test func framesOfTheFilmHaveNotWaitedToBeWritten() throws {
    let directory = try MovieDirectory()
    let film = try Killed(directory), there = Int64(Self.salvage(film.bytes).pictures)
    let path = try film.write(film.bytes, to: directory.path("killed.mov"), hasSidecar: false)
    let head = SidecarHead(
      software: "camrec 0.1.0", film: "killed.mov", camera: "test", width: 96, height: 64, pixelFormat: "yuv420p",
      frameRate: film.settings.frameRate, timeBase: film.settings.timeBase, colorIn: "rec709", colorOut: "rec709",
      codec: "hevc", microphone: nil, sampleRate: nil, start: Date(timeIntervalSince1970: 1_795_255_200),
      timecode: "10:00:00:00")
    let writer = try SidecarWriter(film: path, head: head)
    for index in 0..<there - 1 {
      writer.append(.frame(SidecarFrame(index: index, ticks: index * 1000, sequence: UInt64(index), exposure: nil)))
    }
    writer.append(.frameLoss(.overload, frame: there + 2, count: 1))
    writer.flush()
    let found = try FilmRecovery(isDry: true).recover(path)
    #expect(found.missing == 0 && found.unlisted == 1 && found.unwritten == 2)
  }

  /// The power fails again before the index is put to use: nothing of what was appended becomes a picture or sound.
  @Test func aRecoveryThatWasInterruptedIsDoneAgain() throws {
    let directory = try MovieDirectory()
    let film = try Killed(directory)
    let last = try #require(film.fragments.last)
    let torn = Array(film.bytes[..<((last + film.bytes.count) / 2)])
    let once = try film.write(torn, to: directory.path("once.mov"))
    _ = try FilmRecovery().recover(once)
    let ending = try Self.salvage(torn).ending()
    #expect(ending.offset > UInt64(torn.count), "the last fragment is torn in its data")
    var left = torn
    left += [UInt8](repeating: 0, count: Int(ending.offset) - torn.count) + ending.appendix
    let twice = try film.write(left, to: directory.path("twice.mov"))
    #expect(try FilmRecovery().recover(twice).verdict == .recovered)
    #expect(try MovieProbe.packets(twice) == MovieProbe.packets(once))
    let sound = try MovieProbe.samples(once), again = try MovieProbe.samples(twice)
    #expect(again.starts(with: sound) && again.dropFirst(sound.count).allSatisfy { $0 == 0 })
  }

  /// Every length that a crash can leave; some of them are judged by others.
  @Test func cutOffAnywhereItIsRecovered() throws {
    let directory = try MovieDirectory()
    // Of the sound only the place: it makes the fragments large.
    let film = try Killed(directory, audio: AudioFormat(sampleRate: 8000, channels: 1, sample: .s16))
    let last = try #require(film.fragments.last), first = film.fragments[0]
    let whole = Self.salvage(film.bytes).pictures, before = Self.salvage(Array(film.bytes[..<last])).pictures
    #expect(whole > before)
    var most = before
    for length in last..<film.bytes.count {
      let found = Self.salvage(Array(film.bytes[..<length]))
      guard found.pictures >= most, found.pictures <= whole, (try? found.ending()) != nil else {
        Issue.record("cut off at byte \(length), it has \(found.pictures) pictures")
        continue
      }
      most = found.pictures
    }
    #expect(most == whole, "pictures of a torn fragment are kept")
    // The header's surroundings: without it there is nothing, and that is said.
    for length in 1..<first + 64 {
      let found = Self.salvage(Array(film.bytes[..<length]))
      if found.pictures > 0 || (found.kind == .fragments) != (length >= first) {
        Issue.record("cut off at byte \(length): \(found.kind), \(found.pictures)")
      }
    }
    for cut in [last + 3, last + 700, (last + film.bytes.count) / 2, film.bytes.count - 1] {
      let path = try film.write(Array(film.bytes[..<cut]), to: directory.path("cut-\(cut).mov"), hasSidecar: false)
      let found = try FilmRecovery().recover(path)
      #expect(try Self.isOrdinary(path))
      #expect(try MovieProbe.decodedTimes(path) == (0..<found.frames).map { $0 * 1000 }, "cut off at byte \(cut)")
      let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      #expect(Array(bytes[(first)..<cut]) == Array(film.bytes[first..<cut]), "nothing is cut off or written over")
    }
  }

  /// The picture that is shown last may be stored in front of others, which a cut takes: what is left is shown all the
  /// same.
  @Test func cutOffAmongReorderedPictures_everyOneThatIsLeftIsShown() throws {
    let directory = try MovieDirectory()
    var encoding = VideoEncoding()
    encoding.preset = "ultrafast"
    let film = try Killed(directory, encoding: encoding, audio: nil)
    let packets = try MovieProbe(
      film.write(film.bytes, to: directory.path("whole.mov"), hasSidecar: false),
      ["-select_streams", "v:0", "-show_entries", "packet=pos,size"])
    let ends = (packets.json["packets"] as? [[String: String]] ?? []).compactMap { packet in
      packet["pos"].flatMap { Int($0) }.flatMap { position in packet["size"].flatMap { Int($0) }.map { position + $0 } }
    }
    try #require(ends.count > 40)
    var withHole = 0
    // Behind fragments, and within frames.
    for (number, cut) in (film.fragments.dropFirst() + ends.suffix(14).map { $0 - 9 }).enumerated() {
      let path = try film.write(Array(film.bytes[..<cut]), to: directory.path("cut-\(number).mov"), hasSidecar: false)
      let found = try FilmRecovery().recover(path)
      let times = try MovieProbe.decodedTimes(path)
      #expect(times.count == found.frames, "cut \(number), at byte \(cut): \(times.suffix(4))")
      #expect(times.count == ends.count { $0 <= cut }, "every frame of which nothing is missing")
      #expect(times.last.map { Double($0 + 1000) / 24000 } == found.seconds)
      if times != (0..<found.frames).map({ $0 * 1000 }) { withHole += 1 }
    }
    #expect(withHole > 0, "a cut among pictures that are stored in another order")
  }

  /// Frames are decoded two frame durations before they are shown: an edit that begins there lies behind one or two.
  @Test func aFilmOfItsFirstFramesBeginsWithinItsMedia() throws {
    let directory = try MovieDirectory()
    var encoding = VideoEncoding()
    encoding.preset = "slow"
    let film = try Killed(directory, encoding: encoding, audio: nil)
    var counts: Set<Int64> = []
    for cut in stride(from: film.fragments[0] + 300, to: film.fragments[1], by: 100) {
      let state = Array(film.bytes[..<cut]), pictures = Int64(Self.salvage(state).pictures)
      guard (1...4).contains(pictures), counts.insert(pictures).inserted else { continue }
      let path = try film.write(state, to: directory.path("\(pictures).mov"), hasSidecar: false)
      #expect(try FilmRecovery().recover(path).frames == pictures)
      let boxes = try FilmBoxes(path)
      let edit = try #require(boxes.all("moov/trak/edts/elst").first)
      let media = try #require(boxes.all("moov/trak/mdia/mdhd").first)
      let begin = FilmBoxes.number(edit, 12, 4), duration = FilmBoxes.number(media, 16, 4)
      #expect(begin < duration, "\(pictures) frames: the edit begins at \(begin) of \(duration)")
      let offsets = boxes.all("moov/trak/mdia/minf/stbl/ctts"), syncs = boxes.all("moov/trak/mdia/minf/stbl/stss")
      #expect(offsets.isEmpty || !syncs.isEmpty, "\(pictures) frames")
      let times = try MovieProbe.decodedTimes(path)
      #expect(times.first == 0 && times.count == Int(pictures), "\(times)")
    }
    #expect(counts.contains(1))
  }

  /// Power failures leave zeros where nothing was written yet.
  @Test(arguments: [0, 1, 700, 5000])
  func zerosAtTheEndAreNoPictures(written: Int) throws {
    let directory = try MovieDirectory()
    let film = try Killed(directory), last = film.fragments[film.fragments.count - 1]
    let end = min(last + written, film.bytes.count)
    let state = Array(film.bytes[..<end]) + Array(repeating: 0, count: film.bytes.count - end + 100_000)
    let path = try film.write(state, to: directory.path("zeros.mov"))
    let found = try FilmRecovery().recover(path)
    let cut = Self.salvage(Array(film.bytes[..<end]))
    #expect(found.frames == cut.pictures && found.frames < Killed.frames)
    #expect(try MovieProbe.decodedTimes(path) == (0..<found.frames).map { $0 * 1000 })
    #expect(try MovieProbe.samples(path).count / 2 <= Int(found.frames + 12) * 2000)
  }

  enum Damage: String, CaseIterable { case zeros, garbage, older, header }

  /// Behind a hole every picture and every sample of sound stands where it stood.
  @Test(arguments: Damage.allCases)
  func behindAHoleEverythingStandsAtItsTime(damage: Damage) throws {
    let directory = try MovieDirectory()
    let film = try Killed(directory)
    let whole = try film.write(film.bytes, to: directory.path("whole.mov"))
    _ = try FilmRecovery().recover(whole)
    let fragments = film.fragments
    try #require(fragments.count > 8)
    // From the middle of one fragment's data into the header of the next but one.
    var hole = (fragments[3] + fragments[4]) / 2..<fragments[5] + 200
    var state = film.bytes, random = SplitMix(seed: 11)
    switch damage {
    case .zeros: state.replaceSubrange(hole, with: Array(repeating: 0, count: hole.count))
    case .garbage:
      state.replaceSubrange(hole, with: hole.map { _ in UInt8.random(in: 0...255, using: &random) })
    case .older:
      // A piece of the same film from further in front, as a disk may hold it from one that was deleted.
      state.replaceSubrange(hole, with: film.bytes[fragments[1]..<fragments[1] + hole.count])
    case .header:
      hole = fragments[4] + 4..<fragments[4] + 5
      state[fragments[4] + 4] = 0
    }
    let path = try film.write(state, to: directory.path("hole.mov"))
    let found = try FilmRecovery().recover(path)
    #expect(found.lostBytes > 0 && found.damages == 1 && found.silentSamples > 0)
    #expect(try Self.isOrdinary(path))
    let all = try MovieProbe.packets(whole), left = try MovieProbe.packets(path)
    // Of what is behind the hole nothing is missing, and it has its time, its size and its bytes.
    #expect(left.count == found.frames && found.missing == Int64(Killed.frames - left.count))
    let torn = damage == .header ? 0 : all.count - Set(all).intersection(left).count - (all.count - left.count)
    #expect(Set(left).subtracting(all).count == torn && torn <= 3, "only pictures with the hole in them differ")
    #expect(left.suffix(30) == all.suffix(30))
    let sound = try MovieProbe.samples(whole), heard = try MovieProbe.samples(path)
    #expect(sound.count == heard.count, "the hole in the sound is as long as what was lost")
    #expect(heard.suffix(2 * 48000) == sound.suffix(2 * 48000), "behind it sound stands at its time")
    // What lies in front of the hole's edge may be damaged without anybody knowing: up to a fragment.
    let silent = zip(sound, heard).count { $0 != $1 && $1 == 0 }
    #expect(silent > 0 && silent <= 2 * (Int(found.silentSamples) + 12_000))
    #expect(try Self.tags(path) == Self.tags(whole))
    let after = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(Array(after[hole]) == Array(state[hole]), "the hole is as it was found")
  }

  /// The frames of a fragment whose data something else has written over are not in the film.
  @Test(arguments: [VideoCodec.hevc, .prores])
  func overwrittenFramesAreMissing(codec: VideoCodec) throws {
    let directory = try MovieDirectory()
    var encoding = VideoEncoding()
    encoding.codec = codec
    let film = try Killed(directory, layout: codec == .prores ? .yuv422p10 : .yuv420p, encoding: encoding)
    let fragments = film.fragments
    try #require(fragments.count > 5)
    func pictures(before end: Int) -> Int64 { Int64(Self.salvage(Array(film.bytes[..<end])).pictures) }
    let lost = pictures(before: fragments[4]) - pictures(before: fragments[3])
    try #require(lost > 0)
    var state = film.bytes
    let data = try #require(film.boxes.first { $0.path == "mdat" && $0.offset > fragments[3] }).offset + 8
    state.replaceSubrange(data..<fragments[4], with: Array(repeating: 0xFF, count: fragments[4] - data))
    let path = try film.write(state, to: directory.path("overwritten.mov"))
    let found = try FilmRecovery().recover(path)
    #expect(found.frames == pictures(before: film.bytes.count) - lost)
    #expect(found.missing == Int64(Killed.frames) - found.frames && found.silentSamples == 0)
  }

  /// The last pages did not reach the disk: they have zeros in place of sound.
  @Test func pagesOfZerosAreSilence() throws {
    let directory = try MovieDirectory()
    let film = try Killed(directory), places = film.fragments + [film.bytes.count]
    // Nearly all of so large a fragment is sound.
    let last = try #require(places.indices.dropFirst().last { places[$0] - places[$0 - 1] > 24_000 })
    let end = places[last], page = (end / 4096 - 1) * 4096, whole = Self.salvage(Array(film.bytes[..<end]))
    let state = Array(film.bytes[..<page]) + Array(repeating: 0, count: end - page)
    let path = try film.write(state, to: directory.path("pages.mov"))
    let found = try FilmRecovery().recover(path)
    // Of two channels with 16 bits each.
    let lost = Int64(end - page + 3) / 4
    #expect(found.silentSamples == lost && found.frames == Int64(whole.pictures))
    #expect(found.soundSamples == whole.soundSamples.map(Int64.init(clamping:)))
    #expect(found.sentence.contains("; \(lost) audio samples are silence"), "\(found.sentence)")
    #expect(try MovieProbe.samples(path).suffix(Int(2 * lost)).allSatisfy { $0 == 0 })
    #expect(try SidecarSummary(path: path + ".camrec").recovery?.silentSamples == lost)
  }

  /// Silence in place of audio that the microphone had lost is not lost again.
  @Test func silenceThatTheSidecarCountsIsLostOnce() throws {
    let directory = try MovieDirectory()
    let film = try Killed(directory), places = film.fragments + [film.bytes.count]
    let last = try #require(places.indices.dropFirst().last { places[$0] - places[$0 - 1] > 24_000 })
    let end = places[last], page = (end / 4096 - 1) * 4096
    let state = Array(film.bytes[..<page]) + Array(repeating: 0, count: end - page)
    let lost = Int64(end - page + 3) / 4
    let stored = try #require(Self.salvage(state).soundSamples.map(Int64.init(clamping:)))
    // Across the beginning of the silence, and across the film's end.
    let losses = [(stored - lost - 100, 150), (stored - 20, 100)] as [(Int64, Int64)]
    let path = try film.write(
      state, to: directory.path("counted.mov"), sampleRate: 48_000,
      losses.map { .soundLoss(sample: $0.0, count: $0.1) })
    let found = try FilmRecovery().recover(path)
    #expect(found.silentSamples == lost - 70)
    let summary = try SidecarSummary(path: SidecarFile.path(ofFilm: path))
    let behind = try #require(found.missingSamples)
    #expect(summary.recovery?.silentSamples == lost - 70 && summary.absentSound == 250 + lost - 70 + behind)
  }

  /// With the first fragment the label is lost; the sidecar has it.
  @Test func withoutItsFirstFragmentAFilmKeepsItsTimes() throws {
    let directory = try MovieDirectory()
    let film = try Killed(directory)
    let whole = try film.write(film.bytes, to: directory.path("whole.mov"))
    _ = try FilmRecovery().recover(whole)
    var state = film.bytes
    state.replaceSubrange(
      film.fragments[0]..<film.fragments[2], with: Array(repeating: 0, count: film.fragments[2] - film.fragments[0]))
    let path = try film.write(state, to: directory.path("headless.mov"))
    let found = try FilmRecovery().recover(path)
    #expect(!found.lacksTimecode && found.silentSamples > 0)
    let probe = try MovieProbe(path)
    #expect((probe.video["tags"] as? [String: String])?["timecode"] == "10:00:00:00")
    let all = try MovieProbe.packets(whole), left = try MovieProbe.packets(path)
    // Copied, a film begins with its first key frame.
    #expect(left == all.suffix(left.count) && left.count > 48 && left.count < all.count)
    let shown = try MovieProbe.times(path), due = try MovieProbe.times(whole)
    #expect(shown.count == found.frames && Set(due).isSuperset(of: shown) && shown.suffix(48) == due.suffix(48))
    let sound = try MovieProbe.samples(whole), heard = try MovieProbe.samples(path)
    #expect(heard.count == sound.count && heard.suffix(48000) == sound.suffix(48000) && heard[1000] == 0)
    // Without the sidecar the rest is the same.
    let bare = try film.write(state, to: directory.path("bare.mov"), hasSidecar: false)
    let without = try FilmRecovery().recover(bare)
    #expect(without.lacksTimecode && without.missing == nil && without.sentence.hasSuffix("; its timecode is lost"))
    #expect(try MovieProbe.packets(bare) == left)
  }

  /// Whatever the bytes are: nothing traps, and every sample of the index lies in the file.
  @Test func anyDamageIsSurvived() throws {
    let film = try Killed(try MovieDirectory())
    let heads = film.boxes.map(\.offset), fragments = film.fragments
    var random = SplitMix(seed: 17), indexed = 0, most: UInt64 = 0
    let pictures = Self.salvage(film.bytes).pictures
    for round in 0..<400 {
      var bytes = film.bytes
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = min(heads.randomElement(using: &random)! + Int.random(in: 0..<80, using: &random), bytes.count - 1)
        switch Int.random(in: 0..<5, using: &random) {
        case 0:
          let value = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &random)!
          for byte in place..<min(place + 4, bytes.count) { bytes[byte] = UInt8(value) }
        case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 2: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...4000, using: &random)))
        case 3:
          let from = fragments.randomElement(using: &random)!
          bytes.insert(contentsOf: film.bytes[from..<min(film.bytes.count, from + 3000)], at: place)
        default: bytes.removeSubrange(place...)
        }
        if bytes.count < 64 { break }
      }
      let found = Self.salvage(bytes)
      most = max(most, found.pictures)
      #expect(found.pictures <= pictures + 24, "round \(round)")
      #expect(found.lostBytes.allSatisfy { $0.upperBound <= UInt64(bytes.count) })
      guard let ending = try? found.ending() else { continue }
      indexed += 1
      let index = FilmBoxes(bytes: Array(ending.appendix.suffix(from: Self.index(ending.appendix))))
      for kind in ["stco", "co64"] {
        for table in index.all("moov/trak/mdia/minf/stbl/\(kind)") {
          let width = kind == "stco" ? 4 : 8
          for entry in 0..<Int(FilmBoxes.number(table, 4, 4)) {
            let offset = FilmBoxes.number(table, 8 + width * entry, width)
            if offset >= ending.offset + UInt64(ending.appendix.count) {
              Issue.record("round \(round): chunk at \(offset)")
            }
          }
        }
      }
    }
    #expect(indexed > 200 && most <= pictures + 24)
  }

  /// Where the index begins behind silence and a label.
  private static func index(_ appendix: [UInt8]) -> Int {
    (appendix.firstRange(of: Array("moov".utf8))?.lowerBound ?? 4) - 4
  }

  @Test func aCopyLeavesTheOriginalAsItIs() throws {
    let directory = try MovieDirectory()
    let film = try Killed(directory)
    let path = try film.write(film.bytes, to: directory.path("killed.mov")), copy = directory.path("copy.mov")
    let sidecar = try Data(contentsOf: URL(fileURLWithPath: path + ".camrec"))
    let dry = try FilmRecovery(isDry: true).recover(path + ".camrec")
    #expect(dry.verdict == .recoverable && dry.path == path)
    let found = try FilmRecovery(output: copy).recover(path)
    #expect(found.output == copy && found.sentence.hasPrefix("'\(path)' is recovered into '\(copy)': "))
    #expect(Array(try Data(contentsOf: URL(fileURLWithPath: path))) == film.bytes)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path + ".camrec")) == sidecar)
    #expect(try Self.isOrdinary(copy) && MovieProbe.packets(copy) == MovieProbe.packets(path))
    #expect(try SidecarSummary(path: copy + ".camrec").recovery?.frames == found.frames)
    let refused = #expect(throws: CamrecError.self) { try FilmRecovery(output: copy).recover(path) }
    #expect(refused?.message == "'\(copy)' exists already; choose another --output")
    #expect(directory.names == ["clean.mov", "copy.mov", "copy.mov.camrec", "killed.mov", "killed.mov.camrec"])
  }

  /// The film's own recorder holds it.
  @Test func whatIsBeingRecordedIsLeftAlone() throws {
    let directory = try MovieDirectory()
    let path = directory.path("take.mov")
    let settings = MovieTake.settings(
      path, width: 96, height: 64, metadata: [MetadataEntry("software", "camrec 0.1.0")])
    let report = try MovieTake(settings, frames: 48).record(to: try MovieWriter.open(settings)) { number in
      guard number == 40 else { return }
      for isDry in [false, true] {
        let refused = #expect(throws: CamrecError.self) { try FilmRecovery(isDry: isDry).recover(path) }
        #expect(
          refused?.message == "'\(path)' is being recorded or recovered right now; wait until that has ended")
      }
      let entries = try FilmRecovery().recoverAll(in: directory.url.path)
      guard entries.count == 1, case .left = entries[0] else {
        Issue.record("\(entries)")
        return
      }
    }
    #expect(report.warnings == [] && report.frames == 48)
  }

  @Test func aFoldersUnfinishedFilmsAreRecovered() throws {
    let directory = try MovieDirectory()
    let film = try Killed(directory)
    let folder = directory.path("day"), below = folder + "/morning"
    try FileManager.default.createDirectory(atPath: below, withIntermediateDirectories: true)
    try film.write(film.bytes, to: folder + "/b.mov")
    try film.write(film.bytes, to: below + "/a.mov", hasSidecar: false)
    try FileManager.default.copyItem(atPath: film.settings.path, toPath: folder + "/clean.mov")
    try Data("no film".utf8).write(to: URL(fileURLWithPath: folder + "/other.mov"))
    try film.write(Array(film.bytes[..<film.fragments[0]]), to: folder + "/young.mov")
    let entries = try FilmRecovery().recoverAll(in: folder)
    let told = entries.map { entry in
      switch entry {
      case .film(let film): "\((film.path as NSString).lastPathComponent) \(film.verdict)"
      case .left(let path, let error): "\((path as NSString).lastPathComponent) \(error.code)"
      }
    }
    #expect(told == ["b.mov recovered", "a.mov recovered", "young.mov empty"])
    #expect(try FilmRecovery().recoverAll(in: folder).count == 1)
    #expect(try Self.isOrdinary(below + "/a.mov"))
  }

  /// Of a segment, say, that a kill was faster than.
  @Test func aFileWithoutDataIsRemoved() throws {
    let directory = try MovieDirectory()
    let path = directory.path("next.mov"), killed = directory.path("killed.mov"), begun = directory.path("begun.mov")
    let settings = MovieTake.settings(path, width: 96, height: 64)
    let movie = try MovieWriter.prepare(settings)
    let mark = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    let film = try Killed(directory)
    try film.write(mark, to: killed, hasSidecar: false)
    try film.write(mark, to: begun)
    try Data(mark + [0]).write(to: URL(fileURLWithPath: directory.path("other.mov")))
    #expect(try FilmRecovery(isDry: true).recover(killed).verdict == .unbegun)
    let refused = #expect(throws: CamrecError.self) {
      try FilmRecovery(output: directory.path("new.mov")).recover(killed)
    }
    #expect(
      refused?.message == "'\(killed)' has no data: no frame was written into it; there is nothing to recover")
    #expect(FileManager.default.fileExists(atPath: killed))
    let entries = try FilmRecovery().recoverAll(in: directory.url.path)
    #expect(entries.count == 4)
    let sentences = entries.compactMap { if case .film(let film) = $0 { film.sentence } else { nil } }
    #expect(
      sentences == [
        "'\(begun)' has no frame yet: it was cut off in its first second, before its header was written; there is "
          + "nothing to recover",
        "'\(killed)' had no data: no frame was written into it; it is now removed",
      ])
    for case .left(let left, let error) in entries {
      let sentence =
        left == path
        ? "'\(path)' is being recorded or recovered right now; wait until that has ended"
        : "cannot recover '\(left)': it has no movie header, so it was cut off in its first second, or "
          + "after it was finished"
      #expect(error.message == sentence)
    }
    #expect(directory.names == ["begun.mov", "begun.mov.camrec", "clean.mov", "next.mov", "other.mov"])
    // Its header is written over it.
    let report = try MovieTake(settings, frames: 24).record(to: movie.begin(timecode: nil, creationTime: 0))
    #expect(report.frames == 24)
    #expect(try Self.isOrdinary(path) && FilmBoxes(path).all("free").isEmpty)
  }

  @Test func whatIsNoFilmWasNotCutOff() throws {
    let directory = try MovieDirectory(), path = directory.path("notes.mov")
    try Data("not a film, but a text".utf8).write(to: URL(fileURLWithPath: path))
    let refused = #expect(throws: CamrecError.self) { try FilmRecovery().recover(path) }
    #expect(
      refused?.code == .input
        && refused?.message == "cannot recover '\(path)': it is not a .mov, or its beginning is damaged")
    #expect(directory.names == ["notes.mov"])
  }

  /// Wherever the first second was cut off, with a sidecar or without one: the film is named, and stays.
  @Test func aFilmCutOffInItsFirstSecondIsNamed() throws {
    let directory = try MovieDirectory(), film = try Killed(directory)
    let folder = directory.path("day"), header = film.fragments[0]
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for size in [0, 3, 11, 20, 22, 25, 28, 400, header - 1, header, header + 40] {
      try film.write(Array(film.bytes[..<size]), to: folder + "/cut-\(size).mov", hasSidecar: size % 2 == 1)
    }
    let type = Array(film.bytes[..<20])
    try film.write([UInt8](repeating: 0, count: 4096), to: folder + "/zeros.mov", hasSidecar: false)
    try film.write(type + [UInt8](repeating: 0, count: 4096), to: folder + "/tail.mov", hasSidecar: false)
    // What others have begun is theirs.
    try film.write(type + [0, 0, 0, 8] + Array("wide".utf8), to: folder + "/other.mov", hasSidecar: false)
    try film.write(Array("\0\0\0\u{14}ftypisom".utf8), to: folder + "/phone.mov", hasSidecar: false)
    let before = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    for isDry in [true, false] {
      var named: Set<String> = []
      for entry in try FilmRecovery(isDry: isDry).recoverAll(in: folder) {
        guard case .film(let found) = entry, found.verdict == .empty, !found.verdict.isToBeDone else {
          Issue.record("\(entry)")
          continue
        }
        #expect(found.sentence.hasPrefix("'\(found.path)' has no frame yet: it "))
        #expect(found.sentence.hasSuffix("; there is nothing to recover"))
        named.insert((found.path as NSString).lastPathComponent)
      }
      let films = before.filter { $0.hasSuffix(".mov") && $0 != "other.mov" && $0 != "phone.mov" }
      #expect(named == Set(films) && named.count == 13)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == before)
  }

  @Test func whatNeedsNoRecoveryIsTold() throws {
    let directory = try MovieDirectory()
    let matroska = directory.path("take.mkv")
    try MovieTake(MovieTake.settings(matroska, container: .mkv, width: 96, height: 64), frames: 24).record()
    #expect(try FilmRecovery().recover(matroska).verdict == .matroska)
    let hashes = directory.path("take.framemd5")
    try Data("#format: frame checksums\n".utf8).write(to: URL(fileURLWithPath: hashes))
    #expect(try FilmRecovery().recover(hashes).verdict == .hashes)
    let film = try Killed(directory)
    let young = try film.write(Array(film.bytes[..<(film.fragments[0] + 40)]), to: directory.path("young.mov"))
    let torn = try film.write(Array(film.bytes[..<(film.fragments[0] - 40)]), to: directory.path("torn.mov"))
    let none = try film.write([], to: directory.path("none.mov"))
    for (path, sentence) in [
      (young, "'\(young)' has no frame yet: it has no whole fragment, because it was cut off early, copied only in "
        + "part, or damaged; there is nothing to recover"),
      (torn, "'\(torn)' has no frame yet: it has no whole header, because it was cut off in its first second, or "
        + "copied only in part; there is nothing to recover"),
      (none, "'\(none)' has no frame yet: it is empty; there is nothing to recover"),
      (directory.path("gone.mov"), "'\(directory.path("gone.mov"))' does not exist; check the path"),
      (directory.url.path, "'\(directory.url.path)' is a folder or a device, not a film"),
    ] {
      let refused = #expect(throws: CamrecError.self) { try FilmRecovery(isDry: true).recover(path) }
      #expect(refused?.code == .input && refused?.message == sentence)
    }
  }

  /// The kernel's limit on a file's size stands for a full disk.
  @Test func withoutRoomForTheIndexTheFilmStaysAsItWas() async throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("camrec-recovery-\(getuid()).mov").path
    try? FileManager.default.removeItem(atPath: path)
    let film = try Killed(try MovieDirectory())
    try film.write(film.bytes, to: path, hasSidecar: false)
    defer { try? FileManager.default.removeItem(atPath: path) }
    await #expect(processExitsWith: .success) {
      let path = FileManager.default.temporaryDirectory.appendingPathComponent("camrec-recovery-\(getuid()).mov").path
      let size = try #require(FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: rlim_t(size + 1000), rlim_max: rlim_t(size + 1000))
      precondition(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
      let refused = #expect(throws: CamrecError.self) { try FilmRecovery().recover(path) }
      let said = refused?.message ?? ""
      #expect(refused?.code == .output && said.hasPrefix("'\(path)' is unchanged: there is no room for its index of "))
      #expect(said.hasSuffix(" bytes; make room, or write a new file elsewhere with --output"), "\(said)")
      // In the log of a rig, which has no such option.
      // It works in its file's folder; the command works in any.
      let place = URL(fileURLWithPath: path)
      precondition(FileManager.default.changeCurrentDirectoryPath(place.deletingLastPathComponent().path))
      let ofRig = #expect(throws: CamrecError.self) {
        try FilmRecovery(isOfRig: true).recover(place.lastPathComponent)
      }
      let whole = "\(FileManager.default.currentDirectoryPath)/\(place.lastPathComponent)"
      let remedy =
        " bytes; make room, and the rig recovers it as soon as it can, or run camrec recover \(whole)"
        + " --output ELSEWHERE.mov"
      #expect(ofRig?.reason == .noRoom && ofRig?.description.hasSuffix(remedy) == true, "\(ofRig as Any)")
    }
    #expect(Array(try Data(contentsOf: URL(fileURLWithPath: path))) == film.bytes)
  }
}
