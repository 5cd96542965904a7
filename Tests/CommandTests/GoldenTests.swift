import Foundation
import TestKit
import Testing

/// `camrec golden` on a clip of camrec's own, against FFmpeg's hashes, and on clips in which something was changed.
@Suite(.serialized) struct GoldenTests {
  private let camrec: CamrecBinary
  private let folder: TemporaryFolder

  /// A lossless clip of 24 pictures, none like another.
  init() throws {
    camrec = try CamrecBinary.find()
    folder = try TemporaryFolder()
    let outcome = try camrec.run(
      [
        "--camera", "sim:pace=pulled", "--size", "66x50", "--fps", "24", "--frames", "24", "--codec", "ffv1",
        "--microphone", "none", "--no-sidecar", "--output", "clip.mkv",
      ], in: folder.url)
    #expect(outcome.exitCode == 0, "\(outcome.standardError)")
    try suite()
  }

  private func digest(_ name: String) throws -> String {
    String(String(decoding: try Tool.run(["sha256sum", folder.path(name)]), as: UTF8.self).prefix(64))
  }

  /// A suite of one case, `plain`.
  private func suite(clip: String = "clip.mkv", _ keys: [String] = []) throws {
    let lines =
      ["cases:", "  plain:", "    clip: \(clip)", "    sha256: \(try digest(clip))", "    codec: ffv1"]
      + keys.map { "    " + $0 }
    _ = try folder.write((lines.joined(separator: "\n") + "\n").utf8, to: "suite.yaml")
  }

  private func golden(_ arguments: String...) throws -> (status: Int32, said: String, error: String) {
    let outcome = try camrec.run(["golden"] + arguments, in: folder.url)
    return (outcome.exitCode, outcome.standardOutput, outcome.standardError)
  }

  private func text(_ name: String) throws -> String { try String(contentsOfFile: folder.path(name), encoding: .utf8) }

  private func ffmpeg(_ line: String) throws {
    try Tool.run(
      ["ffmpeg", "-v", "error", "-y"]
        + line.split(separator: " ").map { $0.hasPrefix("@") ? folder.path(String($0.dropFirst())) : String($0) })
  }

  /// Records the goldens of `clip.mkv`, and checks the suite with another clip.
  private func check(_ clip: String, _ keys: String...) throws -> (status: Int32, said: String, error: String) {
    _ = try golden("record", "suite.yaml")
    try suite(clip: clip, keys)
    return try golden("check", "suite.yaml")
  }

  // MARK: Beginning

  @Test func aClipIsAddedToASuite_andTheRestStays() throws {
    try FileManager.default.createDirectory(atPath: folder.path("my clips"), withIntermediateDirectories: false)
    for name in ["a", "b"] {
      try FileManager.default.copyItem(atPath: folder.path("clip.mkv"), toPath: folder.path("my clips/\(name).mkv"))
    }
    let made = try camrec.run(["golden", "init", "my clips"], in: folder.url)
    #expect(made.standardOutput.hasSuffix("next: camrec golden record 'my clips/suite.yaml'\n"), "\(made)")
    let path = folder.path("my clips/suite.yaml")
    let before = try String(contentsOfFile: path, encoding: .utf8) + "\n# the end\ngoldens: here\n"
    try Data(before.utf8).write(to: URL(fileURLWithPath: path))
    let added = try camrec.run(["golden", "add", "my clips/suite.yaml", "clip.mkv"], in: folder.url)
    #expect(
      added.exitCode == 0
        && added.standardOutput
          == "my clips/suite.yaml: added 1 case: clip\nnext: camrec golden record 'my clips/suite.yaml' clip\n",
      "\(added)")
    let after = try String(contentsOfFile: path, encoding: .utf8)
    let lines = "  clip:\n    clip: \"\(folder.path("clip.mkv"))\"\n    sha256: \(try digest("clip.mkv"))\n"
    #expect(after == before.replacing("\n\n# the end", with: "\n\(lines)\n# the end"), "\(after)")
    let again = try camrec.run(["golden", "add", "my clips/suite.yaml", "my clips/a.mkv"], in: folder.url)
    #expect(
      again.exitCode == 64
        && again.standardError.contains("is already in 'my clips/suite.yaml', or you named it twice"), "\(again)")
    #expect(try String(contentsOfFile: path, encoding: .utf8) == after)
  }

  /// A power cut leaves the suite as it was, or as it is to be: never an empty one.
  @Test func aSuiteIsOnTheDiskBeforeItReplacesTheOldOne() throws {
    try FileManager.default.createDirectory(atPath: folder.path("clips"), withIntermediateDirectories: false)
    try FileManager.default.copyItem(atPath: folder.path("clip.mkv"), toPath: folder.path("clips/a.mkv"))
    #expect(try camrec.run(["golden", "init", "clips"], in: folder.url).exitCode == 0)
    let path = folder.path("clips/suite.yaml"), before = try String(contentsOfFile: path, encoding: .utf8)
    let gate = try FileGate(path: folder.path("gate"), call: .wholeSynchronization, ofFile: "suite.yaml")
    let adding = try camrec.start(
      ["golden", "add", "clips/suite.yaml", "clip.mkv"], in: folder.url, environment: try gate.environment())
    try gate.awaitSomebody()
    #expect(try String(contentsOfFile: path, encoding: .utf8) == before)
    gate.open()
    #expect(adding.wait().exitCode == 0)
    #expect(try String(contentsOfFile: path, encoding: .utf8) != before)
  }

  /// Behind a picture that is missing the others are held against their likes, and not against their neighbours.
  @Test func aMissingPictureMovesNoOther() throws {
    try ffmpeg("-f lavfi -i testsrc2=size=320x180:rate=24 -frames:v 24 -pix_fmt yuv420p -c:v ffv1 @whole.mkv")
    try ffmpeg(
      "-i @whole.mkv -vf drawbox=x=8:y=8:w=4:h=4:c=gray:t=fill:enable='eq(n,15)',select='not(eq(n,5))',setpts=N/24/TB"
        + " -c:v ffv1 @gap.mkv")
    try suite(clip: "whole.mkv", ["keep: true"])
    let found = try check("gap.mkv", "keep: true")
    #expect(found.status == 5, "\(found)")
    let measured = found.said.firstMatch(of: /compared with the kept film: PSNR from ([0-9.]+) dB/)
    let psnr = try #require(measured, "\(found)").1
    #expect(try #require(Double(psnr)) > 30, "\(found)")
  }

  @Test func aCaseWithoutAHashSaysHowToHaveOne_andWhatElseIsWrong() throws {
    _ = try folder.write("cases:\n  a:\n    clip: clip.mkv\n    frames: 0\n".utf8, to: "suite.yaml")
    let outcome = try camrec.run(["golden", "check", "suite.yaml"], in: folder.url)
    #expect(
      outcome.exitCode == 64
        && outcome.standardError.contains(
          "suite.yaml:2:3: error: cases.a: 'sha256' is missing, which detects a changed clip; to print it, run"
            + " sha256sum \(folder.path("clip.mkv"))\n")
        && outcome.standardError.contains(
          "suite.yaml:4:13: error: cases.a.frames: the number of frames is at least 1; this is '0'\n"), "\(outcome)")
  }

  @Test func aSuiteIsMadeOfWhatLiesInAFolder_andWorksAtOnce() throws {
    try FileManager.default.createDirectory(atPath: folder.path("clips/day \"1\""), withIntermediateDirectories: true)
    for name in ["clips/a.mkv", "clips/day \"1\"/a.mkv", "clips/.hidden.mkv"] {
      try FileManager.default.copyItem(atPath: folder.path("clip.mkv"), toPath: folder.path(name))
    }
    _ = try folder.write("notes".utf8, to: "clips/notes.txt")
    let made = try golden("init", "clips/")
    let sentence =
      "clips/suite.yaml: 2 cases; 1 file without a clip's suffix (.mov, .mkv, …) was skipped: 'notes.txt';"
      + " camrec golden add takes any clip\n"
    #expect(made.status == 0 && made.said.contains(sentence), "\(made)")
    let text = try text("clips/suite.yaml")
    #expect(text.contains("  a-2:\n    clip: \"day \\\"1\\\"/a.mkv\"\n    sha256: "
      + "\(try digest("clip.mkv"))\n"), "\(text)")
    #expect(try golden("record", "clips/suite.yaml").status == 0)
    #expect(try golden("check", "clips/suite.yaml").said.contains("2 cases: 2 hold"))
    // It stays, whatever lies there now.
    let again = try golden("init", "clips")
    #expect(again.status == 74 && again.error.contains("exists already and was not changed; choose another --output"))
    #expect(try self.text("clips/suite.yaml") == text)
    // From elsewhere; a clip that is none is named.
    _ = try folder.write("no film".utf8, to: "clips/broken.mov")
    let other = try golden("init", "--output", "other.yaml", "clips")
    #expect(other.status == 65 && other.error.contains("broken.mov"), "\(other)")
    #expect(try self.text("other.yaml").contains("clip: \"clips/a.mkv\""))
    #expect(try golden("record", "other.yaml").status == 0)
    for (words, sentence) in [
      (["nowhere"], "there is no folder 'nowhere'"), (["clip.mkv"], "'clip.mkv' is not a folder"),
      (["suite.goldens"], "there is no"),
    ] {
      let refused = try camrec.run(["golden", "init"] + words, in: folder.url)
      #expect(refused.exitCode == 65 && refused.standardError.contains(sentence), "\(refused)")
    }
  }

  @Test(.enabled("file systems in memory can be mounted by root alone") { SmallDisk.isAvailable })
  func aFullDiskLeavesNoHalfOfASuite() throws {
    let disk = try SmallDisk(megabytes: 60)
    try FileManager.default.copyItem(
      atPath: folder.path("clip.mkv"), toPath: disk.url.appendingPathComponent("clip.mkv").path)
    try disk.fill(leaving: 0)
    let full = try golden("init", disk.url.path)
    #expect(full.status == 74 && full.error.contains("cannot be written"), "\(full)")
    #expect(try disk.names() == ["clip.mkv", "filler"])
    try FileManager.default.removeItem(at: disk.url.appendingPathComponent("filler"))
    #expect(try golden("init", disk.url.path).status == 0)
    #expect(try disk.names() == ["clip.mkv", "suite.yaml"])
  }

  @Test func aLinkToAClipIsACase_andOneToNothingIsNamed() throws {
    try FileManager.default.createDirectory(atPath: folder.path("clips"), withIntermediateDirectories: false)
    for (link, target) in [("a.mkv", "../clip.mkv"), ("up.mkv", ".."), ("gone.mkv", "nothing.mkv")] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.path("clips/\(link)"), withDestinationPath: target)
    }
    let made = try golden("init", "clips")
    #expect(made.status == 65 && made.said.contains("clips/suite.yaml: 1 case\n"), "\(made)")
    #expect(made.error.contains("gone.mkv") && !made.error.contains("up.mkv"), "\(made)")
    #expect(try text("clips/suite.yaml").contains("clip: \"a.mkv\""))
  }

  @Test func aClipWithoutASuffixIsNamed() throws {
    try FileManager.default.createDirectory(atPath: folder.path("clips"), withIntermediateDirectories: false)
    try FileManager.default.copyItem(atPath: folder.path("clip.mkv"), toPath: folder.path("clips/prores"))
    let made = try golden("init", "clips")
    #expect(
      made.status == 65
        && made.error
          == "Error: there is no readable clip in 'clips'; 1 file without a clip's suffix (.mov, .mkv, …) was"
          + " skipped: 'prores'; give clips such a suffix\n", "\(made)")
  }

  @Test func aNameThatASuiteCannotHold() throws {
    try FileManager.default.createDirectory(atPath: folder.path("clips"), withIntermediateDirectories: false)
    for name in ["a.mkv", "n\nl.mkv", "t\tb.mkv"] {
      try FileManager.default.copyItem(atPath: folder.path("clip.mkv"), toPath: folder.path("clips/\(name)"))
    }
    let words =
      "the name has a line break, a tab or another control character, which a suite cannot hold; rename the clip\n"
    let made = try golden("init", "clips")
    #expect(made.status == 0 && made.said.contains("clips/suite.yaml: 1 case\n"), "\(made)")
    for name in [#"n\nl.mkv"#, #"t\tb.mkv"#] {
      #expect(made.error.contains("Warning: skipping 'clips/\(name)': \(words)"), "\(made)")
    }
    #expect(try golden("record", "clips/suite.yaml").status == 0)
    let added = try golden("add", "clips/suite.yaml", "clips/n\nl.mkv")
    #expect(added.status == 64 && added.error.contains(#"'clips/n\nl.mkv': "# + words), "\(added)")
    // Somebody has written it: the key is there, and its value is what is wrong.
    _ = try folder.write(
      "cases:\n  a:\n    clip: \"n\\nl.mkv\"\n    sha256: \(try digest("clip.mkv"))\n".utf8, to: "suite.yaml")
    let read = try golden("record", "suite.yaml")
    #expect(read.status == 64 && read.error.contains("cases.a.clip: a value must be on one line"), "\(read)")
    #expect(!read.error.lowercased().contains("missing"), "\(read)")
  }

  // MARK: Recording and checking

  @Test func whatIsRecordedHolds() throws {
    let recorded = try golden("record", "suite.yaml")
    #expect(recorded.status == 0, "\(recorded.error)")
    #expect(
      recorded.said == """
        1/1  written  plain  read 24 frames (new), baked 24 frames (new)
        1 case: 1 holds, 0 differ, 0 could not be run

        """)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path("suite.goldens")).sorted() == [
        "plain.baked.framemd5", "plain.read.framemd5",
      ])
    let checked = try golden("check", "suite.yaml")
    #expect(checked.status == 0)
    #expect(checked.said.hasPrefix("1/1  holds    plain  read 24 frames, baked 24 frames\n"))
    // What is there stays.
    let again = try golden("record", "suite.yaml", "plain")
    #expect(
      again.status == 0
        && again.said.hasPrefix("1/1  holds    plain  read is there (24 frames), baked is there (24 frames)\n"))
  }

  @Test func goldensAreThoseOfFFmpeg() throws {
    // In a .mov, whose times are exact.
    try ffmpeg("-i @clip.mkv -map 0:v -c:v prores_ks -pix_fmt yuv422p10le @clip.mov")
    try suite(clip: "clip.mov")
    _ = try golden("record", "suite.yaml")
    try ffmpeg("-noautorotate -i @clip.mov -map 0:V:0 -fps_mode passthrough -f framemd5 @theirs.framemd5")
    func hashes(_ name: String) throws -> [String] {
      try text(name).split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { line in
        line.split(separator: ",").last.map { $0.trimmingCharacters(in: .whitespaces) }
      }
    }
    let theirs = try hashes("theirs.framemd5")
    #expect(theirs.count == 24 && Set(theirs).count == 24)
    #expect(try hashes("suite.goldens/plain.read.framemd5") == theirs)
    // Without a LUT the bake leaves the pictures as they are.
    #expect(try hashes("suite.goldens/plain.baked.framemd5") == theirs)
    // Theirs is a golden, too: the times are the same in another time base.
    for stage in ["read", "baked"] {
      try text("theirs.framemd5").write(
        toFile: folder.path("suite.goldens/plain.\(stage).framemd5"), atomically: true, encoding: .utf8)
    }
    let checked = try golden("check", "suite.yaml")
    #expect(checked.status == 0, "\(checked.said)")
  }

  /// FFmpeg cuts the same pictures out, and their hashes are a golden of a range.
  @Test func aRangeIsFFmpegs() throws {
    try ffmpeg("-i @clip.mkv -map 0:v -c:v prores_ks -pix_fmt yuv422p10le @clip.mov")
    try suite(clip: "clip.mov", ["from: 5", "frames: 7"])
    let recorded = try golden("record", "suite.yaml")
    #expect(recorded.said.contains("read 7 frames (new), baked 7 frames (new)"), "\(recorded.said)")
    try ffmpeg(
      "-noautorotate -i @clip.mov -map 0:V:0 -vf trim=start_frame=5:end_frame=12,setpts=PTS-STARTPTS -fps_mode "
        + "passthrough -f framemd5 @theirs.framemd5"
    )
    for stage in ["read", "baked"] {
      let name = "suite.goldens/plain.\(stage).framemd5"
      let lines = try text("theirs.framemd5").split(separator: "\n").filter { !$0.hasPrefix("#") }
      #expect(lines.count == 7)
      #expect(
        try text(name).split(separator: "\n").filter { !$0.hasPrefix("#") }.map { $0.suffix(32) }
          == lines.map { $0.suffix(32) })
      try text("theirs.framemd5").write(toFile: folder.path(name), atomically: true, encoding: .utf8)
    }
    let checked = try golden("check", "suite.yaml")
    #expect(checked.status == 0, "\(checked.said)")
    // To the clip's end, and beyond it.
    try suite(clip: "clip.mov", ["from: 23"])
    #expect(try golden("update", "--changed-only", "suite.yaml").said.contains("read 1 frame "))
    try suite(clip: "clip.mov", ["from: 24"])
    let beyond = try golden("check", "suite.yaml")
    #expect(
      beyond.status == 65 && beyond.said.contains("clip.mov has no frame after the first 24 (only 24 of its "
        + "frames can be decoded)"),
      "\(beyond.said)")
    try suite(clip: "clip.mov", ["from: -1"])
    let wrong = try golden("check", "suite.yaml")
    #expect(
      wrong.status == 64
        && wrong.error.contains("suite.yaml:6:11: error: cases.plain.from: frames are counted from 0 on"),
      "\(wrong.error)")
  }

  @Test func bakedGoldensAreWhatBakeGives() throws {
    _ = try folder.write(LUT.look.utf8, to: "look.cube")
    try suite(["lut: look.cube", "frames: 7", "stages: [baked]"])
    #expect(try golden("record", "suite.yaml").status == 0)
    let baked = try camrec.run(
      ["bake", "clip.mkv", "--lut", "look.cube", "--frames", "7", "--codec", "ffv1", "--output", "bake.framemd5"],
      in: folder.url)
    #expect(baked.exitCode == 0, "\(baked.standardError)")
    let written = try text("suite.goldens/plain.baked.framemd5")
    let lut = try #require(written.firstMatch(of: /#lut 0: 2 [0-9a-f]{8}( [0-9a-f]{8}){6}\n/))
    #expect(try written.replacing(lut.0, with: "") == text("bake.framemd5"))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path("suite.goldens")) == ["plain.baked.framemd5"])
  }

  /// An outcome is kept for the look's file and its table.
  @Test func anOutcomeIsThatOfItsLook() throws {
    try LookFiles.writeOwn(to: folder)
    try suite(["look: own.yaml", "stages: [baked]"])
    #expect(try golden("record", "suite.yaml").status == 0)
    func check() throws -> Int32 { try golden("check", "--results", "results", "suite.yaml").status }
    #expect(try check() == 0)
    try LookFiles.writeOwn(to: folder, [("intensity: 0.04", "intensity: 0.5")])
    #expect(try check() == 5)
    try LookFiles.writeOwn(to: folder)
    #expect(try check() == 0)
    try FileManager.default.removeItem(atPath: folder.path("own.cube"))
    #expect(try check() == 65)
  }

  /// The colours of a clip may come from there, though no stage is of it.
  @Test func anOutcomeIsThatOfTheClipsSidecar() throws {
    let recorded = try camrec.run(
      [
        "--camera", "sim:pace=pulled", "--size", "64x48", "--frames", "3", "--microphone", "none", "--color-in",
        "slog3", "--output", "log.mov",
      ], in: folder.url)
    #expect(recorded.exitCode == 0, "\(recorded.standardError)")
    let sidecar = folder.path("log.mov.camrec")
    try FileManager.default.moveItem(atPath: sidecar, toPath: folder.path("aside"))
    try suite(clip: "log.mov", ["color-out: rec709", "stages: [baked]"])
    #expect(try golden("record", "suite.yaml").status == 0)
    func check() throws -> Int32 { try golden("check", "--results", "results", "suite.yaml").status }
    #expect(try check() == 0)
    try FileManager.default.moveItem(atPath: folder.path("aside"), toPath: sidecar)
    // S-Log3 is not converted without a LUT.
    #expect(try check() == 64)
  }

  /// Cases that run beside one another come to the same, and so do all instruction sets.
  @Test func everyWayComesToTheSame() throws {
    _ = try folder.write(LUT.look.utf8, to: "look.cube")
    let digest = try digest("clip.mkv")
    let cases = (0..<7).map { "  case-\($0): {frames: \(3 + $0)}\n" }.joined()
    _ = try folder.write(
      "defaults: {clip: clip.mkv, sha256: \(digest), lut: look.cube, codec: ffv1}\ncases:\n\(cases)".utf8,
      to: "suite.yaml")
    #expect(try golden("record", "suite.yaml").status == 0)
    for level in ["scalar", nil] {
      let outcome = try camrec.run(
        ["golden", "check", "--jobs", "3", "suite.yaml"], in: folder.url,
        environment: level.map { ["CAMREC_CPU": $0] } ?? [:])
      #expect(outcome.exitCode == 0, "\(outcome.standardOutput)")
      #expect(outcome.standardOutput.hasSuffix("7 cases: 7 hold, 0 differ, 0 could not be run\n"))
    }
  }

  /// A GPU that bakes something else is found, and one that fails is no pass.
  @Test func aGPUThatIsWrong() throws {
    _ = try folder.write(LUT.look.utf8, to: "look.cube")
    try suite(["lut: look.cube"])
    #expect(try golden("record", "suite.yaml").status == 0)
    func found(_ faulty: borrowing FaultyLibrary) throws -> (status: Int32, said: String) {
      let outcome = try camrec.run(
        ["golden", "check", "--workers", "1", "--bake-on", "cpu,gpu", "suite.yaml"], in: folder.url,
        environment: ["CAMREC_VULKAN_LIBRARY": faulty.path])
      return (outcome.exitCode, outcome.standardOutput)
    }
    let wrong = try found(FaultyLibrary("CmdDispatch", from: 1, result: -1))
    #expect(wrong.status == 5, "\(wrong.said)")
    #expect(
      wrong.said.contains("  baked: 1 worker, baked on gpu, compared with 1 worker, baked on cpu: all 24 frames ")
        && wrong.said.contains(#/ differ: luma at \(\d+, \d+\) is \d+, not \d+\n/#), "\(wrong.said)")
    let lost = try found(FaultyLibrary("QueueSubmit", from: 12, result: -4))
    #expect(
      lost.status == 69 && lost.said.contains("  the GPU failed during the bake, and frames from the CPU do not "
        + "test it\n"),
      "\(lost.said)")
  }

  // MARK: What was planted

  @Test func onePixelOfOneFrame() throws {
    try ffmpeg("-i @clip.mkv -map 0:v -f rawvideo @raw.yuv")
    var pictures = [UInt8](try Data(contentsOf: folder.url.appendingPathComponent("raw.yuv")))
    pictures[5 * 66 * 50 * 3 / 2 + 9 * 66 + 7] += 1
    _ = try folder.write(pictures, to: "raw.yuv")
    try ffmpeg("-f rawvideo -pix_fmt yuv420p -s 66x50 -r 24 -i @raw.yuv -c:v ffv1 @other.mkv")
    let found = try check("other.mkv")
    #expect(found.status == 5)
    #expect(
      found.said == """
        1/1  differs  plain  read differs, baked differs
                      read: frame 5 (0.208 s) differs
                      baked: frame 5 (0.208 s) differs
        1 case: 0 hold, 1 differs, 0 could not be run

        """)
  }

  @Test func aFrameThatIsMissingOrThereTwice() throws {
    try ffmpeg("-i @clip.mkv -map 0:v -vf select='not(eq(n,5))' -fps_mode passthrough -c:v ffv1 @gap.mkv")
    let gap = try check("gap.mkv")
    #expect(gap.status == 5 && gap.said.contains("  read: frame 5 (0.208 s) is missing\n"), "\(gap.said)")
    #expect(!gap.said.contains("later") && !gap.said.contains("earlier"))
    try ffmpeg("-i @clip.mkv -map 0:v -vf select='not(eq(n,5))',setpts=N/24/TB -c:v ffv1 @short.mkv")
    let short = try check("short.mkv")
    #expect(short.said.contains("  read: frame 5 (0.208 s) is missing\n"), "\(short.said)")
    #expect(short.said.contains("  read: frames 6 to 23 (0.250 s to 0.958 s) come 4"))
    #expect(short.said.contains(" ms earlier\n"))
    try ffmpeg("-i @clip.mkv -map 0:v -vf loop=loop=1:size=1:start=5,setpts=N/24/TB -c:v ffv1 @twice.mkv")
    let twice = try check("twice.mkv")
    #expect(twice.status == 5 && twice.said.contains("  baked: frame 4 (0.167 s) appears twice\n"), "\(twice.said)")
  }

  @Test func anotherMatrixRangeLUTLookOrSeed() throws {
    _ = try folder.write(LUT.look.utf8, to: "look.cube")
    func found(_ keys: [String], golden before: [String], _ what: String) throws {
      try? FileManager.default.removeItem(atPath: folder.path("suite.goldens"))
      try suite(before)
      #expect(try golden("record", "suite.yaml").status == 0)
      try suite(keys)
      let found = try golden("check", "suite.yaml")
      #expect(found.status == 5, "\(keys): \(found.error)")
      #expect(
        found.said.contains("\n              baked: all 24 frames differ\n              baked: \(what)\n"),
        "\(keys): \(found.said)")
      #expect(!found.said.contains("read: "), "what is read is the same: \(found.said)")
    }
    let look = "lut: look.cube"
    try found([look, "color-in: rec601"], golden: [look], "the golden matches a bake with color-in rec709-limited")
    try found([look, "color-in: rec709-full"], golden: [look], "the golden matches a bake with color-in "
      + "rec709-limited")
    try found([look], golden: [look, "color-in: rec601"], "the golden matches a bake with color-in rec601-limited")
    try found([], golden: ["color-out: rec709-full"], "the golden matches a bake with color-out rec709-full")
    try found(
      ["color-in: rec709-full"], golden: [],
      "the golden matches a bake with limited range before the bake (color-in), or color-out rec709-full")
    try found([look], golden: [], "the golden matches a bake with no LUT")
    try LookFiles.writeOwn(to: folder)
    let film = "look: own.yaml"
    try found([film], golden: [], "the golden matches a bake with no look")
    try found([film, "grain-seed: 7"], golden: [film], "the golden matches a bake with grain-seed 1")
    try found([], golden: [look], "the golden was made with a LUT, but the case has none")
    try suite([look])
    _ = try golden("update", "suite.yaml")
    _ = try folder.write(LUT.look.replacing("0.5 0.5 0.5", with: "0.5 0.52 0.5").utf8, to: "look.cube")
    let changed = try golden("check", "suite.yaml")
    #expect(
      changed.status == 5 && !changed.said.contains("read: ")
        && changed.said.contains(
          "  baked: the LUT differs from the one the golden was made with: "
            + "its point at red 1, green 1, blue 1 differs\n"), "\(changed.said)")
  }

  /// Grey frames use no point of the LUT but those of greys. That another has changed is said, and fails nothing.
  @Test func aLUTThatChangedWhereNoFrameUsesIt() throws {
    _ = try folder.write(LUT.look.utf8, to: "look.cube")
    try ffmpeg("-i @clip.mkv -map 0:v -vf hue=s=0 -pix_fmt yuv420p -c:v ffv1 @grey.mkv")
    try suite(clip: "grey.mkv", ["lut: look.cube", "stages: [baked]"])
    #expect(try golden("record", "suite.yaml").status == 0)
    #expect(try golden("check", "suite.yaml").said.hasPrefix("1/1  holds    plain  baked 24 frames\n"))
    _ = try folder.write(LUT.look.replacing("0.9 0.1 0\n", with: "0.9 0.2 0\n").utf8, to: "look.cube")
    let note =
      "the LUT differs from the one the golden was made with: its point at red 1, green 0, blue 0 differs"
    let found = try golden("check", "--report", "out.json", "suite.yaml")
    #expect(found.status == 0 && found.said.hasPrefix("1/1  holds    plain  baked 24 frames, \(note)\n"), "\(found)")
    #expect(try text("out.json").contains("\"note\" : \"\(note)\""))
  }

  /// A terminal would break lines within words; a pipe gets whole ones.
  @Test(arguments: [60, 100]) func linesFitIntoATerminal(columns: Int) throws {
    _ = try folder.write(LUT.look.utf8, to: "look.cube")
    try suite(["lut: look.cube"])
    _ = try golden("record", "suite.yaml")
    _ = try folder.write(LUT.look.replacing("0.5 0.5 0.5", with: "0.5 0.52 0.5").utf8, to: "look.cube")
    let piped = try golden("check", "suite.yaml")
    #expect(piped.status == 5 && piped.said.split(separator: "\n").contains { $0.count > 100 }, "\(piped)")
    let terminal = try PseudoTerminal()
    terminal.resize(columns: columns)
    let process = Process()
    process.executableURL = camrec.url
    process.arguments = ["golden", "check", "suite.yaml"]
    process.currentDirectoryURL = folder.url
    process.environment = ProcessInfo.processInfo.environment.merging(["CAMREC_PROGRESS": "none"]) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle(fileDescriptor: terminal.terminal)
    process.standardError = FileHandle.nullDevice
    try process.run()
    let shown = terminal.screen(until: "could not be run\r\n")
    process.waitUntilExit()
    let lines = shown.split(separator: "\r\n")
    #expect(lines.allSatisfy { $0.count <= columns }, "\(shown)")
    #expect(
      lines.dropFirst().dropLast().allSatisfy { $0.hasPrefix(String(repeating: " ", count: 14)) }, "below the name")
    func words(_ text: String) -> [Substring] { text.split(whereSeparator: \.isWhitespace) }
    #expect(words(shown) == words(piped.said), "\(shown)")
  }

  /// Pictures that show no such thing: of one sample that differs nothing is guessed.
  @Test func whatIsNotFoundIsNotNamed() throws {
    _ = try golden("record", "suite.yaml")
    try ffmpeg("-i @clip.mkv -map 0:v -vf negate -c:v ffv1 @other.mkv")
    let found = try check("other.mkv")
    #expect(found.status == 5 && !found.said.contains("the golden matches"), "\(found.said)")
  }

  @Test func updateWritesWhatHasChanged() throws {
    try ffmpeg("-i @clip.mkv -map 0:v -vf select='not(eq(n,5))' -fps_mode passthrough -c:v ffv1 @gap.mkv")
    #expect(try check("gap.mkv").status == 5)
    let before = try text("suite.goldens/plain.read.framemd5")
    let updated = try golden("update", "--changed-only", "suite.yaml")
    #expect(updated.status == 0)
    #expect(
      updated.said.hasPrefix("1/1  written  plain  read 23 frames (changed), baked 23 frames (changed)\n"),
      "\(updated.said)")
    #expect(updated.said.contains("  read: frame 5 (0.208 s) is missing\n"))
    #expect(try text("suite.goldens/plain.read.framemd5") != before)
    #expect(try golden("check", "suite.yaml").status == 0)
    let nothing = try golden("update", "--changed-only", "suite.yaml")
    #expect(nothing.said.hasPrefix("1/1  holds    plain  read 23 frames, baked 23 frames\n"))
    let all = try golden("update", "suite.yaml")
    #expect(all.said.hasPrefix("1/1  written  plain  read 23 frames (unchanged), baked 23 frames (unchanged)\n"))
  }

  @Test func aBrokenGoldenIsWrittenAnew() throws {
    _ = try golden("record", "suite.yaml")
    let whole = try text("suite.goldens/plain.read.framemd5")
    let other = try text("suite.goldens/plain.baked.framemd5")
    _ = try folder.write("<<<<<<< ours\n".utf8, to: "suite.goldens/plain.read.framemd5")
    for action in ["check", "record"] {
      let refused = try golden(action, "suite.yaml")
      #expect(
        refused.status == 65 && refused.said.contains("plain.read.framemd5', line 1: a framemd5 file must begin with"))
    }
    let updated = try golden("update", "--changed-only", "suite.yaml")
    #expect(updated.status == 0, "\(updated.said)")
    #expect(
      updated.said.hasPrefix(
        "1/1  written  plain  read 24 frames (the previous one could not be read), baked 24 frames\n"),
      "\(updated.said)")
    #expect(try text("suite.goldens/plain.read.framemd5") == whole)
    #expect(try text("suite.goldens/plain.baked.framemd5") == other)
  }

  /// The bake's matrix with the terms of Cb and Cr exchanged, as a faulty one would give it.
  @Test func twoSwappedTermsOfTheMatrix() throws {
    _ = try golden("record", "suite.yaml")
    try ffmpeg("-i @clip.mkv -map 0:v -vf swapuv -f framemd5 @swapped.framemd5")
    try text("swapped.framemd5").write(
      toFile: folder.path("suite.goldens/plain.baked.framemd5"), atomically: true, encoding: .utf8)
    let found = try golden("check", "suite.yaml")
    #expect(
      found.status == 5 && !found.said.contains("read: ")
        && found.said.contains(
          "  baked: all 24 frames differ\n              baked: the golden matches a bake with Cb and Cr "
            + "exchanged\n"
        ), "\(found.said)")
    // Through a look and into another matrix, where terms of both are those of other colours.
    _ = try folder.write(LUT.look.utf8, to: "look.cube")
    try ffmpeg("-i @clip.mkv -map 0:v -vf swapuv -c:v ffv1 @exchanged.mkv")
    try? FileManager.default.removeItem(atPath: folder.path("suite.goldens"))
    let keys = ["lut: look.cube", "color-in: rec709", "color-out: rec2020", "stages: [baked]"]
    try suite(clip: "exchanged.mkv", keys)
    #expect(try golden("record", "suite.yaml").status == 0)
    try suite(keys)
    let graded = try golden("check", "suite.yaml")
    #expect(graded.said.contains("  baked: the golden matches a bake with Cb and Cr "
      + "exchanged\n"), "\(graded.said)")
  }

  // MARK: The film

  /// A suite of one case that looks at the film as well.
  private func film(_ keys: String...) throws {
    let lines = [
      "cases:", "  film:", "    clip: take.mov", "    sha256: \(try digest("take.mov"))",
      "    stages: [decoded, sound, container, sidecar]",
    ]
    _ = try folder.write(((lines + keys.map { "    " + $0 }).joined(separator: "\n") + "\n").utf8, to: "suite.yaml")
  }

  private func take() throws {
    let outcome = try camrec.run(
      [
        "--camera", "sim:pace=pulled", "--size", "320x180", "--fps", "24", "--frames", "48",
        "--timecode", "10:00:00:00", "--output", "take.mov",
      ], in: folder.url)
    #expect(outcome.exitCode == 0, "\(outcome.standardError)")
  }

  @Test func theFilmHolds() throws {
    try take()
    try film("psnr: 30", "clip-ssim: 0.9", "delta-e: 3")
    let recorded = try golden("record", "suite.yaml")
    #expect(recorded.status == 0, "\(recorded.said)")
    #expect(recorded.said.contains("decoded 48 frames, PSNR from "), "\(recorded.said)")
    let checked = try golden("check", "suite.yaml")
    #expect(
      checked.status == 0 && checked.said.contains("film  baked 48 frames, decoded 48 frames, PSNR from "),
      "\(checked.said)")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path("suite.goldens")).sorted() == [
        "film.baked.framemd5", "film.container.txt", "film.decoded.framemd5", "film.sidecar.txt", "film.sound.framemd5",
      ])
    // The film is what 'camrec bake' makes, and its sound is FFmpeg's.
    let baked = try camrec.run(["bake", "take.mov", "--output", "bake.mov"], in: folder.url)
    #expect(baked.exitCode == 0, "\(baked.standardError)")
    try ffmpeg(
      "-i @bake.mov -map 0:a:0 -af asetnsamples=n=4800:p=0 -c:a pcm_s16le -flags:a +bitexact -fflags +bitexact -f "
        + "framemd5 @sound.framemd5"
    )
    let sound = try text("suite.goldens/film.sound.framemd5")
    let loudness = try #require(sound.firstMatch(of: #/#loudness 0: (-[0-9.]+) LUFS\n/#))
    // The simulated microphone's tones begin with its camera's flashes.
    let sync = try #require(sound.firstMatch(of: #/#sync 0: (\S+) (\S+) ms\n/#))
    let delays = try [sync.1, sync.2].map { try #require(Double($0)) }
    #expect(delays.allSatisfy { -0.1...0.1 ~= $0 }, "\(sync.0)")
    #expect(try text("sound.framemd5") == sound.replacing(loudness.0, with: "").replacing(sync.0, with: ""))
    let measured = try Tool.run([
      "bash", "-c",
      "ffmpeg -nostats -i \(folder.path("bake.mov")) -map 0:a -af ebur128 -f null - 2>&1 | grep ' I:' | tail -1",
    ])
    #expect(String(decoding: measured, as: UTF8.self).contains("\(loudness.1) LUFS"))
    // FFmpeg's is a golden, too.
    try text("sound.framemd5").write(
      toFile: folder.path("suite.goldens/film.sound.framemd5"), atomically: true, encoding: .utf8)
    #expect(try self.golden("check", "suite.yaml").status == 0)
    let completed = try self.golden("update", "suite.yaml")
    #expect(
      completed.said.contains(" ms (changed)") && completed.said.contains("  sound: the golden had no audio sync; it "),
      "\(completed.said)")
    #expect(try text("suite.goldens/film.sound.framemd5") == sound)
    try ffmpeg("-flags +bitexact -i @bake.mov -map 0:v:0 -fps_mode passthrough -f framemd5 @decoded.framemd5")
    func hashes(_ name: String) throws -> [Substring] {
      try text(name).split(separator: "\n").filter { !$0.hasPrefix("#") }.map { $0.suffix(32) }
    }
    #expect(try hashes("decoded.framemd5") == hashes("suite.goldens/film.decoded.framemd5"))
    let facts = try text("suite.goldens/film.container.txt")
    #expect(facts.contains("track 1, format: hvc1\n") && facts.contains("track 3, first frame: 864000\n"), "\(facts)")
    #expect(try text("suite.goldens/film.sidecar.txt").contains("shutterAngle: 180\n"))
  }

  /// Goldens of films without a look stay as they are.
  @Test func theFactsOfASidecarNameALook() throws {
    func facts(_ name: String, _ options: [String]) throws -> String {
      let outcome = try camrec.run(
        ["--camera", "sim:pace=pulled", "--size", "66x50", "--frames", "2", "--microphone", "none", "--output", name]
          + options, in: folder.url)
      #expect(outcome.exitCode == 0, "\(outcome.standardError)")
      try suite(clip: name, ["stages: [sidecar]"])
      #expect(try golden("update", "suite.yaml").status == 0)
      return try text("suite.goldens/plain.sidecar.txt")
    }
    #expect(try !facts("plain.mov", []).contains("look"))
    let told = try facts("look.mov", ["--look", LookFiles.portra, "--grain-seed", "3"])
    #expect(told.contains("\nLUT: none\nlook: portra-400, version 1, grain seed 3\nlength: "), "\(told)")
  }

  /// Timecode and sound are those of the range's first picture.
  @Test func theFilmOfARangeBeginsThere() throws {
    try take()
    try film("from: 30", "frames: 12")
    let recorded = try golden("record", "suite.yaml")
    #expect(recorded.status == 0, "\(recorded.said)")
    let facts = try text("suite.goldens/film.container.txt")
    #expect(facts.contains("track 3, first frame: 864030\n") && facts.contains("track 2, samples: 24000\n"), "\(facts)")
    // The flash of 1.5 s is its picture 6.
    let sound = try text("suite.goldens/film.sound.framemd5")
    #expect(sound.contains(#/#sync 0: 0.0\d ms\n/#), "\(sound)")
    try ffmpeg(
      "-i @take.mov -map 0:a:0 -af "
        + "atrim=start_sample=60000:end_sample=84000,asetpts=PTS-STARTPTS,asetnsamples=n=4800:p=0 -c:a pcm_s16le "
          + "-flags:a +bitexact -fflags +bitexact -f framemd5 @sound.framemd5"
    )
    func hashes(_ text: String) -> [Substring] {
      text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { $0.suffix(32) }
    }
    #expect(try hashes(sound) == hashes(text("sound.framemd5")))
    #expect(try golden("check", "suite.yaml").status == 0)
  }

  @Test func aTurnAndShiftedSoundAreNamed() throws {
    try take()
    try film("psnr: 30")
    _ = try golden("record", "suite.yaml")
    try film("psnr: 30", "rotation: 180")
    let turned = try golden("check", "suite.yaml")
    #expect(turned.status == 5)
    #expect(turned.said.contains("  container: track 1, rotation is 180, not 0\n1 case: "), "\(turned.said)")
    try film("psnr: 30", "audio-offset: 1ms")
    let late = try golden("check", "suite.yaml")
    #expect(
      late.status == 5 && late.said.contains("  sound: the audio comes 1.000 ms (48 samples) later\n")
        && late.said.contains("  sound: the audio sync differs: the tone of flash 1 of 2 "
          + "comes 1."), "\(late.said)")
    try film("psnr: 30", "audio-offset: -1ms")
    let early = try golden("check", "suite.yaml")
    #expect(
      early.status == 5 && early.said.contains("  sound: the audio comes 1.000 ms (48 samples) earlier\n"),
      "\(early.said)")
  }

  /// A lossy stage holds by its limits, and no update loosens one.
  /// Pictures are held against themselves: one that is missing in front makes those behind it no worse.
  @Test func picturesAreMeasuredByTheirNumbers() throws {
    try take()
    _ = try folder.write(LUT.look.utf8, to: "look.cube")
    try suite(clip: "take.mov", ["lut: look.cube", "keep: true", "stages: [baked]"])
    #expect(try golden("record", "suite.yaml").status == 0)
    _ = try folder.write(LUT.look.replacing("0.5 0.5 0.5", with: "0.5 0.55 0.5").utf8, to: "look.cube")
    func measured() throws -> String {
      let found = try golden("check", "suite.yaml")
      let match = found.said.firstMatch(of: /compared with the kept film: (PSNR from [0-9.]+ dB)/)
      return try String(#require(match, "\(found.said)").1)
    }
    let whole = try measured()
    let kept = "suite.goldens/plain.baked.mkv"
    try ffmpeg("-i @\(kept) -vf select='not(eq(n,5))',setpts=N/24/TB -c:v ffv1 @gap.mkv")
    try ffmpeg("-i @gap.mkv -c copy @\(kept)")
    #expect(try measured() == whole)
  }

  /// Flashes and tones of a clip that no simulated camera has made.
  @Test func flashesOfARealClip() throws {
    try ffmpeg(
      "-f lavfi -i color=gray:s=160x90:r=25:d=3,drawbox=c=white:t=fill:enable='eq(mod(n\\,25)\\,10)'"
        + " -f lavfi -i aevalsrc='if(between(mod(t\\,1)\\,0.41\\,0.5)\\,0.5*sin(2*PI*1000*t)\\,0)':s=48000:d=3"
        + " -pix_fmt yuv420p -c:v ffv1 -c:a pcm_s16le @flashes.mkv")
    try suite(clip: "flashes.mkv", ["stages: [sound]"])
    let found = try golden("record", "suite.yaml")
    #expect(found.status == 0 && found.said.contains("3 flashes, tone delay "), "\(found.said)")
    let sync = try #require(
      try text("suite.goldens/plain.sound.framemd5").firstMatch(of: #/#sync 0: (\S+) (\S+) (\S+) ms\n/#))
    for delay in [sync.1, sync.2, sync.3] { #expect(abs((Double(delay) ?? 0) - 10) < 0.2, "\(sync.0)") }
    // The same clip, whose sound comes two milliseconds later.
    try ffmpeg("-i @flashes.mkv -c:v copy -af adelay=2:all=1 -c:a pcm_s16le @late.mkv")
    try suite(clip: "late.mkv", ["stages: [sound]"])
    let late = try golden("check", "suite.yaml")
    #expect(late.status == 5 && late.said.contains("; this is the worst of 3\n"), "\(late.said)")
  }

  /// Neither a .mov nor frames of ProRes can say that their range is full.
  @Test func limitsHoldInFullRange() throws {
    try take()
    for codec in ["prores", "hevc"] {
      try film("codec: \(codec)", "color-out: rec709-full", "psnr: 33", "delta-e: 2")
      let recorded = try golden("record", "suite.yaml")
      #expect(recorded.status == 0, "\(codec): \(recorded.said)")
      try FileManager.default.removeItem(atPath: folder.path("suite.goldens"))
    }
  }

  @Test func limitsDecideBehindTheEncoder() throws {
    try take()
    try film("psnr: 25", "ssim: 0.8")
    _ = try golden("record", "suite.yaml")
    let golden = try text("suite.goldens/film.decoded.framemd5")
    try film("psnr: 25", "ssim: 0.8", "quality: 26")
    let like = try self.golden("check", "suite.yaml")
    #expect(
      like.status == 0
        && like.said.contains("decoded 48 frames, 48 not as in the golden, but within the limits: PSNR from "),
      "\(like.said)")
    try film("psnr: 90", "quality: 26")
    for action in [["check"], ["update"], ["update", "--changed-only"]] {
      let outcome = try camrec.run(["golden"] + action + ["suite.yaml"], in: folder.url)
      #expect(outcome.exitCode == 5, "\(action)")
      let told = outcome.standardOutput
      #expect(told.firstMatch(of: /decoded: the film's frame \d+ \([0-9.]+ s\) has a PSNR of/) != nil, "\(told)")
      #expect(told.contains(" dB, less than 90.0 dB; the worst of 48 frames\n"), "\(told)")
      #expect(try text("suite.goldens/film.decoded.framemd5") == golden)
    }
    // Without limits every bit counts.
    try film("quality: 26")
    let other = try self.golden("check", "suite.yaml")
    #expect(other.status == 5 && other.said.contains("  decoded: all 48 frames differ\n"), "\(other.said)")
    // A picture that is missing is no question of limits.
    try film("psnr: 25")
    let lines = golden.split(separator: "\n", omittingEmptySubsequences: false)
    let more = try #require(lines.lastIndex { $0.hasPrefix("0, ") })
    let added = "0, 999999, 999999, 1000, 86400, 0123456789abcdef0123456789abcdef"
    try (lines[...more] + [Substring(added)] + lines[(more + 1)...]).joined(separator: "\n").write(
      toFile: folder.path("suite.goldens/film.decoded.framemd5"), atomically: true, encoding: .utf8)
    let missing = try self.golden("check", "suite.yaml")
    #expect(missing.status == 5 && missing.said.contains("  decoded: frame 48 ("), "\(missing.said)")
    try film("psnr: 201", "ssim: high")
    let wrong = try self.golden("check", "suite.yaml")
    #expect(
      wrong.status == 64 && wrong.error.contains("cases.film.psnr: a PSNR is in dB from 0.0 to 200.0; this is '201'"),
      "\(wrong.error)")
    #expect(wrong.error.contains("cases.film.ssim: an SSIM is from -1.0 to 1.0; this is 'high'"), "\(wrong.error)")
  }

  /// Behind a gap a lossy encoder gives frames other bits, within the limits.
  @Test func withLimits_aMissingFrameIsTheOnlyDifference() throws {
    try take()
    func lossy(_ clip: String) throws {
      let lines = ["cases:", "  film:", "    clip: \(clip)", "    sha256: \(try digest(clip))"]
      let keys = ["    stages: [decoded]", "    psnr: 25"]
      _ = try folder.write(((lines + keys).joined(separator: "\n") + "\n").utf8, to: "suite.yaml")
    }
    try lossy("take.mov")
    #expect(try golden("record", "suite.yaml").status == 0)
    try ffmpeg("-i @take.mov -an -vf select='not(between(n,20,22))' -fps_mode passthrough -c:v ffv1 @gap.nut")
    try lossy("gap.nut")
    let found = try golden("check", "suite.yaml")
    let decoded = found.said.split(separator: "\n").filter { $0.contains("  decoded: ") }
    #expect(found.status == 5 && decoded.contains { $0.contains("missing") }, "\(found.said)")
    #expect(decoded.allSatisfy { !$0.contains("differ") }, "\(found.said)")
    // Where the frames behind it move up, their times do not tell either.
    try ffmpeg(
      "-i @take.mov -an -vf select='not(between(n,20,22))',setpts=N/24/TB -fps_mode passthrough -c:v ffv1 @short.nut")
    try lossy("short.nut")
    let short = try golden("check", "suite.yaml")
    for stage in ["baked", "decoded"] {
      #expect(short.said.contains("  \(stage): frames 20 to 22 (0.833 s to 0.917 s) are missing\n"), "\(short.said)")
    }
  }

  /// Limits compare with what was encoded: that has its golden, whether the suite names it or not.
  @Test func anotherLookIsNoQuestionOfLimits() throws {
    try take()
    _ = try folder.write(LUT.look.utf8, to: "look.cube")
    try film("psnr: 20", "lut: look.cube")
    _ = try golden("record", "suite.yaml")
    _ = try folder.write(LUT.look.replacing("0.5 0.5 0.5", with: "0.9 0.52 0.1").utf8, to: "look.cube")
    let found = try golden("check", "suite.yaml")
    #expect(found.status == 5 && found.said.contains("  baked: all 48 frames differ\n"), "\(found.said)")
  }

  /// They may be narrower than those under which the golden was made.
  @Test func limitsHoldAlsoWhereTheGoldenIsTheSame() throws {
    try take()
    try film("psnr: 20")
    #expect(try golden("record", "suite.yaml").status == 0)
    try film("clip-psnr: 90")
    let found = try golden("check", "suite.yaml")
    #expect(found.status == 5 && found.said.contains("  decoded: the clip has a PSNR of "), "\(found.said)")
    let text = try text("suite.yaml").replacing("[decoded, sound, container, sidecar]", with: "[read, sound]")
    _ = try folder.write(text.utf8, to: "suite.yaml")
    let unheld = try golden("check", "suite.yaml")
    #expect(
      unheld.status == 64
        && unheld.error.contains(
          "cases.film.clip-psnr: clip-psnr needs the stage 'decoded', which is not among the case's stages"
        ), "\(unheld.error)")
  }

  /// Another `record` would make no golden either.
  @Test func brokenLimitsAreNamed_whereThereIsNoGolden() throws {
    try take()
    try film("psnr: 90")
    #expect(try golden("record", "suite.yaml").status == 5)
    let found = try golden("check", "suite.yaml")
    let sentence = "there is no golden, and 'camrec golden record' makes none until the limits hold or are changed"
    #expect(found.status == 5 && found.said.contains("  decoded: \(sentence)\n"), "\(found.said)")
    #expect(found.said.contains(" dB, less than 90.0 dB"), "\(found.said)")
    let report = try golden("check", "--json", "suite.yaml").said
    #expect(report.contains(sentence) && report.contains(" dB, less than 90.0 dB"), "\(report)")
    try film("psnr: 20")
    let kept = try golden("check", "suite.yaml")
    #expect(
      kept.status == 5 && kept.said.contains("  decoded: there is no golden; 'camrec golden record' makes one\n"),
      "\(kept.said)")
  }

  @Test func withoutFiltersItIsSaid() throws {
    try take()
    try film("psnr: 20")
    let environment = ["CAMREC_FILTER_LIBRARY": "none.so"]
    let outcome = try camrec.run(["golden", "record", "suite.yaml"], in: folder.url, environment: environment)
    #expect(outcome.exitCode == 64 && !outcome.endedBySignal, "\(outcome.standardOutput)")
    let sentence =
      "the similarity of frames is measured by FFmpeg's filters, which are not installed; install ffmpeg "
        + "(none.so"
    #expect(outcome.standardOutput.contains(sentence), "\(outcome.standardOutput)")
    // Sound is hashed all the same, without its loudness.
    try film()
    let sound = try camrec.run(["golden", "record", "suite.yaml"], in: folder.url, environment: environment)
    #expect(sound.exitCode == 0, "\(sound.standardOutput)")
    #expect(try !text("suite.goldens/film.sound.framemd5").contains("loudness"))
    #expect(try golden("check", "suite.yaml").status == 0)
  }

  /// A limit of the file size stands for a full disk. Nothing is said to play that is not there.
  @Test func aFilmThatCannotBeKept_isNotPromised() throws {
    try take()
    try suite(clip: "take.mov", ["stages: [baked]", "keep: true"])
    let shell = CamrecBinary(url: URL(fileURLWithPath: "/bin/sh"))
    func limited(_ action: String) throws {
      let command = "ulimit -f 200; exec '\(camrec.url.path)' golden \(action) suite.yaml"
      let outcome = try shell.run(["-c", command], in: folder.url, timeout: 120)
      #expect(outcome.exitCode == 74 && !outcome.endedBySignal, "\(outcome)")
      #expect(
        outcome.standardOutput.contains(
          "plain.baked.mkv' cannot be written and is not kept; make room, or check the disk ("), "\(outcome)")
      #expect(!outcome.standardOutput.contains("plays"), "\(outcome)")
    }
    func names() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: folder.path("suite.goldens")).sorted()
    }
    try limited("record")
    // There is no golden that nobody was told of.
    #expect(try names() == [])
    #expect(try golden("record", "suite.yaml").status == 0)
    let both = ["plain.baked.framemd5", "plain.baked.mkv"]
    #expect(try names() == both)
    func digests() throws -> [String] { try both.map { try digest("suite.goldens/\($0)") } }
    let before = try digests()
    _ = try folder.write(LUT.look.utf8, to: "look.cube")
    try suite(clip: "take.mov", ["stages: [baked]", "keep: true", "lut: look.cube"])
    try limited("update")
    #expect(try names() == both)
    #expect(try digests() == before)
  }

  /// A folder stands for a golden that cannot be written.
  @Test func goldensThatWereWrittenBeforeAnErrorAreNamed() throws {
    #expect(try golden("record", "suite.yaml").status == 0)
    let path = folder.path("suite.goldens/plain.baked.framemd5")
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    let found = try golden("update", "suite.yaml")
    let sentence = "plain.baked.framemd5' is a folder; name a file in it; camrec had written these goldens: read\n"
    #expect(found.status == 74 && found.said.contains(sentence), "\(found)")
  }

  /// A folder stands for a golden that cannot be written, and for a film that cannot have its name.
  @Test func aKeptFilmStaysUntilItsGoldenIsReplaced() throws {
    try take()
    try suite(clip: "take.mov", ["stages: [read, baked]", "keep: true"])
    #expect(try golden("record", "suite.yaml").status == 0)
    let kept = "suite.goldens/plain.baked.mkv", path = folder.path("suite.goldens/plain.baked.framemd5")
    let film = try digest(kept), hashes = try Data(contentsOf: URL(fileURLWithPath: path))
    _ = try folder.write(LUT.look.utf8, to: "look.cube")
    try suite(clip: "take.mov", ["stages: [read, baked]", "keep: true", "lut: look.cube"])
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    let refused = try golden("update", "suite.yaml")
    #expect(refused.status == 74 && refused.said.contains("plain.baked.framemd5' is a folder"), "\(refused)")
    #expect(try digest(kept) == film)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("suite.goldens"))
    #expect(!names.contains { $0.contains(".part") }, "\(names)")
    try FileManager.default.removeItem(atPath: path)
    try hashes.write(to: URL(fileURLWithPath: path))
    try FileManager.default.removeItem(atPath: folder.path(kept))
    try FileManager.default.createDirectory(atPath: folder.path(kept + "/more"), withIntermediateDirectories: true)
    let unnamed = try golden("update", "suite.yaml")
    #expect(unnamed.status == 74 && unnamed.said.contains("plain.baked.mkv' is a folder"), "\(unnamed)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == hashes)
    #expect(FileManager.default.fileExists(atPath: folder.path(kept + "/more")))
    try FileManager.default.removeItem(atPath: folder.path(kept))
    #expect(try golden("update", "suite.yaml").status == 0)
    #expect(try digest(kept) != film)
  }

  /// What is asked of the instruction set decides, and not the environment.
  @Test func theInstructionSetIsTheOneThatIsAskedFor() throws {
    _ = try folder.write(LUT.look.utf8, to: "look.cube")
    try suite(["lut: look.cube"])
    _ = try golden("record", "suite.yaml")
    let environment = ["CAMREC_CPU": "none"]
    let asked = try camrec.run(
      ["golden", "check", "--cpu", "scalar", "suite.yaml"], in: folder.url, environment: environment)
    #expect(asked.exitCode == 0, "\(asked.standardOutput)")
    let other = try camrec.run(["golden", "check", "suite.yaml"], in: folder.url, environment: environment)
    #expect(other.exitCode == 64 && other.standardOutput.contains("CAMREC_CPU is 'none'"), "\(other.standardOutput)")
  }

  /// Two signals, as of somebody who does not wait.
  @Test func itLeavesNothingOfAFilm() throws {
    try FileManager.default.createDirectory(atPath: folder.path("temporary"), withIntermediateDirectories: true)
    let clip = try camrec.run(
      ["--camera", "sim:pace=pulled", "--size", "64x48", "--frames", "50", "--output", "take.mov"], in: folder.url)
    #expect(clip.exitCode == 0)
    try film("preset: slow", "psnr: 20")
    // It is held where it has made the film.
    let gate = try FileGate(path: folder.path("gate"))
    let environment = try gate.environment().merging(["TMPDIR": folder.path("temporary")]) { $1 }
    let running = try camrec.start(["golden", "record", "suite.yaml"], in: folder.url, environment: environment)
    func left() throws -> [String] { try FileManager.default.subpathsOfDirectory(atPath: folder.path("temporary")) }
    try gate.awaitSomebody()
    #expect(try left().contains { $0.hasSuffix(".mov") })
    let stopped = running.interruptUntilItEnds()
    #expect(stopped.exitCode == 130 && !stopped.endedBySignal, "\(stopped.standardOutput)")
    #expect(try left() == [])
  }

  @Test func whatAStageLooksAtHasToBeThere() throws {
    try suite(["stages: [sound]"])
    let silent = try golden("record", "suite.yaml")
    #expect(
      silent.status == 65 && silent.said.contains("the clip has no audio; remove 'sound' from its stages"),
      "\(silent.said)")
    try suite(["stages: [sidecar]"])
    let bare = try golden("record", "suite.yaml")
    #expect(
      bare.status == 65 && bare.said.contains("the clip has no sidecar; remove 'sidecar' from its stages"),
      "\(bare.said)")
  }

  // MARK: What is wrong

  /// A clip that the suite means, and of which a picture does not decode, passes neither recording nor checking.
  @Test func aPictureThatDoesNotDecode() throws {
    try ffmpeg("-i @clip.mkv -map 0:v -c:v png @damaged.mov")
    var bytes = try Data(contentsOf: folder.url.appendingPathComponent("damaged.mov"))
    let half = try #require(bytes.range(of: Data("IDAT".utf8), in: (bytes.count / 2)..<bytes.count))
    for index in half.upperBound..<(half.upperBound + 64) { bytes[index] ^= 0x5A }
    _ = try folder.write(bytes, to: "damaged.mov")
    let found = try check("damaged.mov")
    #expect(found.status == 65 && found.said.contains(" cannot be decoded"), "\(found.said)")
    for action in ["check", "record", "update"] {
      try? FileManager.default.removeItem(atPath: folder.path("suite.goldens"))
      #expect(try golden(action, "suite.yaml").status == 65)
      #expect(try !folder.names.contains("suite.goldens"))
    }
  }

  /// Neither does FFV1 whose checksums tell of damage that its decoder conceals.
  @Test func ffv1ThatDoesNotMatchItsChecksums() throws {
    try FileManager.default.copyItem(atPath: folder.path("clip.mkv"), toPath: folder.path("damaged.mkv"))
    try SpoiledPacket.alter(folder.path("damaged.mkv"), packet: 5)
    let found = try check("damaged.mkv")
    #expect(found.status == 65 && found.said.contains(" cannot be decoded"), "\(found.said)")
    try FileManager.default.removeItem(atPath: folder.path("suite.goldens"))
    #expect(try golden("record", "suite.yaml").status == 65)
    #expect(try !folder.names.contains("suite.goldens"))
    let baked = try camrec.run(["bake", "damaged.mkv", "--codec", "ffv1", "--output", "film.mkv"], in: folder.url)
    #expect(baked.exitCode == 3 && baked.standardError.contains("the clip has damaged frames"), "\(baked)")
  }

  /// Where frames are reordered a range has the frames of its numbers.
  @Test func aRangeBesideADamagedFrame() throws {
    let codec = "-c:v libx264 -bf 3 -g 12 -x264-params b-adapt=0:scenecut=0 -pix_fmt yuv420p"
    try ffmpeg("-i @clip.mkv -map 0:v \(codec) @whole.mp4")
    try FileManager.default.copyItem(atPath: folder.path("whole.mp4"), toPath: folder.path("damaged.mp4"))
    // Frames 5 to 7 refer to it, and so do those up to the key frame 12.
    let place = try SpoiledPacket.spoil(folder.path("damaged.mp4"), packet: 5)
    try #require(place == 8)
    for from in [5, place, 9, 11] {
      try suite(clip: "damaged.mp4", ["from: \(from)", "frames: 2"])
      let refused = try golden("record", "suite.yaml")
      #expect(refused.status == 65 && refused.said.contains(" cannot be decoded"), "\(refused)")
    }
    try suite(clip: "whole.mp4", ["from: 3", "frames: 2"])
    #expect(try golden("record", "suite.yaml").status == 0)
    try suite(clip: "damaged.mp4", ["from: 3", "frames: 2"])
    let held = try golden("check", "suite.yaml")
    #expect(held.status == 0, "\(held.said)")
  }

  /// Neither does one whose sound cannot be read, as far as it belongs to the pictures.
  @Test func soundThatCannotBeRead() throws {
    try ffmpeg(
      "-f lavfi -i testsrc2=s=64x48:r=24:d=4 -f lavfi -i sine=d=5:sample_rate=48000 -pix_fmt yuv420p -c:v ffv1 "
        + "-c:a flac -frame_size 4800 @damaged.mkv"
    )
    try suite(clip: "damaged.mkv", ["stages: [sound]"])
    #expect(try golden("record", "suite.yaml").status == 0)
    let whole = try Data(contentsOf: folder.url.appendingPathComponent("damaged.mkv"))
    let packets = try Tool.run([
      "ffprobe", "-v", "error", "-select_streams", "a", "-show_entries", "packet=pos,size", "-of", "csv=p=0",
      folder.path("damaged.mkv"),
    ])
    /// The tenth of a second that is damaged: not at all, in what the range has, in front of it and behind it; the last
    /// of it lies behind the pictures.
    func found(_ tenth: Int, _ keys: [String], _ action: String) throws -> (status: Int32, said: String) {
      let numbers = String(decoding: packets, as: UTF8.self).split(separator: "\n")[tenth].split(separator: ",")
        .compactMap { Int($0) }
      var bytes = whole
      let (position, size) = (max(numbers[0], numbers[1]), min(numbers[0], numbers[1]))
      for index in position + size / 3..<position + size { bytes[index] ^= 0x5A }
      _ = try folder.write(bytes, to: "damaged.mkv")
      try suite(clip: "damaged.mkv", ["stages: [sound]"] + keys)
      let outcome = try golden(action, "suite.yaml")
      return (outcome.status, outcome.said)
    }
    for (tenth, keys) in [
      (9, []), (0, []), (39, []), (9, ["frames: 24"]), (25, ["from: 48", "frames: 24"]), (35, ["from: 48"]),
    ] {
      for action in ["check", "update"] {
        let outcome = try found(tenth, keys, action)
        #expect(
          outcome.status == 65 && outcome.said.contains("damaged.mkv' cannot be read completely")
            && outcome.said.contains(": a packet at "), "\(tenth), \(keys): \(outcome.said)")
      }
    }
    for (tenth, keys) in [(45, []), (12, ["frames: 24"]), (9, ["from: 48"]), (35, ["from: 48", "frames: 24"])] {
      let outcome = try found(tenth, keys, "update")
      #expect(outcome.status == 0, "\(tenth), \(keys): \(outcome.said)")
    }
  }

  /// Whether there are goldens or not: they could not be made either.
  @Test func aClipThatCannotBeUsedIsNoCaseThatDiffers() throws {
    for (key, sentence) in [("frames: 25", "24 of the 25 frames"), ("stages: [sound]", "the clip has no audio")] {
      try suite([key])
      let found = try golden("check", "suite.yaml")
      #expect(found.status == 65 && found.said.contains(sentence), "\(found)")
      #expect(found.said.hasSuffix("1 case: 0 hold, 0 differ, 1 could not be run\n"), "\(found)")
    }
  }

  @Test func aRangeThatIsNotThereIsRefused() throws {
    for (keys, sentence) in [
      (["frames: 25"], "clip.mkv' has only 24 of the 25 frames that the case needs\n"),
      (["from: 20", "frames: 5"], "clip.mkv' has only 4 of the 5 frames that the case needs from frame 20 on\n"),
      (["from: 24"], "clip.mkv has no frame after the first 24 (only 24 of its frames can be decoded)\n"),
    ] {
      try suite(keys)
      let found = try golden("record", "suite.yaml")
      #expect(found.status == 65 && found.said.contains(sentence), "\(found.said)")
    }
    try suite(["from: 20", "frames: 4"])
    #expect(try golden("record", "suite.yaml").status == 0)
  }

  /// Of what goes wrong the worst decides, and the other cases are run all the same.
  @Test func errorsHaveTheirCodes() throws {
    let digest = try digest("clip.mkv")
    _ = try folder.write(
      """
      defaults: {clip: clip.mkv, sha256: \(digest), codec: ffv1}
      cases:
        well: {frames: 2}
        gone: {clip: "50% gone.mkv"}
        colours: {color-out: rec2020}
        other: {frames: 3}
      """.utf8, to: "suite.yaml")
    let outcome = try golden("record", "--jobs", "4", "--json", "out.json", "suite.yaml")
    #expect(outcome.status == 64, "\(outcome.said)")
    #expect(outcome.said.hasSuffix("4 cases: 2 hold, 0 differ, 2 could not be run\n"))
    #expect(try golden("record", "suite.yaml", "gone", "well").status == 65)
    #expect(try golden("check", "suite.yaml", "other", "well").status == 0)
    _ = try folder.write([], to: "file")
    try suite()
    _ = try folder.write("goldens: file\n\(text("suite.yaml"))".utf8, to: "suite.yaml")
    let refused = try golden("record", "suite.yaml")
    #expect(
      refused.status == 65 && refused.said.contains("'\(folder.path("file/plain.read.framemd5"))' cannot be opened"))
  }

  /// Whoever reads what is said may go away, and whoever began it may stop it: nothing is left behind.
  @Test func itLeavesNothingBehind() throws {
    try FileManager.default.createDirectory(atPath: folder.path("temporary"), withIntermediateDirectories: true)
    let cases = (0..<200).map { "  case-\($0):\n" }.joined()
    _ = try folder.write(
      "defaults: {clip: clip.mkv, sha256: \(try digest("clip.mkv"))}\ncases:\n\(cases)".utf8, to: "suite.yaml")
    // In the middle of the first case.
    let gate = try FileGate(path: folder.path("gate"), ofFile: "/temporary/")
    let running = try camrec.start(
      ["golden", "record", "--jobs", "1", "suite.yaml"], in: folder.url,
      environment: try gate.environment().merging(["TMPDIR": folder.path("temporary")]) { $1 })
    try gate.awaitSomebody()
    running.send(signal: SIGINT)
    running.awaitRest()
    gate.open()
    let stopped = running.wait(timeout: 60)
    #expect(stopped.exitCode == 130 && !stopped.endedBySignal, "\(stopped.standardOutput)")
    #expect(stopped.standardOutput.contains(" were not begun\n"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("temporary")) == [])
    try suite()
    let check = "\(camrec.url.path) golden check --json out.json suite.yaml"
    let script = "exec 3> >(true); wait $!; \(check) >&3; echo $?"
    let status = try Tool.run([
      "env", "TMPDIR=\(folder.path("temporary"))", "bash", "-c", "cd \(folder.url.path); \(script)",
    ])
    #expect(String(decoding: status, as: UTF8.self) == "74\n")
    #expect(try folder.names.contains("out.json"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("temporary")) == [])
  }

  @Test func whatCannotBeRunIsAnErrorOfItsOwn() throws {
    _ = try golden("record", "suite.yaml")
    let suite = try text("suite.yaml")
    func refused(_ text: String, by action: String = "check") throws -> (status: Int32, said: String, error: String) {
      _ = try folder.write(text.utf8, to: "suite.yaml")
      return try golden(action, "suite.yaml")
    }
    let gone = try refused(suite.replacing("clip.mkv", with: "gone.mkv"))
    #expect(gone.status == 65 && gone.said.contains("1/1  error    plain  there is no clip '"), "\(gone.said)")
    #expect(gone.said.hasSuffix("1 case: 0 hold, 0 differ, 1 could not be run\n"))
    let zeros = String(repeating: "0", count: 64)
    for action in ["check", "record", "update"] {
      let other = try refused(suite.replacing(digest("clip.mkv"), with: zeros), by: action)
      #expect(other.status == 65, "\(action)")
      let sentence = "is not the one in the suite: its SHA-256 is \(try digest("clip.mkv")), not \(zeros);"
      #expect(other.said.contains(sentence))
    }
    let bytes = try Data(contentsOf: folder.url.appendingPathComponent("clip.mkv"))
    _ = try folder.write(bytes.prefix(bytes.count * 2 / 3), to: "cut.mkv")
    try self.suite(clip: "cut.mkv")
    let cut = try golden("check", "suite.yaml")
    #expect(cut.status == 65 && cut.said.contains("cut.mkv' is cut off"), "\(cut.said)")
    _ = try folder.write("no clip".utf8, to: "text.mkv")
    try self.suite(clip: "text.mkv")
    #expect(try golden("check", "suite.yaml").status == 65)
    let hashes = try text("suite.goldens/plain.read.framemd5")
    _ = try folder.write(hashes.dropLast().utf8, to: "suite.goldens/plain.read.framemd5")
    let broken = try refused(suite)
    #expect(broken.status == 65 && broken.said.contains("is incomplete: its last line is cut off"), "\(broken.said)")
    try FileManager.default.removeItem(atPath: folder.path("suite.goldens/plain.read.framemd5"))
    let lacking = try refused(suite)
    #expect(lacking.status == 5)
    #expect(lacking.said.contains("  read: there is no golden; 'camrec golden record' makes one\n"), "\(lacking.said)")
  }

  /// Also with the usual stages, which encode nothing.
  @Test(arguments: [
    ("preset: foo", "libx265 has no preset 'foo'; it has ultrafast, "),
    ("profile: foo", "HEVC has no profile 'foo'; it has main, "), ("quality: 99", "quality 99 is outside libx265's"),
    ("timecode: 99:00:00:00", "timecode '99:00:00:00': hours are 0 to 23 at "),
    ("look: nix", "there is no look 'nix'; "),
  ])
  func aValueThatNoClipIsNeededFor(line: String, sentence: String) throws {
    let digest = try digest("clip.mkv"), key = line.prefix { $0 != ":" }
    for stages in ["", "    stages: [decoded]\n"] {
      let text = "cases:\n  a:\n    clip: clip.mkv\n    sha256: \(digest)\n    \(line)\n\(stages)"
      _ = try folder.write(text.utf8, to: "suite.yaml")
      let found = try golden("check", "suite.yaml")
      #expect(found.status == 64 && found.error.hasPrefix("suite.yaml:5:"), "\(found)")
      #expect(found.error.contains(": error: cases.a.\(key): ") && found.error.contains(sentence), "\(found)")
    }
  }

  /// A suite may name an encoder that another machine has.
  @Test func anEncoderThatIsMissingMattersOnlyForStagesOfTheFilm() throws {
    let digest = try digest("clip.mkv")
    func suite(_ stages: String) throws {
      let text = "cases:\n  a:\n    clip: clip.mkv\n    sha256: \(digest)\n    encoder: foo\n\(stages)"
      _ = try folder.write(text.utf8, to: "suite.yaml")
    }
    try suite("")
    let recorded = try golden("record", "suite.yaml"), checked = try golden("check", "suite.yaml")
    #expect(recorded.status == 0 && checked.status == 0, "\(recorded), \(checked)")
    try suite("    stages: [decoded]\n")
    let found = try golden("check", "suite.yaml")
    #expect(found.status == 64 && found.error.hasPrefix("suite.yaml:5:"), "\(found)")
    #expect(found.error.contains(": error: cases.a.encoder: ") && found.error.contains("hevc encoder 'foo' that "))
  }

  @Test func whatTheSuiteSaysWrongIsSaidWithItsPlace() throws {
    let digest = try digest("clip.mkv")
    func said(_ text: String) throws -> String {
      _ = try folder.write(text.utf8, to: "suite.yaml")
      let outcome = try golden("check", "suite.yaml")
      #expect(outcome.status == 64 && outcome.said == "", "\(text)")
      return outcome.error
    }
    #expect(
      try said("")
        == "suite.yaml: error: the file is empty; write 'cases:' with a name for each case below it\n")
    #expect(
      try said("cases:\n") == "suite.yaml:1:7: error: cases: write a name for each case here, with its keys below it\n")
    let errors = try said(
      """
      cases:
        a:
          clip: clip.mkv
          sha256: \(digest)
          lutt: look.cube
          frames: 0
          stages: [bakd]
          workers: 3
        b:
          clip: clip.mkv
          sha256: abc
      """)
    #expect(
      errors.contains("suite.yaml:5:5: error: cases.a.lutt: there is no key 'lutt'; did you mean lut?\n"), "\(errors)")
    #expect(
      errors.contains("suite.yaml:6:13: error: cases.a.frames: the number of frames is at least 1; this is '0'\n"))
    #expect(
      errors.contains(
        "suite.yaml:7:14: error: cases.a.stages: this must be one of read, baked, decoded, sound, container, sidecar, "
          + "not 'bakd'; did you mean baked?\n"
      ))
    #expect(
      errors.contains(
        "error: cases.a.workers: 'workers' is not allowed here: goldens do not depend on the number of workers\n"))
    #expect(
      errors.contains(
        "suite.yaml:11:13: error: cases.b.sha256: a SHA-256 has 64 hexadecimal digits; sha256sum prints a file's; "
          + "this is 'abc'\n"
      ))
    let missing = try said("cases:\n  a:\n    clip: clip.mkv\n")
    #expect(
      missing.contains("suite.yaml:2:3: error: cases.a: 'sha256' is missing, which detects a changed clip")
        && missing.contains("to print it, run sha256sum "), "\(missing)")
    try suite()
    let unknown = try golden("check", "suite.yaml", "plane")
    #expect(unknown.status == 64 && unknown.error == "Error: 'suite.yaml' has no case 'plane'; it has plain\n")
    // '--json' prints, whatever case is named behind it.
    let json = try golden("check", "suite.yaml", "--json", "plane")
    #expect(json.status == 64 && json.error == "Error: 'suite.yaml' has no case 'plane'; it has plain\n")
    #expect(try golden("check", "none.yaml").error == "Error: there is no suite 'none.yaml'\n")
  }

  // MARK: Reports

  @Test func reportsForMachines() throws {
    try ffmpeg("-i @clip.mkv -map 0:v -vf select='not(eq(n,5))' -fps_mode passthrough -c:v ffv1 @gap.mkv")
    _ = try check("gap.mkv")
    let status = try golden("check", "--json", "out.json", "--junit", "out.xml", "suite.yaml").status
    #expect(status == 5)
    struct Report: Decodable {
      struct Case: Decodable {
        struct Stage: Decodable {
          let stage: String
          let outcome: String
          let differences: [String]
        }
        let name: String
        let verdict: String
        let stages: [Stage]
      }
      let format: String
      let version: Int
      let suite: String
      let cases: [Case]
      let status: Int
    }
    let report = try JSONDecoder().decode(Report.self, from: Data(text("out.json").utf8))
    #expect(
      report.format == "camrec-golden" && report.version == 1 && report.suite == "suite.yaml" && report.status == 5)
    let found = try #require(report.cases.first)
    #expect(found.name == "plain" && found.verdict == "differs" && found.stages.map(\.stage) == ["read", "baked"])
    #expect(found.stages.first?.differences == ["frame 5 (0.208 s) is missing"])
    let xml = try text("out.xml")
    #expect(xml.contains("<testsuite name=\"suite\" tests=\"1\" failures=\"1\" errors=\"0\""))
    #expect(xml.contains("<failure message=\"read: frame 5 (0.208 s) is missing\">"))
  }

  /// `--json` prints what `--report` writes. Another file is refused before a case is run.
  @Test func whatJSONPrintedIsReplacedByAReport() throws {
    _ = try golden("record", "suite.yaml")
    let printed = try golden("check", "--json", "suite.yaml")
    _ = try folder.write(printed.said.utf8, to: "out.json")
    let replaced = try golden("check", "--report", "out.json", "suite.yaml")
    #expect(replaced.status == 0, "\(replaced)")
    #expect(try text("out.json").contains("\"format\" : \"camrec-golden\""))
    let other = "{\"format\":\"notes\"}\n"
    _ = try folder.write(other.utf8, to: "notes.json")
    for option in ["--report", "--junit"] {
      let found = try golden("check", option, "notes.json", "suite.yaml")
      #expect(
        found.status == 74 && found.said.isEmpty
          && found.error.contains("'notes.json' is not a report written by camrec, and is not overwritten"),
        "\(found)")
      #expect(try text("notes.json") == other)
      let nowhere = try golden("check", option, "none/out.json", "suite.yaml")
      #expect(
        nowhere.status == 74 && nowhere.said.isEmpty
          && nowhere.error.contains("'none/out.json' cannot be written (No such file or directory)"),
        "\(nowhere)")
    }
  }
}

/// A look of 2 points per side, of which one sample is grey.
private enum LUT {
  static let look = "LUT_3D_SIZE 2\n0 0 0\n0.9 0.1 0\n0 1 0\n1 0.9 0.2\n0.1 0 1\n1 0 1\n0 1 0.9\n0.5 0.5 0.5\n"
}
