import Foundation
import TestKit
import Testing

/// `camrec rig check`: what the options of a file mean, by the command line's own parsers.
@Suite struct RigCheckTests {
  let folder: TemporaryFolder
  private static let isGood = "no errors; to look for the cameras, run camrec doctor rig.yaml\n"

  init() throws { folder = try TemporaryFolder() }

  private func check(_ text: String, _ arguments: [String] = []) throws -> CamrecBinary.Outcome {
    _ = try folder.write(text.utf8, to: "rig.yaml")
    return try CamrecBinary.find().run(["rig", "check"] + arguments + ["rig.yaml"], in: folder.url, timeout: 60)
  }

  private func lines(_ text: String, status: Int32 = 64) throws -> [String] {
    let outcome = try check(text)
    #expect(outcome.exitCode == status && outcome.standardError == "", "\(outcome.standardError)")
    return outcome.standardOutput.split(separator: "\n").map(String.init)
  }

  @Test func goodFile_isSaidToBeGood() throws {
    let outcome = try check("cameras:\n  front: {camera: sim, fps: 25, ev: -1/3}\n  back: {camera: 'sim:seed=2'}\n")
    #expect(outcome.exitCode == 0, "\(outcome.standardError)")
    #expect(outcome.standardOutput == "rig.yaml: 2 cameras (front, back), \(RigCheckTests.isGood)")
    #expect(try folder.names == ["rig.yaml"], "nothing is created")
    // In one line, with as many keys as anybody has.
    let long = "cameras:\n  front: {camera: sim, fps: 25, size: 640x360, codec: hevc, preset: ultrafast, quality: 20, "
      + "iso: 100, exposure: manual, shutter-angle: 180, microphone: none, segment: 10m, output: 'f_%H%M%S.mov'}\n"
    #expect(try check(long).standardOutput == "rig.yaml: 1 camera (front), \(RigCheckTests.isGood)")
  }

  @Test func spaceRetentionAndHooks_areReadAsTheCommandLineReadsThem() throws {
    let good = try check(
      """
      cameras:
        front:
          camera: sim
          warn-space: [2h, "1h,10GB"]
          on-full: rotate
          keep-age: 30d
          keep-count: 1000
          keep-size: 500GB
          keep-free: 20GB
          hook: [/bin/echo, --film, "{}", "remote:films"]
          hook-timeout: 10m
      """)
    #expect(good.exitCode == 0, "\(good.standardOutput)")
    let found = try lines(
      "cameras:\n  front: {camera: sim, warn-space: soon, on-full: wait, keep-age: 0d}\n"
        + "  back: {camera: 'sim:seed=2', hook: [/nonexistent]}\n")
    let expected: [String] = [
      "rig.yaml:2:36: error: cameras.front.warn-space: a threshold is a time (30m), a size (500MB), several of them "
        + "(2h,30m,500MB), or none; this is 'soon'",
      "rig.yaml:2:51: error: cameras.front.on-full: this must be one of stop, rotate, not 'wait'",
      "rig.yaml:2:67: error: cameras.front.keep-age: an age is greater than 0 and has a unit (d, h, m, s), as in 30d "
        + "or 12h; this is '0d'",
      "rig.yaml:3:32: warning: cameras.back.hook: hook: '/nonexistent' is not a program; give the path of an "
        + "executable file",
    ]
    #expect(found == expected)
  }

  @Test func everyWrongValue_isSaidInItsParsersWords() throws {
    let found = try lines(
      """
      defaults:
        quality: 300
      cameras:
        front:
          camera: webcam
          fps: 0
          shutter-angle: 720
          codec: h264
          duration: soon
      """)
    let expected: [String] = [
      "rig.yaml:2:12: error: defaults.quality: the quality is 0 to 255; this is '300'",
      "rig.yaml:5:13: error: cameras.front.camera: a camera is /dev/videoN, /dev/v4l/by-id/…, sim, sim:OPTIONS or "
        + "clip:PATH; this is 'webcam'",
      "rig.yaml:6:10: error: cameras.front.fps: a frame rate is greater than 0 and at most 1000, as in 24, 23.976 or "
        + "24000/1001; this is '0'",
      "rig.yaml:7:20: error: cameras.front.shutter-angle: a shutter angle is greater than 0° and at most 360°, as in "
        + "180 or 172.8; this is '720°'",
      "rig.yaml:8:12: error: cameras.front.codec: this must be one of hevc, prores, ffv1, not 'h264'",
      "rig.yaml:9:15: error: cameras.front.duration: write a number and its unit (h, m, s, ms, us), as in 10s, 1m30s, "
        + "500ms or 2h; this is 'soon'",
    ]
    #expect(found == expected)
  }

  @Test func whatContradictsItself_isSaidAtTheLaterKey() throws {
    let found = try lines(
      "defaults: {quality: 20}\ncameras:\n  a:\n    camera: sim\n    bitrate: 40M\n  b: {camera: sim, iso: 400}\n")
    #expect(
      found == [
        "rig.yaml:5:5: error: cameras.a.bitrate: quality and bitrate exclude each other: give the one that matters and "
          + "leave out the other",
        "rig.yaml:6:20: error: cameras.b.iso: iso is for exposure manual; otherwise ISO follows the light",
      ])
  }

  @Test func whatTheRecordingWouldRefuse_isSaidAtItsKey() throws {
    let found = try lines(
      """
      cameras:
        a: {camera: sim, lut: no.cube}
        b: {camera: sim, output: no/where_%s.mov}
        c: {camera: sim, codec: ffv1, preset: slow}
        d: {camera: sim, size: 319x241}
        e: {camera: 'sim:zoom=3'}
        f: {camera: sim, output: take.mov}
        g: {camera: sim, exposure: manual, iso: 50000}
      """)
    #expect(found.count == 7, "\(found)")
    let starts = [
      "rig.yaml:2:20: warning: cameras.a.lut: ",
      "rig.yaml:3:20: warning: cameras.b.output: the folder of 'no/where_",
      "rig.yaml:4:33: error: cameras.c.preset: ffv1 has no presets; leave out preset slow",
      "rig.yaml:5:", "rig.yaml:6:",
      "rig.yaml:7:28: error: cameras.f.output: each start of the rig begins a new film, but this name is always the "
        + "same; put the date and time in it, as in 'f_%Y-%m-%d_%H-%M-%S.mov', or set segment, which numbers the files",
      "rig.yaml:8:",
    ]
    for (line, start) in zip(found, starts) { #expect(line.hasPrefix(start), "\(line)") }
    #expect(found.last?.contains("the camera has no ISO 50000; choose 25 to 12800") == true)
  }

  /// Each of them would do to refuse the recording.
  @Test func allThatAnEncoderRefuses_isSaidAtOnce() throws {
    let found = try lines(
      """
      cameras:
        a: {camera: sim, codec: ffv1, preset: ultrafast, quality: 5, size: 320x180}
        b: {camera: 'sim:seed=2', codec: ffv1, profile: hq, preset: fast, bitrate: 40M}
        c: {camera: 'sim:seed=3', codec: hevc, preset: warp, quality: 99, size: 319x241}
      """)
    #expect(found.count == 8, "\(found)")
    let parts = [
      ("a", "ffv1 is lossless and has no quality or bitrate"), ("a", "ffv1 has no presets; leave out preset ultrafast"),
      ("b", "ffv1 has no profiles; leave out profile hq"), ("b", "ffv1 is lossless and has no quality or bitrate"),
      ("b", "ffv1 has no presets; leave out preset fast"), ("c", "libx265 has no preset 'warp'"),
      ("c", "quality 99 is outside libx265's CRF range"), ("c", "319x241 is odd"),
    ]
    for (camera, words) in parts {
      #expect(found.contains { $0.contains("cameras.\(camera)") && $0.contains(words) }, "\(words): \(found)")
    }
  }

  /// Also where the sentence names no option.
  @Test func aValueThatIsQuoted_hasItsPlace() throws {
    let found = try lines(
      """
      cameras:
        a:
          camera: sim
          codec: hevc
          profile: hq
        b:
          camera: "sim:seed=2"
          timecode: "25:00:00:00"
        c:
          camera: "sim:seed=3"
          encoder: libx999
        d:
          camera: /dev/video4711
          timecode: "25:00:00:00"
        e: sim
      """)
    let starts = [
      "rig.yaml:5:5: error: cameras.a.profile: ", "rig.yaml:8:5: error: cameras.b.timecode: ",
      "rig.yaml:11:5: error: cameras.c.encoder: ", "rig.yaml:14:5: error: cameras.d.timecode: ",
      "rig.yaml:15:6: error: cameras.e: write keys and values here, ",
    ]
    #expect(found.count == starts.count, "\(found)")
    for (line, start) in zip(found, starts) { #expect(line.hasPrefix(start), "\(line)") }
  }

  /// A disk that is mounted later, or a LUT that is still being copied, is no mistake of the file's.
  @Test func whatMayPass_isAWarning_withAStatusOfItsOwn() throws {
    let found = try lines(
      """
      cameras:
        a: {camera: sim, lut: no.cube}
        b: {camera: /dev/video4711, output: no/where_%s.mov, microphone: none}
        c: {camera: 'clip:no.mov'}
        d: {camera: 'sim:seed=4'}
      """, status: 5)
    #expect(found.count == 4, "\(found)")
    let starts = [
      "rig.yaml:2:20: warning: cameras.a.lut: ",
      "rig.yaml:3:31: warning: cameras.b.output: the folder of 'no/where_",
      "rig.yaml:4:7: warning: cameras.c.camera: ",
      "rig.yaml: 4 cameras (a, b, c, d), no errors, but a camera cannot record; fix the warnings",
    ]
    for (line, start) in zip(found, starts) { #expect(line.hasPrefix(start), "\(line)") }
    let text = try check("cameras: {a: {camera: sim, lut: no.cube}}", ["--json"]).standardOutput
    let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect((object["findings"] as? [[String: Any]])?.first?["severity"] as? String == "fault")
    #expect(object["status"] as? Int == 5)
  }

  /// One thing that is wrong hides none of the others.
  @Test func everythingThatIsWrong_isSaidAtOnce() throws {
    let found = try lines(
      """
      cameras:
        a: {camera: sim, lut: no.cube, output: no/where_%s.mov, fsp: 3, size: 64x36}
        b: {camera: 'sim:seed=2', fps: 0, lut: no.cube, output: films/front.mov, segment: 10m, size: 64x36}
        c: {camera: 'sim:seed=3', quality: 20, bitrate: 40M, lut: nono.cube, size: 64x36}
        d: {camera: 'sim:zoom=3', output: no/where.mov, exposure: manuall}
      """)
    let starts = [
      "rig.yaml:2:20: warning: cameras.a.lut: the LUT no.cube does not exist",
      "rig.yaml:2:34: warning: cameras.a.output: the folder of 'no/where_",
      "rig.yaml:2:59: error: cameras.a.fsp: there is no key 'fsp'; did you mean fps?",
      "rig.yaml:3:34: error: cameras.b.fps: a frame rate is ",
      "rig.yaml:3:37: warning: cameras.b.lut: the LUT no.cube does not exist",
      "rig.yaml:3:51: warning: cameras.b.output: the folder of 'films/front-0001.mov' does not exist",
      "rig.yaml:4:42: error: cameras.c.bitrate: quality and bitrate exclude each other",
      "rig.yaml:4:56: warning: cameras.c.lut: the LUT nono.cube does not exist",
      "rig.yaml:5:7: error: cameras.d.camera: ",
      "rig.yaml:5:37: error: cameras.d.output: each start of the rig begins a new film",
      "rig.yaml:5:29: warning: cameras.d.output: the folder of 'no/where.mov' does not exist",
      "rig.yaml:5:61: error: cameras.d.exposure: ",
    ]
    #expect(found.count == starts.count, "\(found)")
    for start in starts { #expect(found.contains { $0.hasPrefix(start) }, "\(start): \(found)") }
  }

  /// A look is read as a LUT is, and the camera is tried without it.
  @Test func aWrongLook_isSaidWithItsPlace_andHidesNothing() throws {
    try LookFiles.writeOwn(to: folder, [("intensity: 0.04", "intensity: 1.04")])
    let behind = 29 + "look: \(LookFiles.portra), ".count
    let found = try lines(
      """
      cameras:
        a: {camera: sim, look: own.yaml, size: 64x36}
        b: {camera: 'sim:zoom=3', look: none.yaml}
        c: {camera: 'sim:seed=3', look: portra-40}
        d: {camera: 'sim:seed=4', lut: no.cube, look: own.yaml}
        e: {camera: 'sim:seed=5', grain-seed: 3}
        f: {camera: 'sim:seed=6', look: \(LookFiles.portra), color-out: rec2020}
        g: {camera: 'sim:seed=7', lut: no.cube, color-in: vlog, color-out: rec709}
      """)
    let starts: [String] = [
      "rig.yaml:2:20: warning: cameras.a.look: own.yaml:37:20: grain.intensity: this must be a number from 0 to 1, not "
        + "'1.04'",
      "rig.yaml:3:7: error: cameras.b.camera: ",
      "rig.yaml:3:29: warning: cameras.b.look: the look 'none.yaml' cannot be read",
      "rig.yaml:4:29: error: cameras.c.look: there is no look 'portra-40'; ",
      "rig.yaml:5:43: error: cameras.d.look: lut and look exclude each other",
      "rig.yaml:5:29: warning: cameras.d.lut: the LUT no.cube does not exist",
      "rig.yaml:6:29: error: cameras.e.grain-seed: grain-seed is for look, which adds grain",
      "rig.yaml:7:\(behind): error: cameras.f.color-out: a look gives rec709, srgb or display-p3, not rec709 with "
        + "the primaries rec2020; choose one of these with color-out",
      "rig.yaml:8:29: warning: cameras.g.lut: the LUT no.cube does not exist",
    ]
    #expect(found.count == starts.count, "\(found)")
    for start in starts { #expect(found.contains { $0.hasPrefix(start) }, "\(start): \(found)") }
  }

  /// Its path starts at the file's folder.
  @Test func aLook_isFoundBesideTheFile() throws {
    try LookFiles.writeOwn(to: folder)
    _ = try folder.write("cameras: {a: {camera: sim, look: own.yaml, grain-seed: 7}}".utf8, to: "rig.yaml")
    let outcome = try CamrecBinary.find().run(
      ["rig", "check", folder.path("rig.yaml")], in: URL(fileURLWithPath: "/"), timeout: 60)
    #expect(outcome.exitCode == 0, "\(outcome.standardOutput)")
  }

  /// What is no YAML hides nothing of the other cameras.
  @Test func aLineThatIsNoYAML_isLeftOut() throws {
    let found = try lines(
      "cameras:\n  a: {camera: sim, lut: no.cube, size: 64x36}\n  b:\n    camera: webcam\n   fps: 3\n"
        + "  c: {camera: 'sim:seed=2', fps: 0}\n")
    #expect(found.count == 3, "\(found)")
    #expect(found[0].hasPrefix("rig.yaml:2:20: warning: cameras.a.lut: the LUT no.cube does not exist"))
    #expect(
      found[1] == "rig.yaml:5:4: error: this is not YAML: did not find expected key (while parsing a block mapping)")
    #expect(found[2].hasPrefix("rig.yaml:6:34: error: cameras.c.fps: "), "\(found)")
  }

  /// Numbered files go on behind the highest number that is there.
  @Test func aFixedName_isWellWithSegments() throws {
    try FileManager.default.createDirectory(
      at: folder.url.appendingPathComponent("films"), withIntermediateDirectories: false)
    _ = try folder.write("precious".utf8, to: "films/front.mov")
    let outcome = try check("cameras: {front: {camera: sim, output: films/front.mov, segment: 10m}}")
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(outcome.standardOutput == "rig.yaml: 1 camera (front), \(RigCheckTests.isGood)")
  }

  @Test func whatTwoCamerasCannotBothHave_isSaid() throws {
    let found = try lines(
      """
      cameras:
        a: {camera: /dev/video90, control: x.sock}
        b: {camera: /dev/video90, microphone: none, control: x.sock}
        c: {camera: /dev/video91, output: "a_%Y-%m-%d_%H-%M-%S.mov"}
        d: {microphone: none}
      """)
    #expect(
      found.filter { !$0.contains("the film '") } == [
        "rig.yaml:3:15: error: cameras.b.camera: the camera '/dev/video90' is already used by a; choose another one",
        "rig.yaml:3:56: error: cameras.b.control: the control socket "
          + "'\(folder.url.resolvingSymlinksInPath().path)/x.sock' is already used by a; choose another one, or none",
        "rig.yaml:4:3: error: cameras.c: the microphone 'default' is already used by a; set 'microphone: none' or "
          + "choose another one",
        "rig.yaml:5:3: error: cameras.d: a rig of several cameras needs each one's device: camera: /dev/v4l/by-id/… "
          + "('camrec devices' lists them)",
      ])
    #expect(
      found.contains {
        $0.hasPrefix("rig.yaml:4:37: error: cameras.c.output: the film '")
          && $0.hasSuffix("is already used by a; choose another output")
      })
  }

  @Test func twoCamerasHaveNoFileOfMetricsOrStateInCommon() throws {
    let found = try lines(
      """
      cameras:
        a: {camera: sim, metrics: m.prom, state: s.json}
        b: {camera: 'sim:seed=2', metrics: m.prom, state: s.json}
        c: {camera: 'sim:seed=3', state: none}
        d: {camera: 'sim:seed=4', state: none}
      """)
    #expect(found.count == 2, "\(found)")
    #expect(found.contains { $0.contains("error: cameras.b.metrics: the metrics file '") }, "\(found)")
    #expect(found.contains { $0.contains("error: cameras.b.state: the state file '") }, "\(found)")
  }

  @Test func programs_getAnObject() throws {
    let outcome = try check("cameras:\n  a: {camera: sim, fsp: 1}\n  b: {camera: sim}\n", ["--json"])
    #expect(outcome.exitCode == 64)
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.standardOutput.utf8)) as? [String: Any])
    let finding = try #require((object["findings"] as? [[String: Any]])?.first)
    #expect(object["status"] as? Int == 64 && object["file"] as? String == "rig.yaml")
    #expect(
      finding["line"] as? Int == 2 && finding["column"] as? Int == 20 && finding["key"] as? String == "cameras.a.fsp")
    #expect(
      finding["severity"] as? String == "error"
        && finding["message"] as? String == "there is no key 'fsp'; did you mean fps?")
  }

  @Test func relativePaths_areMeantFromTheFilesFolder() throws {
    try FileManager.default.createDirectory(
      at: folder.url.appendingPathComponent("films"), withIntermediateDirectories: false)
    _ = try folder.write("cameras: {a: {camera: sim, output: films/%s.mov}}".utf8, to: "rig.yaml")
    let outcome = try CamrecBinary.find().run(
      ["rig", "check", folder.path("rig.yaml")], in: URL(fileURLWithPath: "/"), timeout: 60)
    #expect(outcome.exitCode == 0, "\(outcome.standardOutput)")
  }

  @Test func fileThatOthersCanWrite_isRefused() throws {
    let path = try folder.write("cameras: {a: {camera: sim}}".utf8, to: "rig.yaml")
    try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: path)
    let outcome = try CamrecBinary.find().run(["rig", "check", path], timeout: 60)
    #expect(outcome.exitCode == 65)
    #expect(
      outcome.standardOutput
        == "\(path): error: '\(path)' can be written by anybody, who could change what camrec does; "
        + "run: chmod go-w '\(path)'\n")
  }

  /// A trace stops no recording: what is wrong with it is a warning, and the rig starts.
  @Test func aTraceIsOnlyWarnedOf() throws {
    let cameras =
      "cameras:\n  front: {camera: sim, exposure-trace: %}\n"
      + "  back: {camera: 'sim:seed=2', exposure-trace: 'b_%H%M%S.trace'}\n"
    func warnings(_ name: String) throws -> [String] {
      let outcome = try check(cameras.replacing("%}", with: "'\(name)'}"))
      #expect(outcome.exitCode == 0, "\(outcome.standardOutput)")
      return outcome.standardOutput.split(separator: "\n").map(String.init).filter { $0.contains("warning: ") }
    }
    #expect(try warnings("f_%H%M%S.trace") == [])
    let fixed = try warnings("t.trace")
    #expect(
      fixed == [
        "rig.yaml:2:24: warning: cameras.front.exposure-trace: each start of the rig begins a new film, but"
          + " this name is always the same, so later traces get a number; put the date and time in it, as in"
          + " 'front_%Y-%m-%d_%H-%M-%S.trace'"
      ])
    let missing = try warnings("gone/f_%H%M%S.trace")
    #expect(
      missing.count == 1 && missing[0].contains("recordings have no exposure trace: cannot write 'gone/f_"),
      "\(missing)")
    let film = try warnings("f_%H%M%S.mov")
    #expect(film.count == 1 && film[0].contains("has an extension that films use, but a trace is text"), "\(film)")
    let shared = try warnings("b_%H%M%S.trace")
    #expect(
      shared.count == 1 && shared[0].contains("is already used by front, so one of them gets a number"), "\(shared)")
  }
}
