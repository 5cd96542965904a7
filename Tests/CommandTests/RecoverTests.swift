import Foundation
import TestKit
import Testing

/// `camrec recover` on what SIGKILL leaves.
@Suite(.serialized) struct RecoverTests {
  private let camrec: CamrecBinary
  private let folder: TemporaryFolder

  init() throws {
    camrec = try CamrecBinary.find()
    folder = try TemporaryFolder()
  }

  private func run(_ line: String) throws -> CamrecBinary.Outcome {
    try camrec.run(line.split(separator: " ").map(String.init), in: folder.url)
  }

  /// Leaves a film of some seconds that was killed.
  private func killed() throws {
    let running = try camrec.start(
      [
        "--camera", "sim", "--size", "160x90", "--timecode", "10:00:00:00", "--rotation", "90", "--output", "take.mov",
        "--json",
      ],
      in: folder.url)
    while running.outputSoFar().standardOutput.firstMatch(of: /"frames":[4-9]\d/) == nil { usleep(50_000) }
    let busy = try run("recover take.mov")
    #expect(busy.exitCode == 74 && busy.standardError.contains("is being recorded or recovered right now"))
    running.send(signal: SIGKILL)
    _ = running.wait(timeout: 60)
  }

  /// What a bake has left that was killed is found where it lies, and goes; somebody's own file of such a name stays.
  @Test func whatAKilledBakeHasLeftIsFound() throws {
    let name = ".x.mov.part-6BA7B810-9DAD-11D1-80B4-00C04FD430C8.mov"
    _ = try folder.write("left".utf8, to: name)
    _ = try folder.write("mine".utf8, to: ".y.mov.part-1.mov")
    let check = try run("recover --check --json .")
    #expect(check.exitCode == 4 && check.standardOutput.contains(#""verdict":"leftover""#), "\(check)")
    #expect(try folder.names.contains(name))
    let outcome = try run("recover .")
    #expect(
      outcome.exitCode == 0
        && outcome.standardOutput
          == "'./\(name)' was left by a bake that was killed, and is now removed; bake its clip again\n",
      "\(outcome)")
    #expect(try folder.names == [".y.mov.part-1.mov"])
    let nothing = try run("recover --check --json .")
    #expect(nothing.exitCode == 0 && nothing.standardOutput.contains(#""verdict":"nothing""#), "\(nothing)")
  }

  /// Named itself it is what it is in its folder, and `verify` says the same.
  @Test func whatAKilledBakeHasLeftIsNamedItself() throws {
    let name = ".x.mov.part-6BA7B810-9DAD-11D1-80B4-00C04FD430C8.mov"
    let type = FilmBytes.box("ftyp", Array("qt  ".utf8) + FilmBytes.word(0) + Array("qt  ".utf8))
    _ = try folder.write(type + FilmBytes.box("mdat", [UInt8](repeating: 0, count: 64)), to: name)
    let verdict = try run("verify \(name)")
    #expect(
      verdict.exitCode == 5 && verdict.standardOutput.contains("an unfinished bake left it: bake the clip again"),
      "\(verdict)")
    #expect(!verdict.standardOutput.contains("a camrec film"), "\(verdict)")
    let check = try run("recover --check \(name)")
    #expect(
      check.exitCode == 4
        && check.standardOutput
          == "'\(name)' was left by a bake that was killed; recovering removes it. Bake its clip again\n",
      "\(check)")
    let outcome = try run("recover \(name)")
    #expect(outcome.exitCode == 0 && outcome.standardOutput.contains("is now removed"), "\(outcome)")
    #expect(try folder.names.isEmpty)
    #expect(try run("recover \(name)").standardError == "Error: '\(name)' does not exist; check the path\n")
  }

  @Test func aKilledFilmBecomesAnOrdinaryOne() throws {
    try killed()
    let check = try run("recover --check take.mov")
    #expect(
      check.exitCode == 4 && check.standardOutput.hasPrefix("'take.mov' can be recovered: "), "\(check.standardOutput)")
    let before = try Probe(folder.path("take.mov"))
    let lostBefore = try soundLost()
    let outcome = try run("recover --json .")
    #expect(outcome.exitCode == 0 && outcome.standardError == "", "\(outcome.standardError)")
    let told = try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.standardOutput.utf8)) as? [String: Any])
    #expect(told["format"] as? String == "camrec-recover" && told["version"] as? Int == 1)
    #expect(told["verdict"] as? String == "recovered")
    let frames = try #require(told["frames"] as? Int), missing = try #require(told["missing"] as? Int)
    // A busy machine's encoder may be too slow.
    let unwritten = try #require(told["unwritten"] as? Int), absent = missing + unwritten
    let film = try Probe(folder.path("take.mov"))
    #expect(film.video["nb_frames"] as? String == "\(frames)" && frames >= 12)
    #expect(film.timecode == "10:00:00:00" && film.rotation == before.rotation && film.colors == before.colors)
    #expect(film.tags == before.tags && film.audio["codec_name"] as? String == "pcm_s16le")
    let info = try run("info take.mov")
    #expect(
      info.standardOutput.contains(
        ": \(frames) frames in the film, \(missing) listed frame\(missing == 1 ? "" : "s") missing"))
    #expect(!info.standardError.contains("has no end"))
    let json = try run("info --json take.mov")
    let object = try #require(try JSONSerialization.jsonObject(with: Data(json.standardOutput.utf8)) as? [String: Any])
    #expect((object["recovered"] as? [String: Any])?["missing"] as? Int == missing)
    #expect((object["recovered"] as? [String: Any])?["unwritten"] as? Int == unwritten)
    #expect(object["frames"] as? Int == frames + missing)
    // The audio that is missing is lost, whether or not the film is recovered.
    let missingSamples = try #require(told["missingSamples"] as? Int)
    #expect((object["recovered"] as? [String: Any])?["missingSamples"] as? Int == missingSamples)
    #expect(try soundLost() == lostBefore && lostBefore >= missingSamples)
    let samples = try #require(told["soundSamples"] as? Int), due = try audioDue()
    #expect(missingSamples <= max(0, due - samples) && samples + lostBefore >= due, "\(samples) of \(due)")
    #expect(
      missingSamples == 0 || info.standardOutput.contains(" lost when the film was cut off or damaged\n")
        || info.standardOutput.contains(" of them when the film was cut off or damaged\n"), "\(info)")
    let help = try run("info --help").standardOutput
    #expect(object.keys.filter { !help.contains($0) } == [], "the help names every member")
    // The two lines agree.
    let lost = try #require(object["lost"] as? [String: Int]).values.reduce(absent, +)
    #expect(info.standardOutput.contains("frames: written \(frames), lost \(lost)"), "\(info)")
    let cut = "\(absent) when the film was cut off or damaged\n"
    #expect(absent == 0 || info.standardOutput.contains(cut), "\(info)")
    let again = try run("recover take.mov.camrec")
    #expect(again.exitCode == 0 && again.standardOutput == "'take.mov' is finished; there is nothing to recover\n")
    #expect(try run("recover .").standardOutput == "'.' holds nothing to recover\n")
  }

  /// Samples of each channel that `info` counts as lost.
  private func soundLost() throws -> Int {
    let told = try run("info --json take.mov").standardOutput
    let object = try JSONSerialization.jsonObject(with: Data(told.utf8)) as? [String: Any]
    return try #require(object?["soundLost"] as? Int)
  }

  /// Samples of each channel that belong to the frames in the sidecar.
  private func audioDue() throws -> Int {
    let sidecar = try String(contentsOfFile: folder.path("take.mov.camrec"), encoding: .utf8)
    let records = sidecar.split(separator: "\n").compactMap { line in
      try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    }
    let frame = try #require(records.last { $0["frame"] != nil && $0["lost"] == nil })
    let index = try #require(frame["frame"] as? Int), ticks = frame["ticks"] as? Int ?? index * 1000
    // Of frames behind it, the last one may be lost.
    let lost = records.compactMap { record in
      record["lost"] == nil ? nil : (record["frame"] as? Int).map { $0 + (record["count"] as? Int ?? 0) }
    }
    return (ticks + max(1, (lost.max() ?? 0) - index) * 1000) * 2
  }

  /// The last marker was set shortly before the recorder was killed.
  @Test func aMarkerBehindTheFilmsEnd_isToldOf() throws {
    try killed()
    let sidecar = try Data(contentsOf: folder.url.appendingPathComponent("take.mov.camrec"))
    for (late, told) in [
      ([100.0], "1 marker stays in its sidecar: the film has no chapters; it is behind the film's end"),
      ([0.0, 100], "2 markers stay in its sidecar: the film has no chapters; 1 of them is behind the film's end"),
      ([0.0], "1 marker stays in its sidecar: the film has no chapters"),
    ] {
      let markers = late.map { "\n{\"marker\":\"take\",\"seconds\":\($0)}\n" }.joined()
      _ = try folder.write(sidecar + Data(markers.utf8), to: "take.mov.camrec")
      let check = try run("recover --check take.mov")
      #expect(check.exitCode == 4 && check.standardOutput.hasSuffix("; \(told)\n"), "\(check)")
    }
    let info = try run("info take.mov").standardOutput
    #expect(info.contains("  take\n") && !info.contains("behind the film's end"), "\(info)")
  }

  /// NFS without lockd, some FUSE: `flock` tells nobody who records.
  @Test func whereThereAreNoLocks_aFilmThatIsRecordedStays() throws {
    let lockless = try FaultyFiles.environment(lacking: "locks").merging(["XDG_RUNTIME_DIR": folder.url.path]) { $1 }
    let running = try camrec.start(
      ["--camera", "sim", "--size", "160x90", "--output", "take.mov", "--json"], in: folder.url,
      environment: lockless)
    while running.outputSoFar().standardOutput.firstMatch(of: /"frames":[4-9]\d/) == nil { usleep(50_000) }
    let named = try camrec.run(["recover", "take.mov"], in: folder.url, environment: lockless)
    // On another computer nobody sees the recorder's state file.
    let elsewhere = lockless.merging(["XDG_RUNTIME_DIR": folder.path("elsewhere")]) { $1 }
    let unnamed = try camrec.run(["recover", "take.mov"], in: folder.url, environment: elsewhere)
    running.send(signal: SIGTERM)
    let end = running.wait(timeout: 60)
    #expect(named.exitCode == 74, "\(named)")
    #expect(named.standardError.contains("is being recorded or recovered right now"), "\(named)")
    #expect(unnamed.exitCode == 74, "\(unnamed)")
    #expect(
      unnamed.standardError.contains("was not recovered: its file system has no locks, and it has changed within 10"),
      "\(unnamed)")
    #expect([0, 3].contains(end.exitCode), "\(end)")
    _ = try Probe(folder.path("take.mov"))
    #expect(try run("recover take.mov").standardOutput == "'take.mov' is finished; there is nothing to recover\n")
  }

  @Test func whereThereAreNoLocks_forceRecoversAtOnce() throws {
    try killed()
    let outcome = try camrec.run(
      ["recover", "--force", "take.mov"], in: folder.url, environment: try FaultyFiles.environment(lacking: "locks"))
    #expect(outcome.exitCode == 0 && outcome.standardOutput.hasPrefix("'take.mov' is recovered: "), "\(outcome)")
  }

  /// Each file system gives a name as it can, and none replaces a file for it.
  @Test func aNewFileReplacesNothing_howeverItsFileSystemNamesFiles() throws {
    try killed()
    for (place, lacking) in [["noreplace"], ["locks"]].enumerated() {
      let environment = try FaultyFiles.environment(lacking: lacking[0])
      let made = try camrec.run(
        ["recover", "--output", "new-\(place).mov", "take.mov"], in: folder.url, environment: environment)
      #expect(made.exitCode == 0, "\(made)")
      _ = try Probe(folder.path("new-\(place).mov"))
    }
    let neither = try FaultyFiles.environment(lacking: "noreplace", "links")
    let refused = try camrec.run(["recover", "--output", "b.mov", "take.mov"], in: folder.url, environment: neither)
    #expect(refused.exitCode == 74, "\(refused)")
    #expect(
      refused.standardError.contains("'b.mov' was not created: its file system cannot rename a file without replacing"),
      "\(refused)")
    #expect(try !folder.names.contains { $0.hasPrefix("b.mov") || $0.hasSuffix(".part") })
  }

  /// As a power cut leaves one that had just begun.
  @Test func aFoldersEmptyFilmIsNamed() throws {
    _ = try folder.write([], to: "take-2.mov")
    _ = try folder.write(#"{"camrec-sidecar":1,"film":"take-2.mov"}"#.utf8, to: "take-2.mov.camrec")
    let outcome = try run("recover .")
    #expect(outcome.exitCode == 0 && outcome.standardError == "", "\(outcome.standardError)")
    let sentence = "take-2.mov' has no frame yet: it is empty; there is nothing to recover\n"
    #expect(outcome.standardOutput.hasSuffix(sentence), "\(outcome)")
    let check = try run("recover --check --json .")
    #expect(check.exitCode == 0 && check.standardOutput.contains(#""verdict":"empty""#), "\(check)")
    #expect(try run("recover take-2.mov").standardError == "Error: '\(sentence)")
    #expect(try folder.names == ["take-2.mov", "take-2.mov.camrec"])
  }

  @Test func argumentsThatDoNotFitAreRefused() throws {
    let none = try run("recover none.mov")
    #expect(
      none.exitCode == 65 && none.standardError == "Error: 'none.mov' does not exist; check the path\n",
      "\(none.standardError)")
    #expect(try run("recover --output a.mov b.mov c.mov").exitCode == 64)
    #expect(try run("recover --output a.mkv b.mov").exitCode == 64)
    #expect(try run("recover --output a.mov .").exitCode == 64)
    #expect(try run("recover").exitCode == 64)
  }
}
