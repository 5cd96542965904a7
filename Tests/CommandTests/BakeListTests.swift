import Foundation
import TestKit
import Testing

/// Several clips in one go.
@Suite(.serialized) struct BakeListTests {
  private let camrec: CamrecBinary
  private let folder: TemporaryFolder

  init() throws {
    camrec = try CamrecBinary.find()
    folder = try TemporaryFolder()
  }

  private func run(_ words: String) throws -> CamrecBinary.Outcome {
    try camrec.run(words.split(separator: " ").map(String.init), in: folder.url)
  }

  /// Stops a list while somebody waits at the gate, and opens it.
  private func interrupted(_ running: RunningCamrec, _ gate: FileGate) -> CamrecBinary.Outcome {
    running.send(signal: SIGINT)
    running.awaitRest()
    running.children.forEach(running.awaitRest(of:))
    gate.open()
    return running.wait(timeout: 60)
  }

  private func clip(_ name: String, frames: Int) throws {
    try Tool.run([
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=64x36:rate=24", "-frames:v", "\(frames)", "-c:v",
      "ffv1", "-pix_fmt", "yuv420p", "-color_trc", "bt709", "-colorspace", "bt709", folder.path(name),
    ])
  }

  @Test func eachClipAndAllOfThemAreSaid() throws {
    try clip("a.mkv", frames: 132)
    try clip("b.mkv", frames: 1)
    _ = try folder.write("no clip".utf8, to: "c.mkv")
    _ = try folder.write("a.mkv\nb.mkv\nc.mkv\n".utf8, to: "list")
    let outcome = try run("bake --list list --results results --output graded/cold/{clip}.mov")
    #expect(outcome.exitCode == 65, "\(outcome)")
    let lines = outcome.standardOutput.split(separator: "\n")
    #expect(lines.count == 3 && lines[0] == "1/3  baked  a.mov: 132 frames, 5.5 s", "\(lines)")
    #expect(lines[1] == "2/3  baked  b.mov: 1 frame, 0.0 s", "\(lines)")
    #expect(lines[2].hasPrefix("3/3  error  \(folder.path("c.mkv")) is not a readable clip: "), "\(lines)")
    #expect(outcome.standardError == "3 clips: 2 baked, 1 failed\n", "\(outcome.standardError)")
    #expect(FileManager.default.fileExists(atPath: folder.path("graded/cold/a.mov")))
    let again = try run("bake --list list --results results --output graded/cold/{clip}.mov")
    #expect(again.standardOutput.hasPrefix("1/3  there  a.mov: 132 frames, 5.5 s\n"), "\(again.standardOutput)")
    #expect(again.standardError == "3 clips: 2 were there already, 1 failed\n", "\(again.standardError)")
  }

  /// As of a single clip, also when it is there already.
  @Test func coloursThatAreGuessedAreSaid() throws {
    try clip("a.mkv", frames: 2)
    try Tool.run([
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=64x36:rate=24", "-frames:v", "2", "-c:v", "ffv1",
      "-pix_fmt", "yuv420p", folder.path("b.mkv"),
    ])
    let words = "bake a.mkv b.mkv --codec ffv1 --results results --output out"
    for verdict in ["baked", "there"] {
      let outcome = try run(words)
      #expect(outcome.exitCode == 0, "\(outcome)")
      #expect(
        outcome.standardOutput == "1/2  \(verdict)  a.mov: 2 frames, 0.1 s\n"
          + "2/2  \(verdict)  b.mov: 2 frames, 0.1 s, taken for rec601 (a guess)\n")
    }
    let clips = try Events(run(words + " --json")).all.filter { $0["event"] as? String == "clip" }
    #expect(clips.map { $0["isColorInGuessed"] as? Bool } == [false, true])
    #expect(clips.map { $0["colorIn"] as? String } == ["rec709", "rec601"])
    #expect(try run(words + " --overwrite --color-in rec601").standardOutput.contains("guess") == false)
  }

  @Test func whatTheRecordingsHadLostIsSaid() throws {
    _ = try folder.write("drop 6 2\n".utf8, to: "faults")
    let sim = "--camera sim:pace=pulled,faults=faults --size 64x36 --fps 24 --frames 24 --microphone none"
    #expect(try run("\(sim) --output a.mov").exitCode == 3)
    try clip("b.mkv", frames: 2)
    let words = "bake a.mov b.mkv --codec ffv1 --results results --output out/{clip}.mkv"
    for verdict in ["baked", "there"] {
      let outcome = try run(words)
      #expect(
        outcome.standardOutput == "1/2  \(verdict)  a.mkv: 22 frames, 1.0 s, 2 frames lost before the bake\n"
          + "2/2  \(verdict)  b.mkv: 2 frames, 0.1 s\n", "\(outcome)")
    }
    let clips = try Events(run(words + " --json")).all.filter { $0["event"] as? String == "clip" }
    #expect(clips.map { $0["lostBefore"] as? Int } == [2, nil] && clips.map { $0["lost"] as? Int } == [0, 0])
    // Nothing is carried over to a hash recording, or from a clip without a sidecar: the clip's times tell.
    let hashed = try run("bake a.mov b.mkv --output out/{clip}.framemd5").standardOutput
    #expect(hashed.hasPrefix("1/2  baked  a.framemd5: 22 frames, 1.0 s, 2 frames missing from the clip\n"), "\(hashed)")
    try FileManager.default.removeItem(atPath: folder.path("a.mov.camrec"))
    let filled = "bake a.mov b.mkv --codec ffv1 --results results --fill-gaps --output out/{clip}_f.mkv"
    for verdict in ["baked", "there"] {
      let told = try run(filled).standardOutput
      #expect(
        told.hasPrefix("1/2  \(verdict)  a_f.mkv: 24 frames, 1.0 s, 2 frames missing from the clip\n"), "\(told)")
    }
    let events = try Events(run(filled + " --json")).all.filter { $0["event"] as? String == "clip" }
    #expect(events.map { $0["missing"] as? Int } == [2, nil] && events.allSatisfy { $0["lostBefore"] == nil })
  }

  /// Written otherwise, the same is told: nothing is baked again.
  @Test func theResultsAreOfWhatWasTold() throws {
    try clip("a.mkv", frames: 2)
    try clip("b.mkv", frames: 2)
    let first = try run("bake a.mkv b.mkv --codec ffv1 --results results -o out --workers 1")
    #expect(first.standardError == "2 clips: 2 baked\n", "\(first)")
    let again = try run("bake --workers=1 --jobs 2 --output=out --codec=ffv1 --results results -- a.mkv b.mkv")
    #expect(again.exitCode == 0 && again.standardError == "2 clips: 2 were there already\n", "\(again)")
    let other = try run("bake a.mkv b.mkv --codec prores --results results -o out")
    #expect(other.exitCode == 0 && other.standardError.hasPrefix("2 clips: 2 baked"), "\(other)")
  }

  /// Its outcome is there, but it is no film.
  @Test func aClipThatFailedIsTriedAgain() throws {
    try clip("a.mkv", frames: 2)
    _ = try folder.write("a.mkv\n".utf8, to: "list")
    try FileManager.default.createDirectory(atPath: folder.path("out"), withIntermediateDirectories: false)
    _ = try folder.write("mine".utf8, to: "out/a.mov")
    let words = "bake --list list --output out/{clip}.mov --results results"
    #expect(try run(words).exitCode == 74)
    try FileManager.default.removeItem(atPath: folder.path("out/a.mov"))
    let again = try run(words)
    #expect(again.exitCode == 0 && again.standardError == "1 clip: 1 baked\n", "\(again)")
  }

  /// A refusal with other options says nothing of a film that is there and whole.
  @Test func aRefusalLeavesWhatWasKept() throws {
    try clip("a.mkv", frames: 2)
    _ = try folder.write("a.mkv\n".utf8, to: "list")
    let words = "bake --list list --output out/{clip}.mov --results results"
    #expect(try run(words).exitCode == 0)
    try FileManager.default.moveItem(atPath: folder.path("out/a.mov"), toPath: folder.path("kept.mov"))
    _ = try folder.write("mine".utf8, to: "out/a.mov")
    let other = try run(words + " --quality 30")
    #expect(other.exitCode == 74 && other.standardOutput.contains("exists already"), "\(other)")
    #expect(try String(contentsOfFile: folder.path("out/a.mov"), encoding: .utf8) == "mine")
    try FileManager.default.removeItem(atPath: folder.path("out/a.mov"))
    try FileManager.default.moveItem(atPath: folder.path("kept.mov"), toPath: folder.path("out/a.mov"))
    let again = try run(words)
    #expect(again.exitCode == 0 && again.standardError == "1 clip: 1 was there already\n", "\(again)")
  }

  /// The list's own films are baked again when the clip or the options have changed.
  @Test func whatHasChangedIsBakedAgain() throws {
    try clip("a.mkv", frames: 2)
    _ = try folder.write("a.mkv\n".utf8, to: "list")
    let words = "bake --list list --output out/{clip}.mov --results results"
    #expect(try run(words).exitCode == 0)
    let prores = try run(words + " --codec prores")
    #expect(prores.exitCode == 0 && prores.standardError.hasPrefix("1 clip: 1 baked"), "\(prores)")
    #expect(try Probe(folder.path("out/a.mov")).video["codec_name"] as? String == "prores")
    try FileManager.default.removeItem(atPath: folder.path("a.mkv"))
    try clip("a.mkv", frames: 3)
    let longer = try run(words)
    #expect(longer.exitCode == 0 && longer.standardOutput.hasPrefix("1/1  baked  a.mov: 3 frames"), "\(longer)")
    let again = try run(words)
    #expect(again.exitCode == 0 && again.standardError == "1 clip: 1 was there already\n", "\(again)")
  }

  /// A clip's colours may come from there.
  @Test func aSidecarIsPartOfTheInputs() throws {
    let recorded = try run(
      "--camera sim:pace=pulled --size 64x48 --frames 3 --microphone none --color-in slog3 --output log.mov")
    #expect(recorded.exitCode == 0, "\(recorded)")
    try clip("b.mkv", frames: 2)
    let words = "bake log.mov b.mkv --results results --output out"
    #expect(try run(words).standardError.hasPrefix("2 clips: 2 baked"))
    #expect(try run(words).standardError.hasPrefix("2 clips: 2 were there already"))
    try FileManager.default.removeItem(atPath: folder.path("log.mov.camrec"))
    let other = try run(words)
    #expect(other.exitCode == 0 && other.standardError.hasPrefix("2 clips: 1 baked, 1 was there already"), "\(other)")
    #expect(other.standardOutput.contains(", taken for rec709 (a guess)"), "\(other)")
  }

  /// The look's file, its table and the seed of its grain.
  @Test func whatALookIsMadeOfIsPartOfTheInputs() throws {
    try clip("a.mkv", frames: 2)
    _ = try folder.write("a.mkv\n".utf8, to: "list")
    try LookFiles.writeOwn(to: folder)
    func bake(_ more: String = "") throws -> String {
      let outcome = try run("bake --list list --output out/{clip}.mov --results results --look own.yaml" + more)
      #expect(outcome.exitCode == 0, "\(outcome)")
      return outcome.standardError
    }
    let (baked, wasThere) = ("1 clip: 1 baked\n", "1 clip: 1 was there already\n")
    #expect(try bake() == baked)
    #expect(try Probe(folder.path("out/a.mov")).tags["look"] == "own, version 1")
    #expect(try bake() == wasThere)
    #expect(try bake(" --grain-seed 2") == baked)
    #expect(try Probe(folder.path("out/a.mov")).tags["grain_seed"] == "2")
    let table = try FileHandle(forWritingTo: folder.url.appendingPathComponent("own.cube"))
    _ = try table.seekToEnd()
    try table.write(contentsOf: Data("# another\n".utf8))
    try table.close()
    #expect(try bake() == baked)
    try LookFiles.writeOwn(to: folder, [("intensity: 0.04", "intensity: 0.05")])
    #expect(try bake() == baked)
    #expect(try bake() == wasThere)
  }

  /// Blanks belong to a name, unless only the file without them is there.
  @Test func aLineIsAPath() throws {
    for name in ["a", "b"] { try clip("\(name).mkv", frames: 2) }
    try FileManager.default.moveItem(atPath: folder.path("a.mkv"), toPath: folder.path("a.mkv "))
    _ = try folder.write("# two clips\r\na.mkv \r\n\r\n  b.mkv\t\n".utf8, to: "list")
    let outcome = try run("bake --list list --output out/{clip}.mov")
    #expect(outcome.exitCode == 0 && outcome.standardError.hasSuffix("2 clips: 2 baked\n"), "\(outcome)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("out")).sorted() == ["a.mov", "b.mov"])
  }

  /// Losses and warnings are the film's, whoever made it.
  @Test func lossesOfFilmsThatWereThereAreCounted() throws {
    try clip("a.mkv", frames: 2)
    try Tool.run([
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=64x36:rate=24", "-frames:v", "48", "-c:v", "png",
      folder.path("b.mov"),
    ])
    var bytes = try Data(contentsOf: folder.url.appendingPathComponent("b.mov"))
    let half = try #require(bytes.range(of: Data("IDAT".utf8), in: (bytes.count / 2)..<bytes.count))
    for index in half.upperBound..<(half.upperBound + 64) { bytes[index] ^= 0x5A }
    _ = try folder.write(bytes, to: "b.mov")
    let words = "bake a.mkv b.mov --output out --results results"
    #expect(try run(words).exitCode == 3)
    let again = try run(words)
    #expect(again.exitCode == 3, "\(again)")
    #expect(again.standardError == "2 clips: 2 were there already, 1 with lost frames, 1 with warnings\n", "\(again)")
    let stopped = try Events(run(words + " --json")).stopped
    #expect(["wereThere", "withLosses", "warned"].map { stopped[$0] as? Int } == [2, 1, 1], "\(stopped)")
  }

  /// Its status is that of losses, but no frame that it has is lost.
  @Test func aClipThatIsCutOff_hasNoLostFrames() throws {
    for name in ["a.mkv", "b.mkv"] { try clip(name, frames: 48) }
    let whole = try Data(contentsOf: folder.url.appendingPathComponent("b.mkv"))
    _ = try folder.write(whole.prefix(whole.count / 2), to: "b.mkv")
    let outcome = try run("bake a.mkv b.mkv --output out --json")
    #expect(outcome.exitCode == 3, "\(outcome)")
    let events = try Events(outcome)
    #expect(events.all[1]["lost"] as? Int == 0 && events.all[1]["status"] as? Int == 3, "\(outcome)")
    #expect(["withLosses", "warned"].map { events.stopped[$0] as? Int } == [0, 1], "\(events.stopped)")
    let again = try run("bake a.mkv b.mkv --output again")
    let lines = again.standardOutput
    #expect(lines.contains("  baked  b.mov: ") && !lines.contains("  lost "), "its line says the same: \(again)")
    #expect(again.standardError.hasSuffix("2 clips: 2 baked, 1 with warnings\n"), "\(again)")
  }

  /// A clip may be called as a value of an option is.
  @Test func aClipWithTheNameOfAValue() throws {
    try clip("prores.mkv", frames: 2)
    try clip("b.mkv", frames: 2)
    try FileManager.default.moveItem(atPath: folder.path("prores.mkv"), toPath: folder.path("prores"))
    let outcome = try run("bake prores b.mkv --output out --codec prores")
    #expect(outcome.exitCode == 0, "\(outcome)")
    for film in ["out/prores.mov", "out/b.mov"] {
      #expect(try Probe(folder.path(film)).video["codec_name"] as? String == "prores")
    }
  }

  @Test func programsReadEvents() throws {
    try clip("a.mkv", frames: 24)
    let outcome = try run("bake a.mkv none.mkv --output out --json")
    #expect(outcome.exitCode == 65 && outcome.standardError.isEmpty, "\(outcome)")
    let events = try Events(outcome)
    #expect(events.kinds == ["clip", "clip", "stopped"])
    #expect(events.all[0]["frames"] as? Int == 24 && events.all[0]["seconds"] as? Double == 1)
    #expect(events.all[1]["status"] as? Int == 65 && (events.all[1]["error"] as? String)?.contains("none.mkv") == true)
    let stopped = events.stopped
    #expect(["clips", "baked", "failed", "status"].map { stopped[$0] as? Int } == [2, 1, 1, 65], "\(stopped)")
  }

  private func long(seconds: Int = 10) throws {
    try Tool.run([
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=24:duration=\(seconds)", "-c:v",
      "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", folder.path("long.mp4"),
    ])
  }

  private func packets(_ film: String) throws -> Int {
    let told = try Tool.run([
      "ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "packet=pts_time", "-of", "csv=p=0",
      folder.path(film),
    ])
    return String(decoding: told, as: UTF8.self).split(separator: "\n").count
  }

  /// A file-size limit stands for a full disk. What is kept is the list's: the next run makes it whole.
  @Test func aFullDiskLeavesPartialFilms_ifTheyAreAskedFor() throws {
    try long()
    try clip("short.mkv", frames: 2)
    let words = "bake long.mp4 short.mkv --codec prores --results results --output out"
    let shell = CamrecBinary(url: URL(fileURLWithPath: "/bin/sh"))
    func bake(_ more: String) throws -> CamrecBinary.Outcome {
      let command = "ulimit -f 6000; exec '\(camrec.url.path)' \(words) \(more)"
      return try shell.run(["-c", command], in: folder.url, timeout: 60)
    }
    let without = try bake("")
    #expect(without.exitCode == 74, "\(without)")
    let line = try #require(without.standardOutput.split(separator: "\n").first)
    let discarded = try #require(line.firstMatch(of: /\. (\d+) frames were discarded$/), "\(without)")
    #expect(try #require(Int(discarded.1)) >= 48, "\(without)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("out")) == ["short.mov"])
    let kept = try bake("--keep-partial --json")
    #expect(kept.exitCode == 74, "\(kept)")
    let events = try Events(kept)
    let film = try #require(events.all.first { $0["output"] as? String == folder.path("out/long.mov") }, "\(kept)")
    #expect(film["isPartial"] as? Bool == true && film["planned"] as? Int == 240, "\(kept)")
    #expect(try film["frames"] as? Int == packets("out/long.mov") && film["discarded"] == nil, "\(kept)")
    #expect(["partial", "failed", "wereThere"].map { events.stopped[$0] as? Int } == [1, 1, 1], "\(kept)")
    // As its error advises; another film of that name would stay.
    #expect(try run("recover out/long.mov").exitCode == 0)
    let partial = try Data(contentsOf: folder.url.appendingPathComponent("out/long.mov"))
    _ = try folder.write("another film".utf8, to: "out/long.mov")
    let refused = try run(words)
    #expect(refused.exitCode == 74 && refused.standardOutput.contains("exists already"), "\(refused)")
    _ = try folder.write(partial, to: "out/long.mov")
    let again = try run(words)
    #expect(again.exitCode == 0 && again.standardError == "2 clips: 1 baked, 1 was there already\n", "\(again)")
    #expect(try Probe(folder.path("out/long.mov")).video["nb_frames"] as? String == "240")
  }

  /// Somebody stops the list while its first clip is baked.
  @Test func aListThatIsStoppedLeavesPartialFilms_ifTheyAreAskedFor() throws {
    try long()
    try clip("short.mkv", frames: 2)
    let words = "bake long.mp4 short.mkv --results results --output out"
    let gate = try FileGate(path: folder.path("gate"), ofFile: ".part-")
    let running = try camrec.start(
      (words + " --keep-partial").split(separator: " ").map(String.init), in: folder.url,
      environment: try gate.environment())
    try gate.awaitSomebody()
    let outcome = interrupted(running, gate)
    #expect(outcome.exitCode == 130, "\(outcome)")
    let lines = outcome.standardOutput.split(separator: "\n").map(String.init)
    #expect(
      lines.first == "1/2  stopped  \(folder.path("long.mp4")): it was stopped before its end", "\(outcome)")
    let film = folder.path("out/long.mov")
    let partial = "    Warning: \(film) is a partial film: the bake was stopped after "
    #expect(lines.contains { $0.hasPrefix(partial) && $0.hasSuffix(" of 240 frames") }, "\(outcome)")
    #expect(
      outcome.standardError.hasSuffix(
        "2 clips: 1 with warnings, 1 left a partial film, 1 was stopped, 1 was not begun\n"), "\(outcome)")
    #expect(try Probe(film).video["codec_name"] as? String == "hevc")
    let again = try run(words)
    #expect(again.exitCode == 0 && again.standardError == "2 clips: 2 baked\n", "\(again)")
  }

  /// A clip whose last frame was read before is not stopped any more.
  @Test func aListThatIsStoppedKeepsCompleteFilms() throws {
    try clip("a.mkv", frames: 3)
    try clip("b.mkv", frames: 3)
    let gate = try FileGate(path: folder.path("gate"), ofFile: ".part-")
    let running = try camrec.start(
      ["bake", "a.mkv", "b.mkv", "--results", "results", "--output", "out"], in: folder.url,
      environment: try gate.environment())
    try gate.awaitSomebody()
    running.children.forEach(running.awaitRest(of:))
    let outcome = interrupted(running, gate)
    #expect(outcome.exitCode == 130, "\(outcome)")
    #expect(outcome.standardError.hasSuffix("2 clips: 1 baked, 1 was not begun\n"), "\(outcome)")
    #expect(try packets("out/a.mov") == 3)
  }

  /// Whoever is killed leaves bakes behind that end by themselves, and take away what they have made.
  @Test func bakesEndWithTheirList() throws {
    try long(seconds: 300)
    try clip("short.mkv", frames: 2)
    func parts() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: folder.path("out")).filter { $0.contains(".part-") }
    }
    for signals in [[SIGKILL], [SIGTERM], [SIGTERM, SIGTERM]] {
      try FileManager.default.createDirectory(atPath: folder.path("out"), withIntermediateDirectories: true)
      let running = try camrec.start(
        ["bake", "long.mp4", "short.mkv", "--overwrite", "--output", "out"], in: folder.url)
      for _ in 0..<2400 where try parts().isEmpty { usleep(25_000) }
      #expect(try parts().count == 1)
      for signal in signals {
        running.send(signal: signal)
        usleep(200_000)
      }
      let outcome = running.wait(timeout: 60)
      #expect(outcome.exitCode == (signals[0] == SIGKILL ? SIGKILL : 130), "\(outcome)")
      if signals == [SIGTERM] {
        let line = outcome.standardOutput
        #expect(
          line.hasPrefix("1/2  stopped  ")
            && line.contains(/long\.mp4: it was stopped before its end(\. \d+ frames? (was|were) discarded)?\n$/),
          "\(line)")
        #expect(outcome.standardError.hasSuffix("2 clips: 1 was stopped, 1 was not begun\n"), "\(outcome)")
      }
      for _ in 0..<2400 where try !parts().isEmpty { usleep(25_000) }
      #expect(try parts().isEmpty && !FileManager.default.fileExists(atPath: folder.path("out/long.mov")))
    }
  }
}
