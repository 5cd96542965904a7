import Foundation
import TestKit
import Testing

/// Bakes of clips that camrec recorded or that ffmpeg made.
@Suite(.serialized) struct BakeTests {
  private let camrec: CamrecBinary
  private let folder: TemporaryFolder

  init() throws {
    camrec = try CamrecBinary.find()
    folder = try TemporaryFolder()
  }

  /// Inverts, which no reader can mistake for nothing.
  private static let negative = """
    TITLE "negative"
    LUT_3D_SIZE 2
    1 1 1
    0 1 1
    1 0 1
    0 0 1
    1 1 0
    0 1 0
    1 0 0
    0 0 0

    """

  @Test func keepsWhatTheClipSays() throws {
    try clip(
      "clip.mov", rate: "30000/1001", frames: 20,
      ["-timecode", "10:20:30;12", "-metadata", "title=Take 7", "-metadata", "creation_time=2025-06-07T08:09:10Z"])
    let outcome = try run("bake clip.mov --lut \(try negative()) --output out.mov")
    #expect(outcome.exitCode == 0, "\(outcome.standardError)")
    let probe = try Probe(folder.path("out.mov"))
    #expect(probe.video["r_frame_rate"] as? String == "30000/1001" && probe.video["nb_frames"] as? String == "20")
    #expect(probe.timecode == "10:20:30;12")
    #expect(probe.tags["title"] == "Take 7" && probe.tags["creation_time"]?.hasPrefix("2025-06-07T08:09:10") == true)
    #expect(probe.tags["lut_title"] == "negative" && probe.tags["lut_sha256"]?.count == 64)
    #expect(probe.audio["codec_tag_string"] as? String == "sowt")
    #expect(try frameTimes("out.mov") == frameTimes("clip.mov"))
    #expect(try samples("out.mov") == samples("clip.mov"))
  }

  /// Its audio goes on behind its last frame.
  @Test(arguments: [
    ("", 3.0), ("--frames 100", 3), ("--duration 20s", 3), ("--duration 2.5s", 2.5), ("--frames 25", 1),
  ])
  func aClipThatEndsBeforeTheLimit_keepsItsAudio(limit: String, seconds: Double) throws {
    _ = try Tool.run([
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=64x36:rate=25:duration=2", "-f", "lavfi", "-i",
      "sine=duration=3:sample_rate=48000", "-c:v", "mpeg4", "-c:a", "pcm_s16le", folder.path("long.mov"),
    ])
    let outcome = try run("bake long.mov --output out.mov \(limit)")
    #expect(outcome.exitCode == 0, "\(outcome.standardError)")
    let length = try #require(Double(Probe(folder.path("out.mov")).audio["duration"] as? String ?? ""))
    #expect(abs(length - seconds) < 0.001, "\(length)")
  }

  @Test func aLUTWithoutATitleDoesNotGetThatOfTheClip() throws {
    try clip("clip.mov", rate: "25", frames: 3)
    #expect(try run("bake clip.mov --lut \(try negative()) --output first.mov").exitCode == 0)
    #expect(try Probe(folder.path("first.mov")).tags["lut_title"] == "negative")
    let rows = BakeTests.negative.split(separator: "\n").dropFirst().joined(separator: "\n")
    _ = try folder.write(rows.utf8, to: "untitled.cube")
    #expect(try run("bake first.mov --lut untitled.cube --output out.mov").exitCode == 0)
    let tags = try Probe(folder.path("out.mov")).tags
    #expect(tags["lut_title"] == nil && tags["lut_sha256"]?.count == 64, "\(tags)")
  }

  @Test func furtherSoundTracksAreNamed_andTheLanguageStays() throws {
    _ = try Tool.run([
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=64x36:rate=25:duration=1", "-f", "lavfi", "-i",
      "sine=duration=1", "-f", "lavfi", "-i", "sine=440:duration=1", "-map", "0", "-map", "1", "-map", "2", "-c:v",
      "ffv1", "-c:a:0", "pcm_s16le", "-c:a:1", "aac", "-metadata:s:a:0", "language=deu", "-metadata:s:a:1",
      "language=fra", folder.path("two.mkv"),
    ])
    let outcome = try run("bake two.mkv --output out.mov")
    #expect(outcome.exitCode == 0, "\(outcome.standardError)")
    #expect(
      outcome.standardError.contains(
        "Warning: the clip has 2 audio tracks, and the film keeps one: track 2 (pcm_s16le, 1 channel, deu); left out: "
          + "track 3 (aac, 1 channel, fra)\n"), "\(outcome.standardError)")
    #expect((try Probe(folder.path("out.mov")).audio["tags"] as? [String: Any])?["language"] as? String == "ger")
    let hashes = try run("bake two.mkv --output out.framemd5")
    #expect(hashes.exitCode == 0 && hashes.standardError.contains(", without its audio: "), "\(hashes)")
    #expect(!hashes.standardError.contains("audio tracks"), "a hash recording keeps none: \(hashes)")
  }

  @Test func chaptersAreKept() throws {
    try clip("plain.mov", rate: "25", frames: 50)
    let chapters = (0...1).map { "[CHAPTER]\nTIMEBASE=1/1\nSTART=\($0)\nEND=\($0 + 1)\ntitle=take \($0)\n" }
    _ = try folder.write((";FFMETADATA1\n" + chapters.joined()).utf8, to: "chapters")
    _ = try Tool.run([
      "ffmpeg", "-v", "error", "-i", folder.path("plain.mov"), "-i", folder.path("chapters"), "-map", "0",
      "-map_chapters", "1", "-c", "copy", folder.path("named.mkv"),
    ])
    for (film, more) in [("out.mov", ""), ("out.mkv", ""), ("part.mov", " --keep-partial")] {
      let outcome = try run("bake named.mkv --output \(film)\(more)")
      #expect(outcome.exitCode == 0 && !outcome.standardError.contains("chapter"), "\(outcome.standardError)")
      #expect(try self.chapters(film) == ["take 0 at 0", "take 1 at 1000"], "\(film)")
    }
    // Otherwise the film is as that of a clip without.
    #expect(try run("bake plain.mov --output plain-out.mov").exitCode == 0)
    #expect(try frameTimes("out.mov") == frameTimes("plain-out.mov") && hashes("out.mov") == hashes("plain-out.mov"))
    #expect(try samples("out.mov") == samples("plain-out.mov"))
    #expect(try run("verify out.mov").exitCode == run("verify plain-out.mov").exitCode)
    // One that the film does not reach is left out, and from film to film they stay.
    #expect(try run("bake out.mov --frames 20 --output short.mov").exitCode == 0)
    #expect(try self.chapters("short.mov") == ["take 0 at 0"])
    #expect(try run("bake part.mov --output again.mkv").exitCode == 0)
    #expect(try self.chapters("again.mkv") == ["take 0 at 0", "take 1 at 1000"])
  }

  /// A recovered film has its markers in the sidecar alone.
  @Test(arguments: ["mov", "mkv"]) func markersBecomeChapters_whereTheClipHasNone(kind: String) throws {
    let take = try run("record --camera sim:pace=pulled --size 64x36 --microphone none --frames 24 --output take.mov")
    #expect(take.exitCode == 0, "\(take)")
    let sidecar = try String(contentsOfFile: folder.path("take.mov.camrec"), encoding: .utf8)
    var lines = sidecar.split(separator: "\n").map(String.init)
    lines.insert(#"{"marker":"take 2","seconds":0.5}"#, at: 1)
    _ = try folder.write((lines.joined(separator: "\n") + "\n").utf8, to: "take.mov.camrec")
    #expect(try chapters("take.mov") == [])
    #expect(try run("bake take.mov --output out.\(kind)").exitCode == 0)
    #expect(try chapters("out.\(kind)") == ["take 2 at 500"])
  }

  /// As the sidecar of a film that was cut off in front of its last marker.
  @Test func aMarkerBehindTheClipsEnd_isNoChapter_andThatIsSaid() throws {
    let take = try run("record --camera sim:pace=pulled --size 64x36 --microphone none --frames 24 --output take.mov")
    #expect(take.exitCode == 0, "\(take)")
    let sidecar = try String(contentsOfFile: folder.path("take.mov.camrec"), encoding: .utf8)
    var lines = sidecar.split(separator: "\n").map(String.init)
    lines.insert(#"{"marker":"take 2","seconds":0.5}"#, at: 1)
    lines.insert(#"{"marker":"take 3","seconds":1.0}"#, at: 2)
    _ = try folder.write((lines.joined(separator: "\n") + "\n").utf8, to: "take.mov.camrec")
    let warning = "Warning: the film has no frame at or after the marker 'take 3' at 1.000 s, and so no chapter for it"
    let whole = try run("bake take.mov --output whole.mov")
    #expect(whole.exitCode == 0 && whole.standardError.contains(warning + "\n"), "\(whole)")
    #expect(try chapters("whole.mov") == ["take 2 at 500"])
    let info = try run("info whole.mov").standardOutput
    #expect(
      info.contains("markers:\n  0:00:00.500  take 2\n  0:00:01.000  take 3 (behind the film's end)\n"), "\(info)")
    // A film that is to end in front of a marker leaves it out.
    let short = try run("bake take.mov --frames 12 --output short.mov")
    #expect(short.exitCode == 0 && !short.standardError.contains("marker"), "\(short)")
    #expect(try !run("info short.mov").standardOutput.contains("markers:"))
    // While the last frame is shown, from 23/24 s on.
    lines[1] = #"{"marker":"take 4","seconds":0.97}"#
    lines[2] = #"{"marker":"take 5","seconds":0.99}"#
    _ = try folder.write((lines.joined(separator: "\n") + "\n").utf8, to: "take.mov.camrec")
    let last = try run("bake take.mov --output last.mov")
    let both =
      "Warning: the film has no frame at or after 2 markers, the first of them 'take 4' at 0.970 s, and so no chapters"
    #expect(last.exitCode == 0 && last.standardError.contains(both + " for them\n"), "\(last)")
    #expect(try chapters("last.mov") == [])
  }

  @Test func chromaThatIsReducedIsSaid_byWhatTheFilmHolds() throws {
    _ = try Tool.run([
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=64x36:rate=25:duration=0.2", "-pix_fmt",
      "yuv444p10le", "-c:v", "ffv1", "-color_trc", "bt709", "-colorspace", "bt709", folder.path("fine.mkv"),
    ])
    let hevc = try run("bake fine.mkv --output hevc.mov")
    #expect(
      hevc.standardError.contains(
        "Warning: the clip is yuv444p10le: chroma is reduced from 4:4:4 to 4:2:0; "
          + "--codec prores --profile 4444 keeps 4:4:4\n"),
      "\(hevc.standardError)")
    let prores = try run("bake fine.mkv --codec prores --output prores.mov")
    #expect(
      prores.standardError.contains(
        "Warning: the clip is yuv444p10le: chroma is reduced from 4:4:4 to 4:2:2; "
          + "--codec prores --profile 4444 keeps 4:4:4\n"),
      "\(prores.standardError)")
    let again = try run("bake prores.mov --output again.mov")
    #expect(
      again.standardError.contains(
        "chroma is reduced from 4:2:2 to 4:2:0; --profile main422-10 or --codec prores keeps 4:2:2\n"),
      "\(again.standardError)")
    // In a list, too.
    _ = try folder.write("fine.mkv\nprores.mov\nhevc.mov\n".utf8, to: "list")
    try FileManager.default.createDirectory(atPath: folder.path("baked"), withIntermediateDirectories: false)
    let list = try run("bake --list list --output 'baked/{clip}.mov'".replacing("'", with: ""))
    #expect(
      list.standardOutput.components(separatedBy: "    Warning: the clip is ").count == 3, "\(list.standardOutput)")
    #expect(list.standardError == "3 clips: 3 baked, 2 with warnings\n", "\(list.standardError)")
  }

  /// Columns of two colours in turn, of which 4:2:2 keeps none.
  @Test func proRes4444AndFFV1_keepTheChromaOfEachPixel() throws {
    let columns = "nullsrc=size=64x36:rate=25:duration=0.2,format=yuv444p10le,"
      + "geq=lum=500:cb='if(mod(X,2),400,600)':cr='if(mod(X,2),600,400)'"
    _ = try Tool.run([
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", columns, "-c:v", "ffv1", "-color_trc", "bt709", "-colorspace",
      "bt709", folder.path("columns.mkv"),
    ])
    func chroma(_ film: String) throws -> [UInt16] {
      let bytes = try Tool.run([
        "ffmpeg", "-v", "error", "-i", folder.path(film), "-frames:v", "1", "-vf", "extractplanes=u", "-f", "rawvideo",
        "-pix_fmt", "gray10le", "-",
      ])
      return stride(from: 0, to: bytes.count, by: 2).map { UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8 }
    }
    let columnCodes = (0..<64 * 36).map { UInt16($0 % 2 == 0 ? 600 : 400) }
    for (options, name) in [("--codec prores --profile 4444", "prores.mov"), ("--codec ffv1", "same.mkv")] {
      let outcome = try run("bake columns.mkv \(options) --output \(name)")
      #expect(outcome.exitCode == 0 && !outcome.standardError.contains("chroma"), "\(outcome.standardError)")
      let codes = try chroma(name)
      #expect(codes.count == columnCodes.count, "\(name)")
      let most = zip(codes, columnCodes).map { abs(Int($0) - Int($1)) }.max() ?? 1023
      #expect(most <= (name == "same.mkv" ? 0 : 12), "\(name): \(most)")
      // Some decoders give ProRes 4444 twelve bits.
      let format = try Probe(folder.path(name)).video["pix_fmt"] as? String
      #expect(["yuv444p10le", name == "prores.mov" ? "yuv444p12le" : ""].contains(format), "\(format ?? "")")
    }
    let prores = try Probe(folder.path("prores.mov")).video
    #expect(prores["profile"] as? String == "4444" && prores["codec_tag_string"] as? String == "ap4h")
    #expect(try run("verify prores.mov").exitCode == 0)
    // What has less chroma may become 4444, too.
    try clip("less.mov", rate: "25", frames: 3, [])
    #expect(try run("bake less.mov --codec prores --profile 4444 --output more.mov").exitCode == 0)
    #expect(try run("bake less.mov --codec prores --profile 4444 --bake-on gpu --output gpu.mov").exitCode != 0)
  }

  /// As a full disk leaves them: the sidecar has no end, and its last record is cut off. That may be a loss.
  @Test func aSidecarThatCannotBeReadInFull_isNoWholeAccount() throws {
    _ = try folder.write("drop 5 3\n".utf8, to: "faults")
    for (name, faults) in [("lossy", ",faults=faults"), ("whole", "")] {
      _ = try camrec.run(
        ["--camera", "sim:pace=pulled\(faults)", "--size", "64x36", "--frames", "24", "--microphone", "none",
          "--output", "\(name).mov"], in: folder.url)
      let path = folder.path("\(name).mov.camrec")
      let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").dropLast()
      try Data((lines + ["{\"lost\":\"d"]).joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: path))
    }
    let place = "in parts of the clip's sidecar that cannot be read"
    for (name, sentence) in [
      ("lossy", "had lost at least 3 frames before the bake ('camrec info' lists them); more may be \(place)"),
      ("whole", "may have lost frames before the bake: losses may be \(place)"),
    ] {
      let outcome = try run("bake \(name).mov --codec ffv1 --output \(name).mkv")
      #expect(outcome.exitCode == 0 && outcome.standardError.hasSuffix("the recording \(sentence)\n"), "\(outcome)")
      let info = try run("info \(name).mkv").standardOutput, damage = "is cut off in the middle of a record"
      #expect(info.contains("'\(name).mov.camrec' \(damage): this account may lack losses"), "\(info)")
    }
    let list = try run("bake lossy.mov whole.mov --codec ffv1 --output out/{clip}.mkv --json")
    let clips = try Events(list).all.filter { $0["event"] as? String == "clip" }
    #expect(clips.map { $0["isLostBeforeAtLeast"] as? Bool } == [true, true], "\(list)")
    #expect(clips.map { $0["lostBefore"] as? Int } == [3, nil])
    let told = try run("bake lossy.mov whole.mov --codec ffv1 --output again/{clip}.mkv").standardOutput
    #expect(
      told.contains("1/2  baked  lossy.mkv: 21 frames, 1.0 s, at least 3 frames lost before the bake\n")
        && told.contains("2/2  baked  whole.mkv: 24 frames, 1.0 s, frames may have been lost before the bake\n"),
      "\(told)")
  }

  /// The camera's own account: frames that it lost, how each was taken, and what the clip is.
  @Test func theSidecarGoesOn() throws {
    _ = try folder.write("drop 5 3\ndamage 12\n".utf8, to: "faults")
    let take = try camrec.run(
      ["--camera", "sim:pace=pulled,faults=faults", "--size", "320x180", "--frames", "30", "--output", "take.mov"],
      in: folder.url)
    #expect(take.exitCode == 3, "\(take.standardError)")
    func records(_ film: String) throws -> [String] {
      try String(contentsOfFile: folder.path(film + ".camrec"), encoding: .utf8).split(separator: "\n").map(String.init)
    }
    let original = try records("take.mov")
    let look = try negative()
    let outcome = try run("bake take.mov --lut \(look) --output look.mov")
    #expect(outcome.exitCode == 0, "\(outcome.standardError)")
    #expect(
      outcome.standardError.hasSuffix(
        "the recording had lost 4 of 30 frames before the bake; 'camrec info' lists them\n"),
      "\(outcome.standardError)")
    let carried = try records("look.mov")
    let words = [
      #""film":"look.mov""#, #""bakedFrom":"take.mov""#, #""camera":"simulated camera""#, #""lut":"negative""#,
    ]
    for word in words { #expect(carried[0].contains(word), "\(carried[0])") }
    // A loss may stand in front of frames that were written behind it.
    #expect(carried.dropFirst().dropLast().sorted() == original.dropFirst().dropLast().sorted())
    #expect(carried.last?.contains("\"written\":26,\"deviceGap\":3,\"deviceError\":1") == true)
    let info = try run("info look.mov")
    #expect(info.standardOutput.contains("baked from take.mov\n") && info.standardOutput.contains("lost 4"))
    #expect(try run("verify look.mov").standardOutput.components(separatedBy: "\n").first == "look.mov: 1 warning")
    // In a list, too, under the film's own name; and again from that.
    #expect(try run("bake look.mov take.mov --output twice --codec ffv1").exitCode == 0)
    let twice = try records("twice/look.mov")
    #expect(twice[0].contains("\"film\":\"look.mov\"") && twice[0].contains("\"lut\":\"negative\""))
    #expect(twice.dropFirst().dropLast().sorted() == original.dropFirst().dropLast().sorted())
    #expect(try folder.names.allSatisfy { !$0.contains(".part-") })
    // Without one, by request or where the clip has none, an older one of that name goes with its film.
    #expect(try run("bake take.mov --no-sidecar --overwrite --output look.mov").exitCode == 0)
    #expect(!FileManager.default.fileExists(atPath: folder.path("look.mov.camrec")))
    // What is no sidecar stays.
    _ = try folder.write("notes".utf8, to: "kept.mov.camrec")
    let kept = try run("bake take.mov --output kept.mov")
    #expect(
      kept.exitCode == 0 && kept.standardError.contains("the film has no sidecar: 'kept.mov.camrec' cannot be created"),
      "\(kept.standardError)")
    #expect(try records("kept.mov") == ["notes"])
  }

  /// Those that the bake has used and printed; where it only goes on with the clip's, those from the camera on.
  @Test func theSidecarHasTheColoursOfTheBake() throws {
    let recorded = try run(
      "--camera sim:pace=pulled --size 64x48 --frames 3 --color-in slog3 --output log.mov")
    #expect(recorded.exitCode == 0, "\(recorded)")
    let named = try run("bake log.mov --color-in vlog --output named.mov")
    #expect(named.exitCode == 0 && named.standardError.contains(" vlog to vlog"), "\(named)")
    let told = try run("info named.mov").standardOutput
    #expect(told.contains(" vlog to vlog, "), "\(told)")
    let look = try negative()
    let graded = try run("--camera sim:pace=pulled --size 64x48 --frames 3 --lut \(look) --output graded.mov")
    #expect(graded.exitCode == 0 && graded.standardError.contains(" apple-log to rec709"), "\(graded)")
    for (options, colours) in [("", "apple-log to rec709"), ("--lut \(look)", "rec709 to rec709")] {
      let baked = try run("bake graded.mov \(options) --overwrite --output again.mov")
      #expect(baked.exitCode == 0 && baked.standardError.contains(" rec709 to rec709"), "\(baked)")
      let told = try run("info again.mov").standardOutput
      #expect(told.contains(" \(colours), "), "\(told)")
    }
  }

  /// No tag names a log curve, and a film's own sidecar does.
  @Test(arguments: [
    ("slog3", "hevc", "log.mov"), ("vlog", "prores", "log.mov"), ("slog3", "ffv1", "log.mkv"),
    ("apple-log", "hevc", "log.mov"),
  ])
  func aFilmOfCamrecsKeepsItsLogCurve(colours: String, codec: String, film: String) throws {
    let camera = "--camera sim:pace=pulled --size 64x48 --frames 3 --microphone none"
    let recorded = try run("\(camera) --color-in \(colours) --codec \(codec) --output \(film)")
    #expect(recorded.exitCode == 0, "\(recorded)")
    let tags = try Probe(folder.path(film)).colors.prefix(3)
    // From the baked film, too.
    for (clip, baked) in [(film, "baked.mov"), ("baked.mov", "again.mov")] {
      let outcome = try run("bake \(clip) --fill-gaps --codec \(codec) --output \(baked)")
      #expect(outcome.exitCode == 0, "\(outcome)")
      #expect(outcome.standardError.contains(", \(colours) to \(colours)"), "\(outcome)")
      #expect(try Probe(folder.path(baked)).colors.prefix(3) == tags)
      let told = try run("info \(baked)").standardOutput
      #expect(told.contains(", \(colours) to \(colours), \(codec)\n"), "\(told)")
      #expect(try run("verify \(baked)").standardOutput.contains("does not say "))
    }
    let events = try Events(run("bake \(film) --output c.mov --no-sidecar --json"))
    #expect(events.started["colorIn"] as? String == colours && events.started["isColorInGuessed"] as? Bool == false)
  }

  /// Its matrix is that of Rec. 601, so its colours have no name of one word.
  @Test(arguments: [("hevc", "log.mov"), ("prores", "log.mov"), ("ffv1", "log.mkv")])
  func aLogFilmOfAnMJPEGCameraKeepsItsColours(codec: String, film: String) throws {
    let recorded = try run(
      "--camera sim:pace=pulled,transfer=logc3 --pixel-format mjpeg --size 64x48 --frames 3 --microphone none"
        + " --codec \(codec) --output \(film)")
    #expect(recorded.exitCode == 0, "\(recorded)")
    let colours = "rec601/logc3/alexa-wide-gamut", tags = try Probe(folder.path(film)).colors.prefix(3)
    for (clip, baked) in [(film, "baked.mov"), ("baked.mov", "again.mov")] {
      let outcome = try run("bake \(clip) --codec \(codec == "ffv1" ? "hevc" : codec) --output \(baked)")
      #expect(outcome.exitCode == 0, "\(outcome)")
      #expect(outcome.standardError.contains(", \(colours) to \(colours)"), "\(outcome)")
      #expect(try Probe(folder.path(baked)).colors.prefix(3) == tags)
      let told = try run("info \(baked)").standardOutput
      #expect(told.contains(" to \(colours), "), "\(told)")
    }
    let graded = try run("bake \(film) --look portra-400 --output graded.mov")
    #expect(graded.exitCode == 0 && graded.standardError.contains(", \(colours) to rec709"), "\(graded)")
    #expect(!graded.standardError.contains("a guess"), "\(graded)")
  }

  /// The bake of a clip that does not say its transfer function leaves such a sidecar.
  @Test func coloursThatTheSidecarDoesNotKnowEitherAreAGuess() throws {
    let recorded = try run(
      "--camera sim:pace=pulled --size 64x48 --frames 3 --microphone none --color-in apple-log --output log.mov")
    #expect(recorded.exitCode == 0, "\(recorded)")
    let whole = try String(contentsOfFile: folder.path("log.mov.camrec"), encoding: .utf8)
    let other = whole.replacing(#""colorOut":"apple-log""#, with: #""colorOut":"rec2020/unspecified/rec2020""#)
    #expect(other != whole)
    _ = try folder.write(other.utf8, to: "log.mov.camrec")
    let outcome = try run("bake log.mov --output out.mov")
    #expect(
      outcome.exitCode == 0 && outcome.standardError.contains(", rec2020/unspecified/rec2020 (a guess) to "),
      "\(outcome)")
  }

  /// Films of earlier versions say it only in the sidecar.
  @Test(arguments: ["srgb", "display-p3"]) func aProResFilmForADisplayIsTagged(colours: String) throws {
    let recorded = try run(
      "--camera sim:pace=pulled --size 64x48 --frames 3 --microphone none --color-in \(colours) --codec prores"
        + " --output film.mov")
    #expect(recorded.exitCode == 0, "\(recorded)")
    #expect(try run("verify film.mov").standardOutput == "film.mov: no problems\n")
    try FileManager.default.copyItem(atPath: folder.path("film.mov"), toPath: folder.path("alone.mov"))
    let alone = try run("bake alone.mov --codec prores --output other.mov")
    #expect(alone.exitCode == 0 && alone.standardError.contains(", \(colours) to \(colours)"), "\(alone)")
    var film = try Data(contentsOf: URL(fileURLWithPath: folder.path("film.mov")))
    let transfer = try #require(film.range(of: Data("colrnclc".utf8), options: .backwards)).upperBound + 2
    film.replaceSubrange(transfer..<transfer + 2, with: Data([0, 2]))
    try film.write(to: URL(fileURLWithPath: folder.path("film.mov")))
    #expect(try run("verify film.mov").standardOutput.contains(" -color_trc iec61966-2-1"))
    let baked = try run("bake film.mov --codec prores --output baked.mov")
    #expect(baked.exitCode == 0 && baked.standardError.contains(", \(colours) to \(colours)"), "\(baked)")
    #expect(try run("verify baked.mov").standardOutput == "baked.mov: no problems\n")
  }

  /// A LUT is checked by them, and what the user says comes first.
  @Test func theColoursOfALogFilmServeTheChecks() throws {
    let recorded = try run(
      "--camera sim:pace=pulled --size 64x48 --frames 3 --microphone none --color-in slog3 --output log.mov")
    #expect(recorded.exitCode == 0, "\(recorded)")
    let doubt = "Warning: the LUT 'Rec709 to Rec2020' is for rec709, but the input is slog3; if that is wrong, set "
    for (title, more, isDoubted) in [
      ("Rec709 to Rec2020", "", true), ("S-Log3 to Rec709", "", false),
      ("Rec709 to Rec2020", "--color-in rec709 --color-out rec2020", false),
    ] {
      _ = try folder.write(BakeTests.negative.replacing("negative", with: title).utf8, to: "table.cube")
      let outcome = try run("bake log.mov --lut table.cube \(more) --overwrite --output out.mov")
      #expect(outcome.exitCode == 0, "\(outcome)")
      #expect(outcome.standardError.contains(doubt) == isDoubted, "\(outcome)")
      #expect(outcome.standardError.contains("Warning: the LUT") == isDoubted, "\(outcome)")
    }
    let refused = try run("bake log.mov --color-out rec709 --overwrite --output out.mov")
    #expect(
      refused.exitCode == 64
        && refused.standardError.contains("cannot convert the transfer and primaries of the input, slog3, to"),
      "\(refused)")
  }

  /// The LUT's title says it, and a film with other tags is shown in wrong colours.
  @Test func aLUTThatGivesOtherColoursThanTheTagsIsDoubted() throws {
    for target in ["rec709", "display-p3"] {
      #expect(try run("lut make --from vlog --to \(target) --size 5 \(target).cube").exitCode == 0)
    }
    let sim = "--camera sim:transfer=vlog,pace=pulled --size 64x48 --frames 3 --microphone none --color-in vlog"
    let recorded = try run("\(sim) --codec ffv1 --output log.mov")
    #expect(recorded.exitCode == 0, "\(recorded)")
    for (lut, more, doubt) in [
      ("display-p3", "", "display-p3', but the film is tagged rec709"),
      ("rec709", "--color-out display-p3", "rec709', but the film is tagged display-p3"),
      ("rec709", "", nil), ("rec709", "--color-out srgb", nil), ("display-p3", "--color-out display-p3", nil),
    ] as [(String, String, String?)] {
      for command in [sim, "bake log.mov"] {
        let outcome = try run("\(command) --codec ffv1 --lut \(lut).cube \(more) --overwrite --output out.mov")
        #expect(outcome.exitCode == 0, "\(outcome)")
        let said = outcome.standardError.split(separator: "\n").filter { $0.hasPrefix("Warning: the LUT") }
        let target = doubt?.replacing("', but", with: "' gives \(lut), but")
        #expect(
          said.map(String.init)
            == (target.map { ["Warning: the LUT 'vlog v-gamut to \($0); if that is wrong, set --color-out"] } ?? []),
          "\(outcome)")
      }
    }
  }

  /// Another film's sidecar, or one that the film's tags contradict.
  @Test func aSidecarThatIsNotTheFilmsSaysNoColours() throws {
    let recorded = try run(
      "--camera sim:pace=pulled --size 64x48 --frames 3 --microphone none --color-in slog3 --output log.mov")
    #expect(recorded.exitCode == 0, "\(recorded)")
    let path = folder.path("log.mov.camrec"), whole = try String(contentsOfFile: path, encoding: .utf8)
    for (old, new) in [
      (#""width":64"#, #""width":66"#), (#""start":"20"#, #""start":"19"#),
      (#""software":"camrec "#, #""software":"film "#), (#""colorOut":"slog3""#, #""colorOut":"apple-log""#),
      (#""colorOut":"slog3""#, #""colorOut":"slog3-full""#),
    ] {
      let other = whole.replacing(old, with: new)
      #expect(other != whole, "\(old)")
      _ = try folder.write(other.utf8, to: "log.mov.camrec")
      let outcome = try run("bake log.mov --overwrite --output out.mov")
      #expect(
        outcome.exitCode == 0 && outcome.standardError.contains(", rec709 (a guess) to rec709"), "\(new): \(outcome)")
      let told = try run("info out.mov").standardOutput
      #expect(
        told.contains(
          "  the bake took 'log.mov' for rec709 (a guess: the clip does not say its transfer and primaries)\n"),
        "\(told)")
    }
    try FileManager.default.removeItem(atPath: path)
    let outcome = try run("bake log.mov --overwrite --output out.mov")
    #expect(outcome.exitCode == 0 && outcome.standardError.contains(", rec709 (a guess) to rec709"), "\(outcome)")
  }

  @Test func aSidecarThatCannotBeReadIsSaid() throws {
    try clip("clip.mov", rate: "25", frames: 5, [])
    for (text, reason) in [
      ("{\"camrec-sidecar\":99,\"film\":\"clip.mov\"}\n", "has version 99, written by a later camrec"),
      ("garbage", "is not the sidecar of a film"),
    ] {
      _ = try folder.write(text.utf8, to: "clip.mov.camrec")
      let outcome = try run("bake clip.mov --overwrite --output out.mov")
      #expect(
        outcome.exitCode == 0 && outcome.standardError.contains(
          "Warning: cannot read the sidecar of 'clip.mov', so the film gets none: 'clip.mov.camrec' \(reason)"),
        "\(outcome.standardError)")
      #expect(try !folder.names.contains("out.mov.camrec"))
    }
  }

  /// Of a bake that was killed; one that is underway holds a lock.
  @Test func whatAKilledBakeHasLeftGoesWithTheNext() throws {
    try clip("clip.mov", rate: "25", frames: 5, [])
    for name in [".out.mov.part-1.mov", ".out.mov.part-2.mov", ".other.mov.part-1.mov"] {
      _ = try folder.write("left".utf8, to: name)
    }
    let held = open(folder.path(".out.mov.part-2.mov"), O_RDONLY | O_CLOEXEC)
    defer { close(held) }
    #expect(flock(held, LOCK_EX | LOCK_NB) == 0)
    #expect(try run("bake clip.mov --output out.mov").exitCode == 0)
    #expect(try folder.names.filter { $0.hasPrefix(".") }.sorted() == [".other.mov.part-1.mov", ".out.mov.part-2.mov"])
  }

  /// Its maker was killed before it could give the film its name.
  @Test(arguments: ["mov", "mkv"]) func aWholeFilmThatABakeHasLeftStays(kind: String) throws {
    try clip("clip.mov", rate: "25", frames: 5, [])
    #expect(try run("bake clip.mov --output out.\(kind)").exitCode == 0)
    let hidden = ".out.\(kind).part-1.\(kind)", torn = ".out.\(kind).part-2.\(kind)"
    let film = try Data(contentsOf: folder.url.appendingPathComponent("out.\(kind)"))
    #expect(rename(folder.path("out.\(kind)"), folder.path(hidden)) == 0)
    // As Matroska is written: no length is known before the end.
    var part = film.prefix(film.count / 2)
    if let segment = part.firstRange(of: Data([0x18, 0x53, 0x80, 0x67])) {
      part.replaceSubrange(segment.upperBound..<segment.upperBound + 8, with: [1] + [UInt8](repeating: 255, count: 7))
    }
    try part.write(to: folder.url.appendingPathComponent(torn))
    let outcome = try run("bake clip.mov --output out.\(kind)")
    #expect(
      outcome.exitCode == 0 && outcome.standardError.contains(
        "Warning: '\(hidden)' is a complete film left by an earlier bake; rename it or delete it\n"),
      "\(outcome)")
    #expect(try Data(contentsOf: folder.url.appendingPathComponent(hidden)) == film)
    #expect(try folder.names.filter { $0.contains(".part-") } == [hidden])
  }

  @Test func severalClips_areBakedIntoAFolder() throws {
    for name in ["a", "b", "-c"] { try clip("\(name).mov", rate: "25", frames: 3, []) }
    let outcome = try run("bake a.mov --codec ffv1 b.mov --jobs 2 --output graded -- -c.mov")
    #expect(outcome.exitCode == 0, "\(outcome.standardError)\(outcome.standardOutput)")
    let films = try FileManager.default.contentsOfDirectory(atPath: folder.path("graded")).sorted()
    #expect(films == ["-c.mov", "a.mov", "b.mov"])
    #expect(try Probe(folder.path("graded/b.mov")).video["codec_name"] as? String == "ffv1")
    let named = try run("bake a.mov b.mov --output graded/{clip}_look.mkv")
    #expect(named.exitCode == 0, "\(named.standardError)\(named.standardOutput)")
    #expect(try Probe(folder.path("graded/a_look.mkv")).video["codec_name"] as? String == "hevc")
    let single = try run("bake a.mov --output new/deep/{clip}_look.mkv")
    #expect(single.exitCode == 0, "\(single.standardError)\(single.standardOutput)")
    #expect(try Probe(folder.path("new/deep/a_look.mkv")).video["codec_name"] as? String == "hevc")
    _ = try folder.write("a.mov\n".utf8, to: "list")
    for words in ["a.mov b.mov", "--list list"] {
      let misplaced = try run("bake \(words) --output {clip}/g.mov")
      #expect(
        misplaced.exitCode == 64 && misplaced.standardError.contains("put '{clip}' in the film's name"),
        "\(misplaced)")
    }
    let one = try run("bake a.mov b.mov --output out.mov")
    #expect(
      one.exitCode == 64
        && one.standardError.contains("with several clips, --output must be a folder or contain '{clip}'"))
    let twice = try run("bake a.mov graded/a.mov --output other")
    #expect(
      twice.exitCode == 64 && twice.standardError.contains("like 'a.mov'; rename one, or bake them into two folders"))
    let itself = try run("bake a.mov b.mov --output .")
    #expect(itself.exitCode == 64 && itself.standardError.contains("is itself one of the clips"))
  }

  @Test func lookForOtherPictures_isDoubted_andAGuessIsCalledOne() throws {
    try clip("phone.mov", rate: "25", frames: 5, [])
    _ = try folder.write(BakeTests.negative.replacing("negative", with: "S-Log3 look").utf8, to: "look.cube")
    let outcome = try run("bake phone.mov --lut look.cube --output out.mov")
    #expect(outcome.exitCode == 0 && outcome.standardError.contains(" (a guess) to rec709"), "\(outcome.standardError)")
    #expect(
      outcome.standardError.contains("Warning: the LUT 'S-Log3 look' is for slog3, but the input is "),
      "\(outcome.standardError)")
    #expect(
      outcome.standardError.contains(" (a guess: the clip has no colour tags); if that is wrong, set --color-in"))
    try clip("matrix.mkv", rate: "25", frames: 5, ["-colorspace", "bt709"])
    let matrix = try run("bake matrix.mkv --lut look.cube --output matrix.mov")
    #expect(
      matrix.standardError.contains(" (a guess: the clip does not say its transfer and primaries); if that is wrong"),
      "\(matrix.standardError)")
    // As Apple Log films are tagged, whose primaries are not Sony's.
    try clip("wide.mkv", rate: "25", frames: 5, ["-color_primaries", "bt2020", "-colorspace", "bt2020nc"])
    let wide = try run("bake wide.mkv --lut look.cube --output wide.mov")
    #expect(
      wide.standardError.contains(
        "Warning: the LUT 'S-Log3 look' is for slog3, but the input is rec2020/unspecified/rec2020 (a guess: the clip"
          + " does not say its transfer); if that is wrong, set --color-in"), "\(wide.standardError)")
    let told = try run("bake phone.mov --lut look.cube --color-in slog3 --output told.mov")
    #expect(told.exitCode == 0 && !told.standardError.contains("S-Log3 look' is for"), "\(told.standardError)")
    #expect(!told.standardError.contains("a guess"))
  }

  @Test func timecodeThatCannotBeIsLeftOutWithAWarning() throws {
    try clip("clip.mkv", rate: "24", frames: 4, ["-metadata:s:v", "timecode=01:02:03;04"])
    let outcome = try run("bake clip.mkv --output out.mov")
    #expect(outcome.exitCode == 0, "\(outcome.standardError)")
    #expect(
      outcome.standardError.contains(
        "Warning: the clip's timecode '01:02:03;04' does not exist at 24 fps and is left out"))
    #expect(try Probe(folder.path("out.mov")).timecode == nil)
  }

  @Test func timecodeAbove100FramesASecondIsKept() throws {
    try clip("clip.mov", rate: "120", frames: 6, ["-timecode", "10:20:30:012"])
    try #require(try Probe(folder.path("clip.mov")).timecode == "10:20:30:012")
    let outcome = try run("bake clip.mov --output out.mov")
    #expect(outcome.exitCode == 0 && !outcome.standardError.contains("timecode"), "\(outcome.standardError)")
    #expect(try Probe(folder.path("out.mov")).timecode == "10:20:30:012")
    let other = try run("bake clip.mov --timecode 01:00:00:110 --output other.mov")
    #expect(other.exitCode == 0, "\(other.standardError)")
    #expect(try Probe(folder.path("other.mov")).timecode == "01:00:00:110")
    let same = try run("compare --align timecode clip.mov out.mov")
    #expect(same.standardOutput.contains("6 frames in both, by timecode"), "\(same.standardError)")
  }

  /// ffmpeg's timecode track begins at 0, and the picture later: its first packets are missing.
  @Test func timecodeIsThatOfTheFirstFrame_whereThePictureBeginsLate() throws {
    try Tool.run([
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=64x36:rate=25:duration=2", "-f", "lavfi", "-i",
      "sine=duration=2:sample_rate=48000", "-c:v", "prores", "-c:a", "pcm_s16le", "-timecode", "10:00:00:00",
      folder.path("whole.mov"),
    ])
    try Tool.run([
      "ffmpeg", "-v", "error", "-i", folder.path("whole.mov"), "-map", "0:v", "-map", "0:a", "-c", "copy", "-bsf:v",
      "noise=drop=lt(n\\,10)", folder.path("late.mov"),
    ])
    try #require(try Probe(folder.path("late.mov")).timecode == "10:00:00:00")
    for (clip, label) in [("whole", "10:00:00:00"), ("late", "10:00:00:10")] {
      let outcome = try run("bake \(clip).mov --codec prores --output \(clip)-film.mov")
      #expect(outcome.exitCode == 0, "\(outcome.standardError)")
      #expect(try Probe(folder.path("\(clip)-film.mov")).timecode == label)
    }
  }

  /// Matroska counts milliseconds, in which no frame of 24 a second lasts a whole number of ticks.
  @Test(arguments: ["24", "30000/1001"]) func timecodeOfACoarselyTimedClipCountsInItsRate(rate: String) throws {
    try clip("clip.mkv", rate: rate, frames: 12, [])
    let outcome = try run("bake clip.mkv --timecode 01:02:03:04 --output out.mov")
    #expect(outcome.exitCode == 0, "\(outcome.standardError)")
    let probe = try Probe(folder.path("out.mov"))
    let track = probe.timecodeRate?.split(separator: "/").compactMap { Double($0) } ?? []
    let exact = rate.split(separator: "/").compactMap { Double($0) }
    #expect(track.count == 2 && track[0] * (exact.count > 1 ? exact[1] : 1) == exact[0] * track[1])
    #expect(
      probe.timecode == "01:02:03:04"
        && probe.video["r_frame_rate"] as? String == "\(rate)\(exact.count > 1 ? "" : "/1")")
    #expect(try frameTimes("out.mov") == frameTimes("clip.mkv"))
  }

  @Test(arguments: ["24000/1001", "60000/1001"]) func aConstantRateStaysConstant(rate: String) throws {
    try clip("clip.mkv", rate: rate, frames: 60)
    #expect(try run("bake clip.mkv --codec ffv1 --microphone none --output out.mov").exitCode == 0)
    let video = try Probe(folder.path("out.mov")).video
    #expect(video["r_frame_rate"] as? String == rate && video["avg_frame_rate"] as? String == rate, "\(video)")
    let durations = try Tool.run([
      "ffprobe", "-v", "error", "-select_streams", "v:0", "-show_entries", "packet=duration", "-of", "csv=p=0",
      folder.path("out.mov"),
    ])
    #expect(Set(String(decoding: durations, as: UTF8.self).split { $0.isNewline || $0 == "," }).count == 1)
  }

  @Test func frameTimesOfAVariableRateAreKept() throws {
    try clip("clip.mkv", rate: "25", frames: 12, ["-vf", "select=not(eq(mod(n\\,4)\\,2))", "-fps_mode", "vfr"])
    let outcome = try run("bake clip.mkv --microphone none --output out.mov")
    #expect(outcome.exitCode == 0, "\(outcome.standardError)")
    let times = try frameTimes("out.mov")
    #expect(times == [0, 40, 120, 160, 200, 280, 320, 360, 440, 480, 520, 600])
    #expect(try Probe(folder.path("out.mov")).audio.isEmpty)
  }

  @Test func pixelsKeepTheirShape() throws {
    try clip("clip.mkv", rate: "24", frames: 4, ["-vf", "setsar=4/3"])
    let outcome = try run("bake clip.mkv --output out.mov")
    #expect(outcome.exitCode == 0, "\(outcome.standardError)")
    #expect(try Probe(folder.path("out.mov")).video["sample_aspect_ratio"] as? String == "4:3")
  }

  @Test func optionsOverrideTheClip() throws {
    try clip("clip.mov", rate: "24", frames: 8, ["-timecode", "10:20:30:12"])
    let outcome = try run(
      "bake clip.mov --rotation 180 --timecode 01:00:00:00 --codec prores --profile lt --color-in rec709 --frames 5"
        + " --output out.mov")
    #expect(outcome.exitCode == 0, "\(outcome.standardError)")
    let probe = try Probe(folder.path("out.mov"))
    #expect(abs(probe.rotation ?? 0) == 180 && probe.timecode == "01:00:00:00")
    #expect(probe.video["codec_name"] as? String == "prores" && probe.video["codec_tag_string"] as? String == "apcs")
    #expect(probe.video["nb_frames"] as? String == "5")
    #expect(probe.colors == ["bt709", "bt709", "bt709", "tv"])
  }

  @Test func identityReturnsEveryPixel() throws {
    try clip("clip.mkv", rate: "24", frames: 4, ["-vf", "eq=contrast=0.5:saturation=0.4"])
    let identity = BakeTests.negative.replacing("negative", with: "identity").split(separator: "\n")
    let cube = try folder.write(
      (identity.prefix(2) + identity.dropFirst(2).reversed()).joined(separator: "\n").utf8, to: "identity.cube")
    let outcome = try run("bake clip.mkv --color-in rec709 --lut \(cube) --codec ffv1 --output out.mkv")
    #expect(outcome.exitCode == 0, "\(outcome.standardError)")
    // With so little contrast every pixel lies inside the gamut.
    #expect(try hashes("out.mkv") == hashes("clip.mkv"))
  }

  @Test func hashesAreThoseOfFFmpeg() throws {
    try clip("clip.mkv", rate: "24", frames: 4)
    let outcome = try run("bake clip.mkv --output out.framemd5")
    #expect(outcome.exitCode == 0, "\(outcome.standardError)")
    let lines = try String(contentsOfFile: folder.path("out.framemd5"), encoding: .utf8).split(separator: "\n")
    let found = lines.filter { !$0.hasPrefix("#") }.map { String($0.suffix(32)) }
    #expect(try found == hashes("clip.mkv"))
  }

  @Test func sourceIsNeverOverwritten() throws {
    try clip("clip.mov", rate: "24", frames: 4)
    let before = try Data(contentsOf: folder.url.appendingPathComponent("clip.mov"))
    try FileManager.default.createSymbolicLink(atPath: folder.path("link.mov"), withDestinationPath: "clip.mov")
    for output in ["clip.mov", "./clip.mov", "link.mov"] {
      let outcome = try run("bake clip.mov --overwrite --output \(output)")
      #expect(outcome.exitCode == 64)
      #expect(outcome.standardError.contains("Error: '\(output)' is the clip itself; choose another --output"))
    }
    #expect(try Data(contentsOf: folder.url.appendingPathComponent("clip.mov")) == before)
  }

  @Test func truncatedClipIsBakedAsFarAsItGoes() throws {
    try clip("clip.mkv", rate: "24", frames: 48)
    let whole = try Data(contentsOf: folder.url.appendingPathComponent("clip.mkv"))
    try whole.prefix(whole.count / 2).write(to: folder.url.appendingPathComponent("half.mkv"))
    let outcome = try run("bake half.mkv --microphone none --output out.mov")
    #expect(outcome.standardError.contains("Warning: half.mkv"), "\(outcome.standardError)")
    let frames = try frameTimes("out.mov").count
    #expect((10...40).contains(frames))
    #expect(outcome.standardError.contains("written \(frames),"))
  }

  /// Every packet of the first half is whole: only the header tells that there was more.
  @Test func clipThatWasCutOffIsNoSuccess() throws {
    try clip("clip.mkv", rate: "24", frames: 48)
    let whole = try Data(contentsOf: folder.url.appendingPathComponent("clip.mkv"))
    try whole.prefix(whole.count / 2).write(to: folder.url.appendingPathComponent("half.mkv"))
    let outcome = try run("bake half.mkv --microphone none --json --output out.mov")
    #expect(outcome.standardError.isEmpty && outcome.exitCode == 3, "\(outcome.standardError)")
    #expect(outcome.standardOutput.contains("was cut off"))
    #expect(outcome.standardOutput.contains("\"status\":3"))
  }

  /// The film has its name when it is whole.
  @Test func aBakeThatIsStoppedKeepsNothing_unlessItIsAskedTo() throws {
    // More than there is room for in front of the film.
    try Tool.run([
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=24:duration=10", "-c:v", "libx264",
      "-preset", "ultrafast", "-pix_fmt", "yuv420p", folder.path("long.mp4"),
    ])
    let place = try TemporaryFolder()
    func stopped(_ more: String...) throws -> CamrecBinary.Outcome {
      let gate = try FileGate(path: place.path(UUID().uuidString), ofFile: ".part-")
      let running = try camrec.start(
        ["bake", "long.mp4", "--output", "out.mov"] + more, in: folder.url, environment: try gate.environment())
      try gate.awaitSomebody()
      running.send(signal: SIGINT)
      running.awaitRest()
      gate.open()
      return running.wait(timeout: 60)
    }
    let first = try stopped()
    #expect(first.exitCode == 130 && first.standardError.contains("so its film was not kept; "), "\(first)")
    #expect(first.standardError.contains("no film was made\n") && first.standardError.contains(", written 0, "))
    let ledger = try #require(
      first.standardError.firstMatch(
        of: /, read (\d+), written 0, lost 0; (\d+) frames discarded with the unfinished film\n/), "\(first)")
    #expect(ledger.1 == ledger.2 && ledger.1 != "0")
    let dropped = try Events(stopped("--json")).stopped
    let account = try #require(dropped["ledger"] as? [String: Any])
    #expect(dropped["discarded"] as? Int == account["captured"] as? Int && dropped["frames"] == nil, "\(dropped)")
    #expect(try folder.names == ["long.mp4"])
    let kept = try stopped("--keep-partial", "--json")
    #expect(kept.exitCode == 130 && kept.standardOutput.contains("\"status\":130"), "\(kept)")
    let events = try Events(kept)
    #expect(events.stopped["isPartial"] as? Bool == true && events.stopped["total"] as? Int == 240, "\(kept)")
    #expect(events.stopped["discarded"] == nil, "\(kept)")
    let sentence = "out.mov is a partial film: the bake was stopped after "
    #expect(events.warnings.contains { $0.hasPrefix(sentence) && $0.hasSuffix(" of 240 frames") }, "\(kept)")
    #expect(try folder.names == ["long.mp4", "out.mov"])
    #expect(try frameTimes("out.mov").count > 0)
    // One that would be replaced stays until the other is whole.
    let film = try Data(contentsOf: folder.url.appendingPathComponent("out.mov"))
    let other = try stopped("--overwrite")
    #expect(other.exitCode == 130 && !other.standardError.contains("partial film"), "\(other)")
    #expect(try Data(contentsOf: folder.url.appendingPathComponent("out.mov")) == film)
    let text = try stopped("--overwrite", "--keep-partial")
    #expect(text.exitCode == 130 && text.standardError.contains(sentence), "\(text)")
    let whole = try run("bake long.mp4 --frames 5 --overwrite --output out.mov")
    #expect(whole.exitCode == 0 && whole.standardError.contains("out.mov: 5 frames"), "\(whole)")
    #expect(try frameTimes("out.mov").count == 5)
    #expect(try folder.names == ["long.mp4", "out.mov"])
  }

  /// All frames are read while the film's file is held.
  @Test(arguments: [("", 5), ("--keep-partial", 5), ("--frames 3", 3)])
  func aStopBehindTheLastFrame_leavesAWholeFilm(more: String, frames: Int) throws {
    try clip("short.mkv", rate: "24", frames: 5)
    let place = try TemporaryFolder()
    let gate = try FileGate(path: place.path("gate"), ofFile: ".part-")
    let running = try camrec.start(
      ["bake", "short.mkv", "--json", "--output", "out.mov"] + more.split(separator: " ").map(String.init),
      in: folder.url, environment: try gate.environment())
    try gate.awaitSomebody()
    running.awaitRest()
    running.send(signal: SIGINT)
    running.awaitRest()
    gate.open()
    let outcome = running.wait(timeout: 60)
    #expect(outcome.exitCode == 0, "\(outcome)")
    let events = try Events(outcome)
    #expect(events.stopped["frames"] as? Int == frames && events.stopped["isPartial"] == nil, "\(outcome)")
    let late = "the interrupt came too late: the last frame had been read, so the film is complete"
    #expect(events.all.contains { $0["event"] as? String == "note" && $0["message"] as? String == late }, "\(outcome)")
    #expect(try frameTimes("out.mov").count == frames)
  }

  /// A file-size limit stands for a full disk.
  @Test(arguments: ["mov", "mkv"])
  func aFullDiskLeavesAPartialFilmThatPlays(kind: String) throws {
    try Tool.run([
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=24:duration=10", "-c:v", "libx264",
      "-preset", "ultrafast", "-pix_fmt", "yuv420p", folder.path("long.mp4"),
    ])
    func bake(_ more: String) throws -> CamrecBinary.Outcome {
      try bakeWithLimit(6000, "long.mp4 --json --output out.\(kind) \(more)")
    }
    let kept = try bake("--keep-partial")
    #expect(kept.exitCode == 74 && !kept.endedBySignal, "\(kept)")
    let events = try Events(kept), frames = try frameTimes("out.\(kind)").count
    #expect((48..<240).contains(frames), "\(frames) frames")
    #expect(events.stopped["isPartial"] as? Bool == true && events.stopped["frames"] as? Int == frames, "\(kept)")
    #expect(
      events.warnings.contains { $0 == "out.\(kind) is a partial film: the bake failed after \(frames) of 240 frames" },
      "\(kept)")
    #expect(try folder.names == ["long.mp4", "out.\(kind)"])
    if kind == "mov" {
      #expect(kept.standardError.contains("; raise the file size limit, then run camrec recover out.mov\n"), "\(kept)")
      let recovered = try run("recover out.mov")
      #expect(recovered.exitCode == 0 && recovered.standardOutput.hasPrefix("'out.mov' is recovered"), "\(recovered)")
      #expect(try Probe(folder.path("out.mov")).video["nb_frames"] as? String == "\(frames)")
    }
    // Without it, the older film stays.
    let film = try Data(contentsOf: folder.url.appendingPathComponent("out.\(kind)"))
    let other = try bake("--overwrite")
    #expect(other.exitCode == 74)
    #expect(try Data(contentsOf: folder.url.appendingPathComponent("out.\(kind)")) == film)
    #expect(try folder.names == ["long.mp4", "out.\(kind)"])
    // What was stored is discarded, and only what the disk refused is lost.
    let dropped = try Events(other), discarded = try #require(dropped.stopped["discarded"] as? Int, "\(other)")
    #expect(discarded >= 48 && dropped.stopped["frames"] == nil, "\(other)")
    #expect(dropped.losses[3] > 0 && dropped.losses.reduce(0, +) == dropped.losses[3], "\(other)")
    #expect(dropped.account[1] == discarded + dropped.losses[3] && dropped.account[2] == 0, "\(other)")
    let failure = try #require(dropped.stopped["error"] as? [String: Any])["message"] as? String
    #expect(
      failure == "'out.\(kind)' has reached the system's limit for file sizes: \(dropped.losses[3]) "
        + "frame\(dropped.losses[3] == 1 ? " was" : "s were") lost. The unfinished film was not kept; "
        + "raise the file size limit", "\(other)")
    #expect(
      dropped.warnings.contains(
        "the bake did not finish, so its film was not kept; --keep-partial keeps its whole fragments, of up to "
          + "\(kind == "mov" ? "2" : "0.2") s each"), "\(other)")
    for untrue in ["no frame was stored", "plays", "--segment"] {
      #expect(!dropped.warnings.contains { $0.contains(untrue) }, "\(other)")
    }
  }

  /// A file-size limit stands for a full disk. It cuts a film back to its last whole fragment.
  @Test(arguments: ["mov", "mkv"]) func aBakeAdvisesToKeepPartialFilmsOnlyIfThatKeepsSomething(kind: String) throws {
    try Tool.run([
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=24:duration=4", "-c:v", "libx264",
      "-preset", "ultrafast", "-pix_fmt", "yuv420p", folder.path("short.mp4"),
    ])
    func bake(_ more: String) throws -> CamrecBinary.Outcome {
      // Room for less than 2 s.
      try bakeWithLimit(1000, "short.mp4 --json --output out.\(kind) \(more)")
    }
    let other = try bake(""), dropped = try Events(other)
    let discarded = try #require(dropped.stopped["discarded"] as? Int, "\(other)")
    #expect(other.exitCode == 74 && discarded > 5 && discarded < 48, "\(other)")
    let sentence = "the bake did not finish, so its film was not kept"
    let advice = kind == "mov" ? "" : "; --keep-partial keeps its whole fragments, of up to 0.2 s each"
    #expect(dropped.warnings.filter { $0.hasPrefix(sentence) } == [sentence + advice], "\(other)")
    let kept = try bake("--keep-partial")
    #expect(kept.exitCode == 74, "\(kept)")
    #expect(try folder.names == (kind == "mov" ? [] : ["out.mkv"]) + ["short.mp4"], "\(kept)")
  }

  /// A file-size limit stands for a full disk. The clip begins with a fragment of few frames.
  @Test func whatIsAdvisedCountsSeconds_notFrames() throws {
    try Tool.run([
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=24:duration=8", "-vf",
      "select='lt(n,48)*not(mod(n,4))+gte(n,48)'", "-fps_mode", "vfr", "-c:v", "libx264", "-preset", "ultrafast",
      "-pix_fmt", "yuv420p", folder.path("clip.mp4"),
    ])
    func bake(_ more: String) throws -> CamrecBinary.Outcome {
      // Room for more than 2 s, but less than 48 frames.
      try bakeWithLimit(1000, "clip.mp4 --json --output out.mov \(more)")
    }
    let other = try bake(""), dropped = try Events(other)
    let discarded = try #require(dropped.stopped["discarded"] as? Int, "\(other)")
    #expect(other.exitCode == 74 && discarded > 12 && discarded < 48, "\(other)")
    #expect(
      dropped.warnings.contains(
        "the bake did not finish, so its film was not kept; --keep-partial keeps its whole fragments, of up to 2 s each"
      ), "\(other)")
    let kept = try bake("--keep-partial")
    #expect(kept.exitCode == 74, "\(kept)")
    #expect(try folder.names == ["clip.mp4", "out.mov"], "\(kept)")
  }

  /// A file-size limit stands for a full disk. The recording itself had lost nothing.
  @Test func whatABakeHadLostIsNotTheRecordings() throws {
    let take = try run("record --camera sim:pace=pulled --size 320x180 --frames 240 --control none --output take.mov")
    #expect(take.exitCode == 0, "\(take)")
    let partial = try bakeWithLimit(6000, "take.mov --keep-partial --json --output part.mov")
    #expect(partial.exitCode == 74, "\(partial)")
    let lost = try Events(partial).losses[3]
    #expect(try lost > 0 && run("recover part.mov").exitCode == 0)
    let outcome = try run("bake part.mov --output again.mov")
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(
      outcome.standardError.contains("the recording or an earlier bake had lost \(lost) of ")
        && !outcome.standardError.contains("the recording had lost"), "\(outcome)")
  }

  /// Its account as `camrec info` has it.
  private struct Account: Equatable {
    var expected: Int
    var written: Int
    var lost: Int
    var repeated: Int
  }

  private func account(_ film: String) throws -> Account {
    let text = try run("info --json \(film)").standardOutput
    let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any], "\(text)")
    let end = try #require(object["end"] as? [String: Any], "\(text)")
    let repeats = (object["repeated"] as? [String: Any])?["items"] as? [[String: Any]] ?? []
    return Account(
      expected: end["expected"] as? Int ?? -1, written: object["written"] as? Int ?? -1,
      lost: (end["lost"] as? [String: Int] ?? [:]).values.reduce(0, +),
      repeated: repeats.reduce(0) { $0 + ($1["count"] as? Int ?? 0) })
  }

  /// A recording that loses two frames of ten, and repeats the one before them.
  private func recordFilled() throws {
    let drops = stride(from: 5, to: 240, by: 10).map { "drop \($0) 2\n" }.joined()
    let faults = try folder.write(drops.utf8, to: "faults")
    let take = try run(
      "record --camera sim:pace=pulled,faults=\(faults) --size 320x180 --exposure locked --frames 240 --fill-gaps "
        + "--microphone none --control none --output take.mov")
    #expect(take.exitCode == 3, "\(take)")
    #expect(try account("take.mov") == Account(expected: 240, written: 192, lost: 48, repeated: 48))
  }

  /// A file-size limit stands for a full disk. Some of the clip's repeated frames are in the film, others are not.
  @Test func aPartialBakeOfAFilledFilm_countsEachFrameOnce() throws {
    try recordFilled()
    let partial = try bakeWithLimit(6000, "take.mov --keep-partial --output part.mov")
    #expect(partial.exitCode == 74, "\(partial)")
    let frames = try frameTimes("part.mov").count, before = try account("part.mov")
    #expect(before.expected == before.written + before.lost && before.lost > 0, "\(before)")
    #expect(before.written + before.repeated == frames && before.repeated > 0, "\(before), \(frames)")
    let told = try run("info part.mov").standardOutput
    #expect(told.contains("\nended early: 'part.mov' has reached the system's limit for file sizes\n"), "\(told)")
    #expect(told.contains("; to finish it, run: camrec recover part.mov\n"), "\(told)")
    // Recovery changes nothing in the film, and the next bake has all of it.
    #expect(try run("recover part.mov").exitCode == 0)
    #expect(try account("part.mov") == before)
    let outcome = try run("bake part.mov --output again.mov")
    #expect(
      outcome.exitCode == 0
        && outcome.standardError.contains(" had lost \(before.lost) of \(before.expected) frames before the bake"),
      "\(outcome)")
    #expect(try account("again.mov") == before)
    for film in ["part.mov", "again.mov"] {
      let info = try run("info \(film)").standardOutput
      #expect(info.contains("\nended early: ") && !info.contains("camrec recover"), "\(info)")
    }
  }

  @Test func aBakeThatEndsWithinAFilledGap_hasAPartOfIt() throws {
    try recordFilled()
    #expect(try run("bake take.mov --frames 6 --output short.mov").exitCode == 0)
    #expect(try frameTimes("short.mov").count == 6)
    #expect(try account("short.mov") == Account(expected: 6, written: 5, lost: 1, repeated: 1))
    let info = try run("info short.mov").standardOutput
    #expect(info.contains("filled by repeats:\n  0:00:00.208  frame 5: 1\n"), "\(info)")
  }

  /// A file-size limit stands for a full disk: it has no sound to replace.
  @Test func soundThatAFullDiskDoesNotTakeIsNoSilence() throws {
    try Tool.run([
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=24:duration=10", "-f", "lavfi", "-i",
      "sine=duration=10:sample_rate=48000", "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:a",
      "pcm_s16le", folder.path("long.mov"),
    ])
    let outcome = try bakeWithLimit(6000, "long.mov --keep-partial --output out.mov")
    #expect(outcome.exitCode == 74, "\(outcome)")
    #expect(!outcome.standardError.contains("replaced by silence"), "\(outcome)")
    let account = try #require(
      outcome.standardError.firstMatch(of: /audio: (\d+) samples; (\d+) samples lost to the disk\n/), "\(outcome)")
    let kept = try #require(Int(account.1)), lost = try #require(Int(account.2))
    // All samples that belong to the frames that were read; a tenth of a second may come in front of its frames.
    let frames = try #require(outcome.standardError.firstMatch(of: /, read (\d+),/), "\(outcome)")
    let read = try #require(Int(frames.1))
    #expect(lost > 0 && abs(kept + lost - read * 2000) <= 4800, "\(outcome)")
  }

  /// A film that is whole is the same ordinary one.
  @Test func aBakeThatMayKeepAPartialFilmEndsWithAnIndex() throws {
    try clip("clip.mov", rate: "24", frames: 72, ["-timecode", "10:20:30:12"])
    for (name, more) in [("a.mov", ""), ("b.mov", " --keep-partial")] {
      let outcome = try run("bake clip.mov --rotation 90 --output \(name)\(more)")
      #expect(outcome.exitCode == 0, "\(outcome)")
    }
    let (first, second) = (try Probe(folder.path("a.mov")), try Probe(folder.path("b.mov")))
    #expect(second.video["nb_frames"] as? String == "72" && second.timecode == first.timecode)
    #expect(second.rotation == first.rotation && second.colors == first.colors)
    #expect(try frameTimes("b.mov") == frameTimes("a.mov") && hashes("b.mov") == hashes("a.mov"))
    #expect(try run("verify b.mov").exitCode == run("verify a.mov").exitCode)
    #expect(try run("recover b.mov").standardOutput == "'b.mov' is finished; there is nothing to recover\n")
  }

  /// A warning about the clip's own range says nothing of the new film.
  @Test func aFilmInLimitedRangeDoesNotWarnOfFullRange() throws {
    let recorded = try run(
      "--camera sim:pace=pulled --size 64x48 --frames 3 --color-in slog3 --color-out slog3-full --output full.mov")
    #expect(recorded.exitCode == 0 && recorded.standardError.contains("in full range"), "\(recorded)")
    #expect(try run("info full.mov").standardOutput.contains("in full range"))
    let baked = try run("bake full.mov --output limited.mov")
    #expect(baked.exitCode == 0 && !baked.standardError.contains("in full range"), "\(baked)")
    #expect(try !run("info limited.mov").standardOutput.contains("in full range"))
  }

  /// A .mkv states its range.
  @Test func aMatroskaFilmInFullRangeIsNotWarnedOf() throws {
    let recorded = try run(
      "--camera sim:pace=pulled --size 64x48 --frames 3 --color-in slog3 --color-out slog3-full --output full.mkv")
    #expect(recorded.exitCode == 0 && !recorded.standardError.contains("in full range"), "\(recorded)")
    #expect(try Probe(folder.path("full.mkv")).video["color_range"] as? String == "pc")
  }

  @Test func aFilmThatAppearsWhileItIsBaked_stays() throws {
    try clip("clip.mov", rate: "24", frames: 20)
    let gate = try FileGate(path: folder.path("gate"))
    let running = try camrec.start(
      ["bake", "clip.mov", "--output", "out.mov"], in: folder.url, environment: try gate.environment())
    try gate.awaitSomebody()
    #expect(try folder.names.contains { $0.hasPrefix(".out.mov.part-") })
    _ = try folder.write("holiday".utf8, to: "out.mov")
    gate.open()
    let outcome = running.wait(timeout: 120)
    #expect(outcome.exitCode == 74, "\(outcome)")
    #expect(
      outcome.standardError.contains(
        "'out.mov' was created by another program meanwhile and was not overwritten; the baked film is 'out-2.mov'\n"),
      "\(outcome)")
    #expect(outcome.standardError.contains("\nout-2.mov: 20 frames, "), "\(outcome)")
    #expect(try String(contentsOfFile: folder.path("out.mov"), encoding: .utf8) == "holiday")
    #expect(try run("bake clip.mov --output out.mov --overwrite").exitCode == 0)
    #expect(try frameTimes("out-2.mov").count == 20, "the next bake of that film leaves it where it is")
    #expect(try folder.names.allSatisfy { !$0.contains(".part-") })
  }

  // MARK: Helpers

  private func run(_ text: String) throws -> CamrecBinary.Outcome {
    try camrec.run(text.split(separator: " ").map(String.init), in: folder.url, timeout: 60)
  }

  /// Bakes to ProRes where no file may have more than so many blocks of 512 bytes, which stands for a full disk.
  private func bakeWithLimit(_ blocks: Int, _ arguments: String) throws -> CamrecBinary.Outcome {
    let command = "ulimit -f \(blocks); exec '\(camrec.url.path)' bake --codec prores \(arguments)"
    return try CamrecBinary(url: URL(fileURLWithPath: "/bin/sh")).run(["-c", command], in: folder.url, timeout: 60)
  }

  private func negative() throws -> String { try folder.write(BakeTests.negative.utf8, to: "negative.cube") }

  /// A clip of bars and a tone, losslessly coded.
  private func clip(_ name: String, rate: String, frames: Int, _ options: [String] = []) throws {
    try Tool.run(
      [
        "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "smptebars=size=128x72:rate=\(rate)", "-f", "lavfi", "-i",
        "sine=frequency=500:sample_rate=48000",
      ] + options + [
        "-map", "0:v", "-map", "1:a", "-frames:v", "\(frames)", "-shortest", "-c:v", "ffv1", "-pix_fmt", "yuv420p",
        "-color_range",
        "tv", "-c:a", "pcm_s16le", folder.path(name),
      ])
  }

  /// Title and milliseconds.
  private func chapters(_ name: String) throws -> [String] {
    struct Found: Decodable {
      struct Chapter: Decodable {
        let start_time: String
        let tags: [String: String]?
      }
      let chapters: [Chapter]
    }
    let text = try Tool.run(["ffprobe", "-v", "error", "-of", "json", "-show_chapters", folder.path(name)])
    return try JSONDecoder().decode(Found.self, from: text).chapters.map {
      "\($0.tags?["title"] ?? "") at \(Int(((Double($0.start_time) ?? -1) * 1000).rounded()))"
    }
  }

  /// Milliseconds, from the first.
  private func frameTimes(_ name: String) throws -> [Int] {
    let text = try Tool.run(
      [
        "ffprobe", "-v", "error", "-select_streams", "v:0", "-show_entries", "packet=pts_time", "-of", "csv=p=0",
        folder.path(name),
      ])
    let times = String(decoding: text, as: UTF8.self).split { $0.isNewline || $0 == "," }.compactMap { Double($0) }
      .sorted()
    return times.map { Int((($0 - (times.first ?? 0)) * 1000).rounded()) }
  }

  private func samples(_ name: String) throws -> Data {
    try Tool.run(["ffmpeg", "-v", "error", "-i", folder.path(name), "-map", "0:a:0", "-f", "s16le", "-"])
  }

  /// MD5 of each picture.
  private func hashes(_ name: String) throws -> [String] {
    let text = try Tool.run(
      [
        "ffmpeg", "-v", "error", "-i", folder.path(name), "-map", "0:v:0", "-fps_mode", "passthrough", "-f", "framemd5",
        "-",
      ])
    return String(decoding: text, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("#") }.map {
      String($0.suffix(32))
    }
  }
}
