import Foundation
import TestKit
import Testing

/// `camrec verify` on films of camrec's, of FFmpeg's, and on such that something was planted in.
@Suite(.serialized) struct VerifyTests {
  private let camrec: CamrecBinary
  private let folder: TemporaryFolder

  init() throws {
    camrec = try CamrecBinary.find()
    folder = try TemporaryFolder()
  }

  private struct Report: Decodable {
    struct Finding: Decodable {
      let severity: String
      let atom: String
      let offset: Int?
      let finding: String
      let breaks: String?
      let remedy: String?
    }

    struct Track: Decodable {
      let kind: String?
      let format: String?
      let samples: Int
      let start: Double?
      let end: Double?
      let width: Int?
      let height: Int?
      let rotation: Int?
      let rate: String?
      let color: String?
      let sampleRate: Double?
      let channels: Int?
      let bits: Int?
      let firstFrame: Int?
      let isDropFrame: Bool?
    }

    struct Facts: Decodable {
      let brand: String?
      let duration: Double?
      let isInFragments: Bool
      let tracks: [Track]
      let metadata: [String: String]
    }

    let format: String
    let version: Int
    let verdict: String
    let findings: [Finding]
    let facts: Facts

    func track(_ kind: String) -> Track? { facts.tracks.first { $0.kind == kind } }
  }

  private func record(_ line: String, to name: String = "take.mov") throws {
    let outcome = try camrec.run(
      ["--camera", "sim:pace=pulled", "--output", name] + line.split(separator: " ").map(String.init), in: folder.url)
    #expect(outcome.exitCode == 0, "\(outcome.standardError)")
  }

  private func ffmpeg(_ line: String) throws {
    try Tool.run(
      ["ffmpeg", "-v", "error", "-y"]
        + line.split(separator: " ").map { $0.hasPrefix("@") ? folder.path(String($0.dropFirst())) : String($0) })
  }

  private func verify(_ name: String) throws -> (report: Report, status: Int32) {
    let outcome = try camrec.run(["verify", "--json", name], in: folder.url)
    #expect(outcome.standardError == "")
    return (try JSONDecoder().decode(Report.self, from: Data(outcome.standardOutput.utf8)), outcome.exitCode)
  }

  private func plant(_ change: (inout FilmBytes) throws -> Void) throws -> (report: Report, status: Int32) {
    var film = try FilmBytes(folder.path("take.mov"))
    try change(&film)
    try film.write(to: folder.path("planted.mov"))
    return try verify("planted.mov")
  }

  // MARK: Sound films

  private static let takes = [
    "--size 160x90 --fps 24 --duration 2s --preset ultrafast --timecode 10:00:00:00",
    "--size 160x90 --fps 30000/1001 --duration 2s --preset medium --timecode 01:00:00;02 --rotation 90",
    "--size 160x90 --fps 60000/1001 --duration 1s --codec prores --rotation 180 --timecode 23:59:59;30",
    "--size 160x90 --fps 24000/1001 --duration 2s --preset ultrafast --rotation 270 --timecode 00:00:00:00",
    "--size 90x160 --fps 50 --duration 1s --codec prores --microphone none --timecode 02:00:00:00",
    "--size 64x48 --fps 12.5 --duration 2s --preset ultrafast --timecode 03:00:00:00",
  ]

  /// camrec's own films have nothing amiss, and what is said of them is what ffprobe says.
  @Test(arguments: takes) func aFilmOfCamrecs_isWell_andFFprobeSaysTheSame(_ line: String) throws {
    try record(line)
    let (report, status) = try verify("take.mov")
    #expect(report.findings.isEmpty && status == 0 && report.verdict == "ok", "\(report.findings)")
    #expect(report.format == "camrec-verify" && report.version == 1)
    let probe = try Probe(folder.path("take.mov"))
    let picture = try #require(report.track("vide"))
    #expect(picture.width == probe.video["width"] as? Int && picture.height == probe.video["height"] as? Int)
    #expect("\(picture.samples)" == probe.video["nb_frames"] as? String)
    #expect(picture.format == probe.video["codec_tag_string"] as? String)
    let rate = picture.rate.map { $0.contains("/") ? $0 : $0 + "/1" }
    #expect(rate == probe.video["r_frame_rate"] as? String)
    // ffprobe counts counter-clockwise.
    #expect(((picture.rotation ?? -1) + (probe.rotation ?? 0) + 720) % 360 == 0)
    #expect(abs((report.facts.duration ?? 0) - (Double(probe.format["duration"] as? String ?? "") ?? -1)) < 1e-5)
    #expect(
      abs((picture.end ?? 0) - (picture.start ?? 0) - (Double(probe.video["duration"] as? String ?? "") ?? -1)) < 1e-5)
    #expect(report.facts.metadata["software"] == probe.tags["software"])
    let names = ["1": "bt709", "5": "bt470bg", "6": "smpte170m", "9": "bt2020"]
    #expect(
      picture.color?.split(separator: "-").first.map { names[String($0)] } == probe.video["color_primaries"] as? String)
    let label = try #require(report.track("tmcd"))
    #expect(label.isDropFrame == probe.timecode?.contains(";"))
    if line.contains("none") {
      #expect(report.track("soun") == nil)
    } else {
      let sound = try #require(report.track("soun"))
      #expect(sound.format == probe.audio["codec_tag_string"] as? String)
      #expect(sound.channels == probe.audio["channels"] as? Int)
      #expect(sound.sampleRate.map { "\(Int($0))" } == probe.audio["sample_rate"] as? String)
      #expect(sound.bits == probe.audio["bits_per_sample"] as? Int)
    }
  }

  /// What mediainfo says: texts by their names, of the film and of each track.
  private func mediaInfo(_ name: String) throws -> [[String: String]] {
    struct MediaInfo: Decodable {
      struct Media: Decodable { let track: [[String: Value]] }
      /// Texts, but for a few objects.
      struct Value: Decodable {
        let text: String?
        init(from decoder: any Decoder) throws { text = try? decoder.singleValueContainer().decode(String.self) }
      }
      let media: Media
    }
    let json = try Tool.run(["mediainfo", "--Output=JSON", folder.path(name)])
    return try JSONDecoder().decode(MediaInfo.self, from: json).media.track.map { $0.compactMapValues { $0.text } }
  }

  /// Facts of a film of others, of which each of the two readers has its own words.
  private func expectFacts(_ report: Report, of name: String) throws {
    let probe = try Probe(folder.path(name))
    let tracks = try mediaInfo(name)
    let picture = try #require(report.track("vide"))
    let video = try #require(tracks.first { $0["@type"] == "Video" })
    #expect(picture.width == probe.video["width"] as? Int && video["Width"] == picture.width.map(String.init))
    #expect(picture.height == probe.video["height"] as? Int && video["Height"] == picture.height.map(String.init))
    #expect("\(picture.samples)" == probe.video["nb_frames"] as? String && video["FrameCount"] == "\(picture.samples)")
    #expect(picture.format == probe.video["codec_tag_string"] as? String)
    #expect(((picture.rotation ?? -1) + (probe.rotation ?? 0) + 720) % 360 == 0)
    #expect(abs((report.facts.duration ?? 0) - (Double(probe.format["duration"] as? String ?? "") ?? -1)) < 0.0011)
    let sounds = report.facts.tracks.filter { $0.kind == "soun" }
    let others = tracks.filter { $0["@type"] == "Audio" }
    #expect(sounds.count == others.count && !sounds.isEmpty)
    #expect(sounds.first?.format == probe.audio["codec_tag_string"] as? String)
    for (sound, other) in zip(sounds, others) {
      #expect(other["Channels"] == sound.channels.map(String.init))
      #expect(other["SamplingRate"].flatMap(Double.init) == sound.sampleRate)
    }
  }

  /// A third reader, of another house.
  @Test func mediaInfoSaysTheSame() throws {
    try record("--size 160x90 --fps 30000/1001 --duration 2s --preset medium --timecode 01:00:00;02 --rotation 90")
    let report = try verify("take.mov").report
    let tracks = try mediaInfo("take.mov")
    func fields(_ kind: String) throws -> [String: String] { try #require(tracks.first { $0["@type"] == kind }) }
    let video = try fields("Video")
    let audio = try fields("Audio")
    let label = try fields("Other")
    let picture = try #require(report.track("vide"))
    let sound = try #require(report.track("soun"))
    #expect(video["CodecID"] == picture.format && audio["CodecID"] == sound.format)
    #expect(video["Width"] == picture.width.map(String.init) && video["Height"] == picture.height.map(String.init))
    #expect(video["FrameCount"] == "\(picture.samples)" && video["FrameRate_Mode"] == "CFR")
    #expect(video["FrameRate_Num"].map { "\($0)/\(video["FrameRate_Den"] ?? "")" } == picture.rate)
    #expect(video["Rotation"].flatMap(Double.init).map(Int.init) == picture.rotation)
    #expect(video["colour_primaries"] == "BT.709" && picture.color == "1-1-1")
    #expect(audio["Channels"] == sound.channels.map(String.init) && audio["BitDepth"] == sound.bits.map(String.init))
    #expect(audio["SamplingRate"].flatMap(Double.init) == sound.sampleRate)
    let first = try #require(report.track("tmcd"))
    // 01:00:00;02 is an hour of 30000/1001 with 108 labels left out, and two.
    #expect(label["TimeCode_FirstFrame"] == "01:00:00;02" && first.isDropFrame == true && first.firstFrame == 107_894)
    #expect(report.facts.brand == "qt  ")
  }

  // MARK: Planted

  @Test(arguments: [
    (UInt8(1), "Rec. 709", "bt709"), (UInt8(9), "Rec. 2020", "bt2020-10"), (UInt8(12), "Display P3", "iec61966-2-1"),
  ])
  func theRemedyForAMissingTransferFitsThePrimaries(primaries: UInt8, film: String, transfer: String) throws {
    try record("--size 64x48 --frames 5 --preset ultrafast")
    let layout = try verify("take.mov").report.facts.tracks.map { $0.kind }
    let video = "moov/trak[\((layout.firstIndex(of: "vide") ?? 0) + 1)]"
    let (report, _) = try plant {
      try $0.put(video + "/mdia/minf/stbl/stsd/hvc1/colr", at: 12, [0, primaries, 0, 2])
    }
    let remedy = report.findings.first { $0.finding.contains("does not say transfer") }?.remedy
    #expect(remedy?.contains("if the film is \(film): ") == true, "\(report.findings)")
    #expect(remedy?.contains(" -color_trc \(transfer) ") == true, "\(report.findings)")
  }

  /// Each fault is named at its atom, as an error or a warning, and nothing else is said to be wrong beside it.
  @Test func whatIsPlantedIsFound() throws {
    try record("--size 160x90 --fps 25 --duration 2s --preset medium --timecode 10:00:00:00 --rotation 90")
    let layout = try verify("take.mov").report.facts.tracks.map { $0.kind }
    let video = "moov/trak[\((layout.firstIndex(of: "vide") ?? 0) + 1)]"
    let audio = "moov/trak[\((layout.firstIndex(of: "soun") ?? 0) + 1)]"
    let label = "moov/trak[\((layout.firstIndex(of: "tmcd") ?? 0) + 1)]"
    let samples = "/mdia/minf/stbl/"
    func expect(
      _ atom: String, _ words: String, _ severity: String = "error", alone: Bool = true, line: Int = #line,
      _ change: (inout FilmBytes) throws -> Void
    ) throws {
      let (report, status) = try plant(change)
      let here = SourceLocation(fileID: #fileID, filePath: #filePath, line: line, column: 1)
      #expect(
        report.findings.contains { $0.atom == atom && $0.finding.contains(words) && $0.severity == severity },
        "\(report.findings)", sourceLocation: here)
      #expect(!alone || report.findings.count == 1, "\(report.findings)", sourceLocation: here)
      #expect(status == (report.verdict == "error" ? 5 : 4), sourceLocation: here)
      #expect(report.findings.allSatisfy { $0.severity == "note" || $0.breaks != nil }, sourceLocation: here)
    }
    try expect(video + samples + "stsd/hev1", "HEVC is tagged hev1") {
      try $0.put(video + samples + "stsd/hvc1", at: 4, Array("hev1".utf8))
    }
    try expect(video + samples + "stsd/hvc1/colr", "is missing", "warning") {
      try $0.hide(video + samples + "stsd/hvc1/colr")
    }
    try expect(video + samples + "stsd/hvc1/colr", "says matrix 6, but the coded frames say 1") {
      try $0.put(video + samples + "stsd/hvc1/colr", at: 16, [0, 6])
    }
    try expect(video + samples + "stsd/hvc1", "no decoder configuration", alone: false) {
      try $0.hide(video + samples + "stsd/hvc1/hvcC")
    }
    try expect(
      video + "/tkhd", "rotates the picture by 90° and moves it by 0.0, 0.0 instead of 90.0, 0.0", "warning"
    ) {
      try $0.put(video + "/tkhd", at: 48 + 24, [0, 0, 0, 0])
    }
    try expect(video + "/tkhd", "is not a rotation by quarter turns", "warning") {
      try $0.put(video + "/tkhd", at: 48 + 4, [0, 0, 0x80, 0])
    }
    try expect(video + "/tkhd", "the track is disabled", "warning") { try $0.put(video + "/tkhd", at: 11, [0]) }
    try expect(label, "no picture track refers to this timecode track") { try $0.hide(video + "/tref") }
    try expect(label + samples + "stsd/tmcd", "counts 24 frames a second, but the picture has 25", alone: false) {
      let entry = label + samples + "stsd/tmcd"
      let scale = $0.number(at: try $0.offset(of: entry) + 24)
      let ticks = scale / 24
      for (place, number) in [(24, ticks * 24), (28, ticks)] {
        try $0.put(entry, at: place, (0..<4).map { UInt8(number >> (24 - 8 * $0) & 255) })
      }
    }
    try expect(label + samples + "stsd/tmcd", "is drop-frame at 25 fps") {
      try $0.put(label + samples + "stsd/tmcd", at: 23, [1])
    }
    try expect(label + samples + "stsd/tmcd", "has 30 frames in a second of labels, not the 25") {
      try $0.put(label + samples + "stsd/tmcd", at: 32, [30])
    }
    try expect(video + samples + "stss", "is missing") { try $0.hide(video + samples + "stss") }
    try expect(video + samples + "stts", "has durations of 49 samples, but the track has 50", alone: false) {
      try $0.put(video + samples + "stts", at: 16, [0, 0, 0, 49])
    }
    try expect(video + samples + "stts", "lasts 0 ticks", alone: false) {
      try $0.put(video + samples + "stts", at: 20, [0, 0, 0, 0])
    }
    try expect(audio + samples + "stsz", "a sample of 2 channels takes 3 bytes, but 4 are described", alone: false) {
      try $0.put(audio + samples + "stsz", at: 15, [3])
    }
    try expect(audio + "/tkhd", "says that the track lasts 0.0 s, but its edits last 2.0 s", "warning") {
      try $0.put(audio + "/tkhd", at: 28, [0, 0, 0, 1])
    }
    try expect(audio + "/tkhd", "the audio ends 0.1 s before the picture", "warning") {
      // Its edit begins 100 ms later.
      let edits = try $0.offset(of: audio + "/edts/elst")
      try $0.put(audio + "/edts/elst", at: $0.number(at: edits + 12) == 1 ? 20 : 32, [0, 0, 0x12, 0xC0])
    }
    try expect("moov", "says that the next track has number 1", "warning") {
      try $0.put("moov/mvhd", at: 104, [0, 0, 0, 1])
    }
    try expect(audio, "like another track", alone: false) {
      let first = $0.number(at: try $0.offset(of: video + "/tkhd") + 20)
      try $0.put(audio + "/tkhd", at: 20, [0, 0, 0, UInt8(first)])
    }
    try expect("moov", "there is no index, because the file is cut off", alone: false) {
      $0.cut(to: $0.data.count - 100)
    }
    try expect("moov", "there is no index", alone: false) { try $0.hide("moov") }
  }

  @Test func offsetsAreThoseOfTheFile() throws {
    try record("--size 160x90 --fps 25 --duration 1s --preset ultrafast --timecode 10:00:00:00")
    let (report, _) = try plant { try $0.put("moov/trak[1]/mdia/minf/stbl/stsd/hvc1", at: 4, Array("hev1".utf8)) }
    let finding = try #require(report.findings.first { $0.severity == "error" })
    let film = try FilmBytes(folder.path("planted.mov"))
    #expect(finding.offset == (try film.offset(of: "moov/trak[1]/mdia/minf/stbl/stsd/hev1")))
  }

  // MARK: Others' films

  @Test func filmsOfFFmpegs_haveWhatTheyHave() throws {
    try ffmpeg(
      "-f lavfi -i testsrc2=size=160x90:rate=25 -f lavfi -i sine=sample_rate=48000 -t 2 -c:v libx265 "
        + "-x265-params log-level=none -preset ultrafast -pix_fmt yuv420p -c:a pcm_s16le @plain.mov")
    let plain = try verify("plain.mov")
    #expect(plain.status == 5)
    #expect(plain.report.findings.contains { $0.finding.contains("tagged hev1") })
    #expect(plain.report.findings.contains { $0.atom.hasSuffix("hev1/colr") && $0.finding == "is missing" })
    #expect(plain.report.findings.contains { $0.finding.contains("no timecode track") && $0.severity == "note" })
    #expect(plain.report.findings.contains { $0.finding.contains("the film is not camrec's: ") })
    try ffmpeg("-i @plain.mov -c copy -tag:v hvc1 -movflags +frag_keyframe+empty_moov @pieces.mov")
    let pieces = try verify("pieces.mov")
    #expect(pieces.status == 5 && pieces.report.facts.isInFragments)
    #expect(
      pieces.report.findings.contains {
        $0.finding.contains("the film is in ") && $0.remedy?.contains("camrec recover FILE") == true
      })
    try ffmpeg("-f lavfi -i testsrc2=size=160x90:rate=2997/100 -t 2 -c:v prores_ks -timecode 00:00:10:00 @near.mov")
    let near = try verify("near.mov")
    #expect(near.report.findings.contains { $0.finding.contains("close to 30000/1001 but not equal") })
    try ffmpeg(
      "-i @plain.mov -vf setpts='PTS+gt(N\\,20)*0.013/TB' -fps_mode vfr -enc_time_base 1/12800 -c:v prores_ks "
        + "-c:a copy @jumpy.mov")
    let jumpy = try verify("jumpy.mov")
    #expect(jumpy.report.findings.contains { $0.atom.hasSuffix("stts") && $0.finding.contains("frames differ from ") })
  }

  private static let apple =
    "-c:v libx265 -x265-params log-level=none -tag:v hvc1 -c:a aac -timecode 10:00:00:00"
    + " -metadata com.apple.quicktime.make=Apple -movflags use_metadata_tags+write_colr"

  /// As a telephone of Apple's writes it: apertures, and a track of timed metadata that describes the picture.
  private func makeApple(_ name: String) throws {
    var film = try FilmBytes(folder.path(name))
    let size = FilmBytes.word(0) + FilmBytes.word(160 << 16) + FilmBytes.word(90 << 16)
    try film.add(
      FilmBytes.box("tapt", ["clef", "prof", "enof"].flatMap { FilmBytes.box($0, size) }), to: "moov/trak[1]")
    try film.put("moov/trak[1]/tref", at: 4, Array("free".utf8))
    try film.put("moov/trak[3]/mdia/hdlr", at: 16, Array("meta".utf8))
    try film.put("moov/trak[3]/mdia/minf/stbl/stsd", at: 20, Array("mebx".utf8))
    try film.add(FilmBytes.box("tref", FilmBytes.box("cdsc", FilmBytes.word(1))), to: "moov/trak[3]")
    try film.write(to: folder.path(name))
  }

  /// Of what others make rightly nothing is said but notes, and that colours are not told.
  @Test(arguments: [
    ("aac.mp4", "-c:v libx264 -bf 3 -c:a aac -ar 44100"), ("surround.mp4", "-c:v libx264 -c:a aac -ac 6"),
    ("high.mp4", "-c:v libx264 -c:a aac -ar 96000"), ("law.mov", "-c:v prores_ks -c:a pcm_mulaw -ar 8000 -ac 1"),
    ("ima.mov", "-c:v prores_ks -c:a adpcm_ima_qt"),
    ("large.mov", "-c:v prores_ks -c:a pcm_s24le -ac 2 -movflags faststart"),
    ("floats.mov", "-c:v mjpeg -c:a pcm_f32le -ar 96000"),
    ("wide.mov", "-c:v libx265 -x265-params log-level=none -tag:v hvc1 -vf setsar=4/3 -c:a pcm_s16be"),
    ("labels.mov", "-c:v libx264 -c:a aac -timecode 10:00:00:00"),
    // As OBS writes it: several sound tracks, its index behind the samples, tags by their names.
    ("obs.mp4", "-map 0 -map 1 -map 1 -c:v libx264 -bf 2 -c:a aac -metadata encoder=obs -movflags use_metadata_tags"),
    ("apple.mov", apple),
  ]) func filmsOfOthersAreNotAccused(_ name: String, _ options: String) throws {
    let sources = "-f lavfi -i testsrc2=size=160x90:rate=25 -f lavfi -i sine=sample_rate=48000"
    try ffmpeg(
      "\(sources) -t 2 -pix_fmt yuv420p \(options) @\(name)"
        .replacingOccurrences(of: "-pix_fmt yuv420p -c:v prores_ks", with: "-pix_fmt yuv422p10le -c:v prores_ks")
        .replacingOccurrences(of: "-pix_fmt yuv420p -c:v mjpeg", with: "-pix_fmt yuvj420p -c:v mjpeg"))
    if options == VerifyTests.apple { try makeApple(name) }
    let (report, status) = try verify(name)
    try expectFacts(report, of: name)
    let accused = report.findings.filter { $0.severity != "note" && !$0.atom.hasSuffix("/colr") }
    #expect(accused.isEmpty && status <= 4, "\(accused)")
  }

  /// The same with what is cut out of a film without decoding, and with chapters.
  /// x264 tells its build number with the first picture, by which decoders of 4:4:4 know a quirk of older builds. A
  /// decoder that begins at a later key frame has not heard it.
  @Test func aFilmThatDecodesFromItsBeginning_isNotCalledDamaged() throws {
    _ = try Tool.run([
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=4", "-c:v", "libx264",
      "-pix_fmt", "yuv444p", "-g", "25", "-color_primaries", "bt709", "-color_trc", "bt709", "-colorspace", "bt709",
      folder.path("fine.mov"),
    ])
    // The reader that judges: the whole without a complaint, and what it says behind a jump.
    let whole = try Tool.run(["bash", "-c", "ffmpeg -v error -i '\(folder.path("fine.mov"))' -f null - 2>&1"])
    #expect(whole.isEmpty)
    let outcome = try CamrecBinary.find().run(["verify", "fine.mov"], in: folder.url, timeout: 60)
    #expect(!outcome.standardOutput.contains("is damaged"), "\(outcome.standardOutput)")
    let jumped = try Tool.run(
      ["bash", "-c", "ffmpeg -v error -ss 3 -i '\(folder.path("fine.mov"))' -f null - 2>&1"], acceptsFailure: true)
    #expect(
      outcome.standardOutput.contains("players that jump into it show damage") == !jumped.isEmpty,
      "\(outcome.standardOutput)\n\(String(decoding: jumped, as: UTF8.self))")
  }

  @Test func ffv1WhoseLastFrameDoesNotMatchItsChecksums() throws {
    let film = ["--size", "64x48", "--frames", "12", "--codec", "ffv1", "--microphone", "none", "--output", "film.mov"]
    #expect(try camrec.run(["--camera", "sim:pace=pulled"] + film, in: folder.url).exitCode == 0)
    #expect(try camrec.run(["verify", "film.mov"], in: folder.url).exitCode == 0)
    try SpoiledPacket.alter(folder.path("film.mov"), packet: 11)
    let outcome = try camrec.run(["verify", "film.mov"], in: folder.url)
    #expect(
      outcome.exitCode != 0 && outcome.standardOutput.contains(" cannot be decoded"), "\(outcome.standardOutput)")
  }

  @Test func whatIsCutOutIsNotAccused() throws {
    try ffmpeg(
      "-f lavfi -i testsrc2=size=160x90:rate=25 -f lavfi -i sine=sample_rate=48000 -t 4 -c:a aac -c:v libx264 -bf 2 "
        + "-g 50 -color_primaries bt709 -color_trc bt709 -colorspace bt709 -movflags write_colr @whole.mov")
    try ffmpeg("-ss 1.3 -i @whole.mov -c copy -movflags write_colr @cut.mov")
    _ = try folder.write(";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1\nSTART=0\nEND=2\ntitle=One\n".utf8, to: "chapters.txt")
    try ffmpeg("-i @whole.mov -i @chapters.txt -map_metadata 1 -c copy -movflags write_colr @chapters.mov")
    var appended = try FilmBytes(folder.path("whole.mov"))
    appended.append(Array("<?xpacket begin?>".utf8))
    try appended.write(to: folder.path("appended.mov"))
    for name in ["whole.mov", "cut.mov", "chapters.mov", "appended.mov"] {
      let (report, status) = try verify(name)
      #expect(status == 0, "\(name): \(report.findings.filter { $0.severity != "note" })")
    }
  }

  /// What is said to mend a film mends it.
  @Test func remediesMend() throws {
    try record("--size 160x90 --fps 30000/1001 --duration 1s --preset medium --timecode 01:00:00;02")
    let video = "moov/trak[1]/mdia/minf/stbl/"
    func mended(line: Int = #line, _ change: (inout FilmBytes) throws -> Void) throws {
      let (report, _) = try plant(change)
      let here = SourceLocation(fileID: #fileID, filePath: #filePath, line: line, column: 1)
      let remedy = try #require(report.findings.first { $0.severity != "note" }?.remedy, sourceLocation: here)
      let command = String(
        try #require(remedy.firstMatch(of: /ffmpeg (.*NEW.mov)/), "\(remedy)", sourceLocation: here).1)
      try ffmpeg(command.replacing("FILE", with: "@planted.mov").replacing("NEW.mov", with: "@mended.mov"))
      let after = try verify("mended.mov")
      // FFmpeg writes colr when it is asked to.
      let left = after.report.findings.filter { $0.severity != "note" && !$0.atom.hasSuffix("/colr") }
      #expect(left.isEmpty, "\(remedy): \(left)", sourceLocation: here)
      #expect(try Probe(folder.path("mended.mov")).timecode == "01:00:00;02", sourceLocation: here)
    }
    try mended { try $0.put(video + "stsd/hvc1", at: 4, Array("hev1".utf8)) }
    try mended { try $0.put("moov/mvhd", at: 104, [0, 0, 0, 1]) }
    try mended { try $0.hide("moov/trak[1]/tref") }
    try mended { try $0.put("moov/trak[1]/tkhd", at: 11, [0]) }
  }

  /// FFmpeg fills the end itself, or does not: that depends on whether frames are reordered.
  @Test(arguments: ["prores_ks", "libx265 -x265-params log-level=none -tag:v hvc1"])
  func theRemedyForALongLastFrame_repeatsItAsOftenAsFramesAreMissing(_ codec: String) throws {
    try ffmpeg(
      "-f lavfi -i testsrc2=size=64x48:rate=24 -frames:v 12 -c:v \(codec) -video_track_timescale 24000 @take.mov")
    let times = "moov/trak[1]/mdia/minf/stbl/stts"
    let (report, _) = try plant {
      // Eleven frames of 1000 ticks, and one of 5000.
      try $0.put(times, at: 12, FilmBytes.word(2) + FilmBytes.word(11))
      try $0.add(FilmBytes.word(1) + FilmBytes.word(5000), to: times)
      try $0.put("moov/trak[1]/mdia/mdhd", at: 24, FilmBytes.word(16000))
      for (box, place) in [("mvhd", 24), ("trak[1]/tkhd", 28), ("trak[1]/edts/elst", 16)] {
        try $0.put("moov/" + box, at: place, FilmBytes.word(667))
      }
    }
    let finding = report.findings.first { $0.finding.hasPrefix("the last frame is shown for 5000 ticks") }
    let remedy = try #require(finding?.remedy, "\(report.findings)")
    let command = String(try #require(remedy.firstMatch(of: /ffmpeg (.*NEW.mov)/), "\(remedy)").1)
    try ffmpeg(command.replacing("FILE", with: "@planted.mov").replacing("NEW.mov", with: "@filled.mov"))
    #expect(try Probe(folder.path("filled.mov")).video["nb_frames"] as? String == "16", "\(remedy)")
    let left = try verify("filled.mov").report.findings.filter { $0.atom.hasSuffix("/stts") }
    #expect(left.isEmpty, "\(left)")
  }

  /// The piece of a frame at the end is not copied: such a frame would not decode.
  @Test(arguments: ["prores_ks", "png", "ffv1"]) func whatIsLeftOfAFilmThatIsCutOffIsSaved(
    _ codec: String
  ) throws {
    for (name, flags) in [("index", "+faststart"), ("fragments", "+frag_keyframe+empty_moov")] {
      try ffmpeg(
        "-f lavfi -i testsrc2=size=160x90:rate=25 -f lavfi -i sine=sample_rate=48000 -t 2 -c:v \(codec) -g 5"
          + " -c:a pcm_s16le -movflags \(flags) @whole.mov")
      var film = try FilmBytes(folder.path("whole.mov"))
      film.cut(to: film.data.count * 3 / 5)
      try film.write(to: folder.path("cut.mov"))
      let remedy = try #require(try verify("cut.mov").report.findings.first { $0.severity == "error" }?.remedy)
      let command = String(try #require(remedy.firstMatch(of: /ffmpeg (.*?NEW.mov)/), "\(remedy)").1)
      try ffmpeg(command.replacing("FILE", with: "@cut.mov").replacing("NEW.mov", with: "@rest.mov"))
      let left = try verify("rest.mov").report.findings.filter { $0.severity == "error" }
      #expect(left.isEmpty, "\(codec), \(name), \(remedy): \(left)")
      let count = try Probe(folder.path("rest.mov")).video["nb_frames"] as? String
      #expect(count.flatMap { Int($0) } ?? 0 > 20, "\(codec), \(name)")
    }
  }

  /// A copy has the damaged frame as well.
  @Test func theFramesThatDecodeAreSavedByABake() throws {
    try record("--size 64x48 --frames 12 --codec ffv1 --microphone none")
    try SpoiledPacket.alter(folder.path("take.mov"), packet: 11)
    let (report, _) = try verify("take.mov")
    let remedy = try #require(report.findings.first { $0.finding.contains(" cannot be decoded") }?.remedy)
    #expect(
      remedy == "copy it again from where it was recorded; to save the frames that decode: "
        + "camrec bake FILE --output NEW.mov")
    let outcome = try camrec.run(["bake", "take.mov", "--output", "rest.mov"], in: folder.url)
    #expect(outcome.exitCode == 3, "\(outcome.standardError)")
    #expect(try verify("rest.mov").report.findings.allSatisfy { $0.severity != "error" })
  }

  /// FFmpeg finds no samples then, and its copy has lost the track.
  @Test(arguments: ["stsz", "stts", "stsc", "stco", "stsd"]) func aTrackWithoutItsTablesIsNotCopied(
    _ table: String
  ) throws {
    try record("--size 64x48 --frames 12 --codec ffv1 --microphone none")
    let (report, status) = try plant { try $0.hide("moov/trak[1]/mdia/minf/stbl/\(table)") }
    #expect(status == 5)
    let remedies = report.findings.filter { $0.severity == "error" }.map(\.remedy)
    #expect(remedies.allSatisfy { $0?.contains("ffmpeg ") != true }, "\(report.findings)")
  }

  /// FFmpeg cuts at the key frame before, hides the frames in between, and makes a timecode track for these as well.
  @Test func timecodeThatFFmpegCannotFit_isLeftOut() throws {
    try record("--size 160x90 --fps 24 --duration 3s --timecode 10:00:00:00")
    try ffmpeg("-ss 1.3 -i @take.mov -map 0:v -map 0:a -c copy @cut.mov")
    func findings(_ name: String) throws -> [Report.Finding] {
      try verify(name).report.findings.filter { $0.severity != "note" && !$0.atom.hasSuffix("/colr") }
    }
    let found = try findings("cut.mov")
    let remedy = try #require(found.first?.remedy)
    #expect(found.count == 2 && found.allSatisfy { $0.remedy == remedy }, "\(found)")
    let command = String(try #require(remedy.firstMatch(of: /ffmpeg (.*NEW.mov)/), "\(remedy)").1)
    try ffmpeg(command.replacing("FILE", with: "@cut.mov").replacing("NEW.mov", with: "@mended.mov"))
    #expect(try findings("mended.mov").isEmpty, "\(remedy)")
  }

  /// Audio that begins before the picture, and audio that begins after it.
  @Test(arguments: ["-map 1:v -map 0:a", "-map 0:v -map 1:a"]) func audioThatBeginsElsewhereIsMended(
    _ tracks: String
  ) throws {
    try ffmpeg(
      "-f lavfi -i testsrc2=size=160x90:rate=25 -f lavfi -i sine=sample_rate=48000 -t 2 -c:v libx264 -bf 2 "
        + "-c:a pcm_s24le @both.mov")
    try ffmpeg("-i @both.mov -itsoffset 0.2 -i @both.mov \(tracks) -c copy @apart.mov")
    func finding(_ name: String) throws -> Report.Finding? {
      try verify(name).report.findings.first { $0.finding.hasPrefix("the audio begins ") }
    }
    let remedy = try #require(try finding("apart.mov")?.remedy)
    let command = String(try #require(remedy.firstMatch(of: /ffmpeg (.*NEW.mov)/), "\(remedy)").1)
    try ffmpeg(command.replacing("FILE", with: "@apart.mov").replacing("NEW.mov", with: "@together.mov"))
    #expect(try finding("together.mov") == nil, "\(remedy)")
  }

  /// A bake that fills the gaps lets both begin together; only the end of the audio is left to be mended.
  @Test(arguments: ["-map 1:v -map 0:a", "-map 0:v -map 1:a"]) func audioBesideAPictureWithGapsIsMended(
    _ tracks: String
  ) throws {
    _ = try folder.write("drop 6 2\n".utf8, to: "faults.txt")
    let sim = "--camera sim:pace=pulled,faults=faults.txt --size 64x36 --fps 25 --frames 50 --exposure camera"
    let taken = try camrec.run(
      sim.split(separator: " ").map(String.init) + ["--output", "take.mov"], in: folder.url)
    #expect(taken.exitCode == 3, "\(taken)")
    try ffmpeg("-i @take.mov -itsoffset 0.2 -i @take.mov \(tracks) -c copy @apart.mov")
    func finding(_ name: String, _ verb: String) throws -> Report.Finding? {
      try verify(name).report.findings.first { $0.finding.hasPrefix("the audio \(verb) ") }
    }
    let (begins, ends) = (try finding("apart.mov", "begins"), try finding("apart.mov", "ends"))
    let bake = ": camrec bake FILE --fill-gaps --output NEW.mov"
    #expect(begins?.remedy?.hasSuffix(bake) == true, "\(begins?.remedy ?? "none")")
    let baked = try camrec.run(["bake", "apart.mov", "--fill-gaps", "--output", "filled.mov"], in: folder.url)
    #expect(baked.exitCode == 0, "\(baked)")
    #expect(try finding("filled.mov", "begins") == nil)
    let remedy = try #require(ends?.remedy)
    let command = String(try #require(remedy.firstMatch(of: /; then ffmpeg (.*LAST.mov)/), "\(remedy)").1)
    try ffmpeg(command.replacing("NEW.mov", with: "@filled.mov").replacing("LAST.mov", with: "@last.mov"))
    #expect(try finding("last.mov", "begins") == nil && finding("last.mov", "ends") == nil, "\(remedy)")
  }

  /// A finished film has its index behind its samples.
  @Test func aFinishedFilmThatIsCutOff_isToBeCopiedAgain() throws {
    try record("--size 160x90 --fps 25 --duration 1s --preset ultrafast")
    let (report, status) = try plant { $0.cut(to: $0.data.count / 2) }
    let remedies = report.findings.filter { $0.severity == "error" }.map(\.remedy)
    #expect(status == 5 && remedies == Array(repeating: "copy it again from where it was recorded", count: 2))
    let outcome = try camrec.run(["recover", "planted.mov"], in: folder.url)
    #expect(
      outcome.exitCode == 65
        && outcome.standardError.contains("it was cut off in its first second, or after it was finished"))
  }

  /// Sound that is longer than the picture, and sound that is shorter.
  @Test(arguments: [(1.2, 2.0), (2.0, 1.2)]) func anotherLengthOfSoundIsMended(_ lengths: (Double, Double)) throws {
    let (picture, sound) = lengths
    try ffmpeg(
      "-f lavfi -i testsrc2=size=160x90:rate=25 -f lavfi -i sine=sample_rate=48000:duration=\(sound)"
        + " -filter_complex [0:v]trim=duration=\(picture)[v] -map [v] -map 1:a -c:v libx264 -bf 2 -c:a pcm_s24le"
        + " @uneven.mov")
    func finding(_ name: String) throws -> Report.Finding? {
      try verify(name).report.findings.first { $0.finding.hasPrefix("the audio ends ") }
    }
    let remedy = try #require(try finding("uneven.mov")?.remedy)
    let command = String(try #require(remedy.firstMatch(of: /ffmpeg (.*NEW.mov)/), "\(remedy)").1)
    try ffmpeg(command.replacing("FILE", with: "@uneven.mov").replacing("NEW.mov", with: "@even.mov"))
    #expect(try finding("even.mov") == nil, "\(remedy)")
    let length = Double(try Probe(folder.path("even.mov")).format["duration"] as? String ?? "") ?? 0
    #expect(abs(length - picture) < 0.05)
  }

  // MARK: Bad input

  @Test func whatIsNoFilmIsRefused() throws {
    _ = try folder.write("RIFF....AVI LIST".utf8, to: "other.mov")
    _ = try folder.write([], to: "empty.mov")
    func refusal(_ name: String) throws -> String {
      let outcome = try camrec.run(["verify", name], in: folder.url)
      #expect(outcome.exitCode == 65 && outcome.standardOutput == "")
      return outcome.standardError
    }
    #expect(try refusal("none.mov") == "Error: there is no film 'none.mov'\n")
    let told = try camrec.run(["verify", "--json", "none.mov"], in: folder.url)
    let failed = try JSONSerialization.jsonObject(with: Data(told.standardOutput.utf8)) as? [String: Any] ?? [:]
    #expect(told.exitCode == 65 && failed["verdict"] as? String == "failed" && failed["path"] as? String == "none.mov")
    #expect(failed["sentence"] as? String == "there is no film 'none.mov'")
    #expect(try refusal(".") == "Error: '.' is a folder; name a film in it\n")
    #expect(try refusal("empty.mov") == "Error: 'empty.mov' is empty\n")
    #expect(
      try refusal("other.mov")
        == "Error: 'other.mov' is not a .mov or .mp4 film: it does not begin with a QuickTime atom\n")
    #expect(try camrec.run(["verify"], in: folder.url).exitCode == 64)
  }

  /// It is in fragments until it ends, and neither cut off nor out of room.
  @Test func aFilmThatIsBeingRecorded_isNotJudged() throws {
    let running = try camrec.start(
      ["--camera", "sim", "--size", "64x48", "--microphone", "none", "--output", "take.mov", "--control", "none"],
      in: folder.url)
    let film = folder.url.appendingPathComponent("take.mov")
    for _ in 0..<3000 where (try? FileHandle(forReadingFrom: film).seekToEnd()) ?? 0 < 5000 { usleep(20_000) }
    let outcome = try camrec.run(["verify", "--json", "take.mov", "none.mov"], in: folder.url)
    running.send(signal: SIGTERM)
    // A busy machine loses frames.
    #expect([0, 3].contains(running.wait().exitCode))
    let sentence = "'take.mov' is being recorded or recovered right now; verify it when that has ended"
    #expect(outcome.exitCode == 74 && outcome.standardError.hasPrefix("Error: \(sentence)\n"), "\(outcome)")
    let line = Data((outcome.standardOutput.split(separator: "\n").first ?? "").utf8)
    let failed = try JSONSerialization.jsonObject(with: line) as? [String: Any] ?? [:]
    #expect(failed["verdict"] as? String == "failed" && failed["sentence"] as? String == sentence)
    // A hook's film is complete, and may be locked for another moment.
    let recorder = try FileHandle(forUpdating: film)
    #expect(flock(recorder.fileDescriptor, LOCK_EX | LOCK_NB) == 0)
    #expect(try [0, 4].contains(verify("take.mov").status))
    try recorder.close()
  }

  /// One that is cut off anywhere is an error; bytes that are changed in its header trap nothing (scripts/fuzz film
  /// has more).
  @Test func whateverIsDamaged_nothingTraps() throws {
    try record("--size 64x48 --fps 25 --duration 1s --preset ultrafast --timecode 10:00:00:00")
    let whole = try FilmBytes(folder.path("take.mov"))
    let index = try whole.offset(of: "moov")
    var random = SplitMix(seed: 6)
    for round in 0..<60 {
      let (_, status) = try plant { film in
        if round % 3 == 0 {
          film.cut(to: 16 + Int(random.next() % UInt64(film.data.count - 16)))
        } else {
          for _ in 0..<3 {
            let place = index + 8 + Int(random.next() % UInt64(film.data.count - index - 9))
            try film.put("moov", at: place - index, [UInt8(truncatingIfNeeded: random.next())])
          }
        }
      }
      #expect([0, 4, 5].contains(status), "round \(round): \(status)")
      if round % 3 == 0 { #expect(status == 5, "round \(round)") }
    }
  }

  /// What is to be copied again has nothing left that FFmpeg could copy.
  @Test func aFilmWithoutItsIndexIsNotCopied() throws {
    try ffmpeg("-f lavfi -i testsrc2=size=64x48:rate=24:duration=2 -c:v png @whole.mov")
    let bytes = try Data(contentsOf: folder.url.appendingPathComponent("whole.mov"))
    _ = try folder.write(bytes.prefix(bytes.count / 2), to: "half.mov")
    let (report, status) = try verify("half.mov")
    #expect(status == 5)
    #expect(
      report.findings.contains { $0.remedy?.hasPrefix("copy it again from where it was recorded") == true },
      "\(report.findings)")
    #expect(!report.findings.contains { $0.remedy?.contains("-c copy NEW.mov") == true }, "\(report.findings)")
  }
}
