import Foundation
import TestKit
import Testing

/// What a bake says, and what is said of the film that it makes.
@Suite(.serialized) struct BakeReportTests {
  private let camrec: CamrecBinary
  private let folder: TemporaryFolder

  init() throws {
    camrec = try CamrecBinary.find()
    folder = try TemporaryFolder()
  }

  private func run(_ words: String) throws -> CamrecBinary.Outcome {
    try camrec.run(words.split(separator: " ").map(String.init), in: folder.url)
  }

  @Test(arguments: ["yuv444p", "yuva444p10le", "yuv422p", "gray", "rgb24"])
  func aClipsSamplesAreCalledWhatTheyAre(_ samples: String) throws {
    _ = try Tool.run([
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=64x36:rate=25:duration=0.2", "-pix_fmt", samples,
      "-c:v", "rawvideo", folder.path("clip.nut"),
    ])
    let outcome = try run("bake clip.nut --output film.mov")
    #expect(
      outcome.standardError.hasPrefix("clip clip.nut: 64x36 at 25 fps, \(samples), "), "\(outcome.standardError)")
    let events = try Events(run("bake clip.nut --output film.mkv --json"))
    #expect(events.started["pixelFormat"] as? String == samples)
  }

  /// No camera, no device: a clip is read.
  @Test func aBakeSpeaksOfAClip() throws {
    #expect(try run("--camera sim:pace=pulled --size 64x36 --frames 5 --output take.mov").exitCode == 0)
    let outcome = try run("bake take.mov --output film.mov")
    #expect(outcome.exitCode == 0)
    let lines = outcome.standardError.split(separator: "\n").map(String.init)
    #expect(lines.contains("baking to film.mov"), "\(lines)")
    #expect(lines.contains("frames: expected 5, read 5, written 5, lost 0"), "\(lines)")
    #expect(lines.contains { $0.hasPrefix("film.mov: 5 frames, ") }, "\(lines)")
    #expect(lines.contains { $0.wholeMatch(of: /audio: [0-9]+ samples/) != nil }, "\(lines)")
    for word in ["captured", "overrun", "recording", "camera"] {
      #expect(!outcome.standardError.contains(word), "\(outcome.standardError)")
    }
  }

  /// A clip's audio is not denied for a recording that has none.
  @Test func aHashRecordingLeavesOutTheAudio() throws {
    let sim = "--camera sim:pace=pulled --size 64x36 --frames 5"
    #expect(try run("\(sim) --output take.mov").exitCode == 0)
    #expect(try run("\(sim) --microphone none --output mute.mov").exitCode == 0)
    let lack = ", without its audio: a hash recording has none\n"
    let outcome = try run("bake take.mov --output take.framemd5")
    #expect(outcome.exitCode == 0 && outcome.standardError.contains(lack), "\(outcome)")
    let mute = try run("bake mute.mov --output mute.framemd5")
    #expect(mute.exitCode == 0 && mute.standardError.contains(", no audio\n"), "\(mute)")
    let recorded = try run("\(sim) --output direct.framemd5")
    #expect(recorded.standardError.contains(", no audio: a hash recording has none\n"), "\(recorded)")
  }

  @Test func aFrameIsOneFrame() throws {
    let take = try run("--camera sim:pace=pulled --size 64x36 --frames 1 --microphone none --output take.mov")
    #expect(take.standardError.contains("take.mov: 1 frame, "), "\(take.standardError)")
    let film = try run("bake take.mov --output film.mov")
    #expect(film.standardError.contains("film.mov: 1 frame, "), "\(film.standardError)")
  }

  @Test func whatIsInANameIsNoLineOfItsOwn() throws {
    let name = "a\nError: b.mov"
    for words in [["bake", name, "--output", "film.mov"], ["info", name], ["verify", name], ["recover", name]] {
      let outcome = try camrec.run(words, in: folder.url)
      let lines = outcome.standardError.split(separator: "\n")
      #expect(lines.count == 1 && lines.first?.contains(#"a\nError: b.mov"#) == true, "\(lines)")
    }
  }

  /// When each picture shows, in frames.
  private func places(_ film: String) throws -> [Int] {
    let told = try Tool.run([
      "ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "packet=pts_time", "-of", "csv=p=0",
      folder.path(film),
    ])
    return String(decoding: told, as: UTF8.self).split(whereSeparator: { ",\n".contains($0) })
      .compactMap { Double($0) }.map { Int(($0 * 24).rounded()) }.sorted()
  }

  /// A film that was shot without --fill-gaps gets its constant rate by the bake; `verify` says so.
  @Test(arguments: [("hevc", "mov"), ("prores", "mov"), ("ffv1", "mkv")])
  func gapsOfAFilmAreFilledAfterwards(codec: String, kind: String) throws {
    _ = try folder.write("drop 6 2\ndrop 31 3\n".utf8, to: "faults.txt")
    let sim = "--camera sim:pace=pulled,faults=faults.txt --size 64x36 --fps 24 --microphone none --exposure camera"
    let take = try run("\(sim) --frames 72 --codec \(codec) --output take.\(kind)")
    #expect(take.exitCode == 3, "\(take.standardError)")
    let present = try places("take.\(kind)")
    #expect(present.count == 67)
    if kind == "mov" {
      let verdict = try run("verify take.mov").standardOutput
      #expect(verdict.contains("→ camrec bake FILE --fill-gaps --output NEW.mov repeats the frame"), "\(verdict)")
    }
    // As a camera, it has lost nothing.
    let clip = try run("--camera clip:take.\(kind) --fill-gaps --codec \(codec) --output clip.\(kind)")
    #expect(clip.exitCode == 0 && clip.standardError.contains(", lost 0; 5 frames repeated in gaps\n"), "\(clip)")
    let outcome = try run("bake take.\(kind) --fill-gaps --codec \(codec) --output film.\(kind)")
    #expect(outcome.exitCode == 0, "\(outcome.standardError)")
    #expect(try places("film.\(kind)") == Array(0..<72))
    let account = "frames: expected 67, read 67, written 67, lost 0; 5 frames repeated in gaps\n"
    #expect(outcome.standardError.contains(account), "\(outcome.standardError)")
    #expect(
      outcome.standardError.contains("the recording had lost 5 of 72 frames before the bake; 'camrec info' lists them"))
    let events = try Events(run("bake take.\(kind) --fill-gaps --codec \(codec) --output again.\(kind) --json"))
    #expect(events.stopped["repeated"] as? Int == 5)
    if kind == "mov" { #expect(try !run("verify film.mov").standardOutput.contains("the durations of")) }
    struct Info: Decodable {
      struct Listing: Decodable { let items: [Repeat] }
      struct Repeat: Decodable, Equatable {
        let frame: Int
        let count: Int
      }
      let repeated: Listing
      let gaps: Listing
      let frames: Int
    }
    let told = try run("info --json film.\(kind)").standardOutput
    let info = try JSONDecoder().decode(Info.self, from: Data(told.utf8))
    let gaps = [Info.Repeat(frame: 6, count: 2), Info.Repeat(frame: 31, count: 3)]
    #expect(info.repeated.items == gaps && info.gaps.items == gaps && info.frames == 67, "\(told)")
  }

  /// Without a sidecar nobody has counted them, but the clip's times show them.
  @Test func gapsOfAClipWithoutASidecarAreSaid() throws {
    _ = try folder.write("drop 6 2\ndrop 31 3\n".utf8, to: "faults.txt")
    let sim = "--camera sim:pace=pulled,faults=faults.txt --size 64x36 --fps 24 --microphone none --exposure camera"
    #expect(try run("\(sim) --no-sidecar --frames 72 --codec ffv1 --output take.mkv").exitCode == 3)
    let gaps = "the clip has 2 gaps of 5 frames in all, the first at 0.25 s"
    let cases = [
      ("film.mkv", "", ", lost 0\n\(gaps), and so has the film; --fill-gaps fills gaps of up to 10 s\n"),
      ("filled.mkv", "--fill-gaps", ", lost 0; 5 frames repeated in gaps\n\(gaps)\n"),
      ("part.mkv", "--frames 20", ", lost 0\nthe clip has a gap of 2 frames at 0.25 s, and so has the film; "),
      ("whole.mkv", "--frames 6", ", lost 0\n"),
    ]
    for (film, more, account) in cases {
      let outcome = try run("bake take.mkv \(more) --codec ffv1 --output \(film)")
      #expect(outcome.exitCode == 0 && outcome.standardError.contains(account), "\(outcome.standardError)")
      if film == "whole.mkv" { #expect(!outcome.standardError.contains("gap"), "\(outcome.standardError)") }
    }
    let events = try Events(run("bake take.mkv --codec ffv1 --output again.mkv --json"))
    #expect(events.all.contains { ($0["facts"] as? [String: String])?["missing"] == "5" }, "\(events.all)")
  }

  /// A gap that is a little longer than those that are filled.
  @Test func aGapThatIsTooLongIsSaidWithItsLength() throws {
    _ = try Tool.run([
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=64x36:rate=25:duration=12", "-vf",
      "select='lt(n,25)+gte(n,288)'", "-vsync", "vfr", "-c:v", "ffv1", folder.path("gap.mkv"),
    ])
    let plain = try run("bake gap.mkv --output plain.mov").standardError
    let gap = "the clip has a gap of 263 frames at 1.00 s"
    #expect(plain.contains("\n\(gap), and so has the film; --fill-gaps fills gaps of up to 10 s\n"), "\(plain)")
    let filled = try run("bake gap.mkv --fill-gaps --output filled.mov").standardError
    let warning = "Warning: the gap of 10.56 s from frame 25 on is not filled: --fill-gaps fills gaps of up to 10 s\n"
    #expect(filled.contains(warning) && filled.contains("\n\(gap)\n"), "\(filled)")
  }

  /// The sidecar lists them; the header still promises them.
  @Test func framesLostBehindACutAreCounted() throws {
    let sim = "--camera sim:pace=pulled --size 64x36 --fps 24 --microphone none"
    #expect(try run("\(sim) --frames 72 --codec ffv1 --output take.mkv").exitCode == 0)
    let whole = try Data(contentsOf: folder.url.appendingPathComponent("take.mkv"))
    _ = try folder.write(whole.prefix(whole.count / 2), to: "cut.mkv")
    try FileManager.default.copyItem(atPath: folder.path("take.mkv.camrec"), toPath: folder.path("cut.mkv.camrec"))
    let outcome = try run("bake cut.mkv --codec ffv1 --output film.mkv")
    let written = try places("film.mkv").count
    #expect(outcome.exitCode == 3 && (1..<72).contains(written), "\(outcome)")
    #expect(outcome.standardError.contains(" s, but its header promises 3.00 s: it was cut off; "), "\(outcome)")
    let sentence = "the recording had lost \(72 - written) of 72 frames before the bake; 'camrec info' lists them\n"
    #expect(outcome.standardError.contains(sentence), "\(outcome)")
    let info = try run("info film.mkv").standardOutput
    let account = "frames: expected 72, captured 72, written \(written), lost \(72 - written): "
    #expect(info.contains("\(account)\(72 - written) lost to the disk\n"), "\(info)")
    // A limit leaves them out.
    #expect(try run("bake cut.mkv --frames 5 --codec ffv1 --output part.mkv").exitCode == 0)
    #expect(try run("info part.mkv").standardOutput.contains("frames: expected 5, captured 5, written 5, lost 0\n"))
  }

  /// As its help says; a gap is nothing that the bake has lost.
  @Test func aLimitCountsTheClipsOwnFrames() throws {
    _ = try folder.write("drop 6 2\n".utf8, to: "faults.txt")
    let sim = "--camera sim:pace=pulled,faults=faults.txt --size 64x36 --fps 24 --microphone none --exposure camera"
    #expect(try run("\(sim) --frames 48 --codec ffv1 --output take.mkv").exitCode == 3)
    let bake = "bake take.mkv --frames 20 --codec ffv1"
    let cases = [("plain.mkv", "", ""), ("filled.mkv", "--fill-gaps", "; 2 frames repeated in gaps")]
    for (film, more, repeated) in cases {
      let outcome = try run("\(bake) \(more) --output \(film)")
      #expect(outcome.exitCode == 0, "\(outcome)")
      let account = "frames: expected 20, read 20, written 20, lost 0\(repeated)\n"
      #expect(outcome.standardError.contains(account), "\(outcome)")
      let info = try run("info \(film)").standardOutput
      #expect(info.contains("frames: expected 22, captured 20, written 20, lost 2: "), "\(info)")
    }
    // No frame comes behind the gap, and a clip may not tell where its gaps are.
    let short = try run("bake take.mkv --frames 6 --fill-gaps --codec ffv1 --output short.mkv")
    #expect(
      short.standardError.contains(
        "Warning: 2 frames missing from the clip are not filled: the film's last frame lasts as long instead\n"),
      "\(short)")
    #expect(try places("plain.mkv") == [0, 1, 2, 3, 4, 5] + Array(8..<22))
    #expect(try places("filled.mkv") == Array(0..<22))
    let help = try run("bake --help").standardOutput.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(help.contains("Of a clip, its own frames count, damaged ones included;"), "\(help)")
  }

  /// Frames 6 to 25 are missing. As in a recording of a camera, the end is that of a frame.
  @Test(arguments: [("500ms", 12), ("510ms", 13)])
  func aDurationThatEndsInsideAGap_endsThere(limit: String, frames: Int) throws {
    _ = try folder.write("drop 6 20\n".utf8, to: "faults.txt")
    let sim = "--camera sim:pace=pulled,faults=faults.txt --size 64x36 --fps 24 --exposure camera"
    #expect(try run("\(sim) --frames 48 --output take.mov").exitCode == 3)
    let outcome = try run("bake take.mov --duration \(limit) --output film.mov")
    #expect(outcome.exitCode == 0, "\(outcome)")
    let sentence = "the recording had lost \(frames - 6) of \(frames) frames before the bake; "
    #expect(outcome.standardError.contains(sentence), "\(outcome)")
    #expect(outcome.standardError.contains("audio: \(frames * 2000) samples\n"), "\(outcome)")
    let info = try run("info film.mov").standardOutput
    let account = "frames: expected \(frames), captured 6, written 6, lost \(frames - 6): "
    #expect(info.contains(account), "\(info)")
    #expect(abs(try seconds("film.mov") - Double(frames) / 24) < 0.001)
  }

  private func seconds(_ film: String) throws -> Double {
    let told = try #require(Probe(folder.path(film)).format["duration"] as? String)
    return try #require(Double(told))
  }

  /// The clip's sidecar belongs to a recording of the same times.
  @Test func aDamagedFrameIsTheSameEverywhere() throws {
    let sim = "--camera sim:pace=pulled --size 320x180 --fps 25 --microphone none --codec ffv1"
    #expect(try run("\(sim) --frames 50 --output take.mkv").exitCode == 0)
    try Tool.run([
      "ffmpeg", "-v", "error", "-i", folder.path("take.mkv"), "-pix_fmt", "yuv420p", "-c:v", "libx264", "-bf", "3",
      "-x264-params", "b-adapt=0:scenecut=0", "-g", "12", folder.path("clip.mp4"),
    ])
    try FileManager.default.copyItem(atPath: folder.path("take.mkv.camrec"), toPath: folder.path("clip.mp4.camrec"))
    // The last one in front of a key frame: no other refers to it.
    let place = try SpoiledPacket.spoil(folder.path("clip.mp4"), packet: 11)
    try #require(place == 10)
    let outcome = try run("bake clip.mp4 --codec ffv1 --output film.mkv")
    #expect(outcome.exitCode == 3)
    #expect(
      outcome.standardError.contains(
        "Warning: a frame was lost (frame \(place)): the clip has damaged frames; copy it again from its source\n"),
      "\(outcome.standardError)")
    #expect(!outcome.standardError.contains("camera delivered"), "\(outcome.standardError)")
    let events = try Events(run("bake clip.mp4 --fill-gaps --codec ffv1 --output filled.mkv --json"))
    let facts = events.all.compactMap { $0["facts"] as? [String: String] }
    #expect(facts.contains { $0["reason"] == "deviceError" && $0["frame"] == "\(place)" }, "\(events.all)")
    #expect(events.stopped["repeated"] as? Int == 1)
    for film in ["film.mkv", "filled.mkv"] {
      let sidecar = try String(contentsOfFile: folder.path(film + ".camrec"), encoding: .utf8)
      #expect(sidecar.contains("{\"lost\":\"deviceError\",\"frame\":\(place),"), "\(film)")
      #expect(sidecar.contains("{\"repeated\":\(place),") == (film == "filled.mkv"), "\(film)")
    }
  }

  /// Frame 20 and those behind it in its group are damaged: only the first of them is due before the end.
  @Test func aDurationThatEndsInsideDamage_losesNoFramesBehindIt() throws {
    try Tool.run([
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=2", "-pix_fmt", "yuv420p",
      "-c:v", "libx264", "-bf", "0", "-x264-params", "scenecut=0", "-g", "12", folder.path("clip.mp4"),
    ])
    try #require(try SpoiledPacket.spoil(folder.path("clip.mp4"), packet: 20) == 20)
    for limit in ["--duration 840ms", "--frames 21"] {
      let outcome = try run("bake clip.mp4 --codec ffv1 --overwrite --output film.mkv \(limit)")
      #expect(outcome.exitCode == 3)
      #expect(
        outcome.standardError.contains("frames: expected 21, read 20, written 20, lost 1: "), "\(limit): \(outcome)")
      #expect(
        outcome.standardError.contains("clip.mp4: 1 frame cannot be decoded and is missing, the first at 0.80 s\n"),
        "\(limit): \(outcome)")
      if limit == "--duration 840ms" { #expect(abs(try seconds("film.mkv") - 0.84) < 0.001) }
    }
    for limit in ["--duration 800ms", "--frames 20"] {
      let outcome = try run("bake clip.mp4 --codec ffv1 --overwrite --output film.mkv \(limit)")
      #expect(outcome.exitCode == 0 && !outcome.standardError.contains("decoded"), "\(limit): \(outcome)")
    }
  }

  private func samples(_ film: String) throws -> Int {
    let told = try Tool.run([
      "ffprobe", "-v", "error", "-select_streams", "a", "-show_entries", "stream=duration_ts", "-of", "csv=p=0",
      folder.path(film),
    ])
    return try #require(Int(String(decoding: told, as: UTF8.self).filter(\.isNumber)))
  }

  /// Zeros are no AAC: the first three packets of the audio, three amid it, or the last three.
  @Test(arguments: ["begin", "middle", "end"]) func damagedSoundIsSilenceAndCounted(_ place: String) throws {
    try Tool.run([
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=64x36:rate=25:duration=2", "-f", "lavfi", "-i",
      "sine=duration=2:sample_rate=48000", "-c:v", "mpeg4", "-c:a", "aac", folder.path("clip.mp4"),
    ])
    #expect(try run("bake clip.mp4 --output whole.mov").exitCode == 0)
    try SpoiledPacket.eraseSound(folder.path("clip.mp4")) { count in
      let first = place == "begin" ? 0 : place == "middle" ? count / 2 : count - 3
      return first..<first + 3
    }
    let outcome = try run("bake clip.mp4 --output film.mov")
    #expect(outcome.exitCode == 3, "\(outcome.standardError)")
    #expect(outcome.standardError.contains("3 packets cannot be decoded; silence fills what is missing"))
    let account = try #require(
      outcome.standardError.firstMatch(of: /audio: (\d+) samples; (\d+) missing samples replaced by silence/),
      "\(outcome.standardError)")
    let written = try #require(Int(account.1)), lost = try #require(Int(account.2))
    // The clip's track has 96000 samples; a decoder may make its last packet whole.
    #expect((96_000..<96_000 + 1024).contains(written) && (2048...4096).contains(lost), "\(account.0)")
    #expect(try samples("film.mov") == written && samples("whole.mov") >= 96_000)
  }

  @Test func gapsOfHashesAreRefused() throws {
    let outcome = try run("bake take.mov --fill-gaps --output x.framemd5")
    #expect(
      outcome.exitCode == 64
        && outcome.standardError.contains(
          "a hash recording has no gaps to fill; bake into a .mov or .mkv, or leave out --fill-gaps"),
      "\(outcome.standardError)")
  }

  /// A simulated clock that is exactly right is off by nothing, not by minus nothing.
  @Test func aRateThatIsRightIsNotMinusNothing() throws {
    let outcome = try run(
      "--camera sim:pace=pulled --size 64x36 --fps 24 --frames 1200 --microphone none --output take.mov --json")
    #expect(try Events(outcome).stopped["ratePartsPerMillion"] as? Double == 0)
    #expect(!outcome.standardOutput.contains(#""ratePartsPerMillion":-"#), "\(outcome.standardOutput.suffix(400))")
  }
}
