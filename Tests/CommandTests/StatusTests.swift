import Foundation
import TestKit
import Testing

/// `camrec status`, and the logs of a recorder that nobody watches.
@Suite struct StatusTests {
  let folder: TemporaryFolder
  let binary: CamrecBinary

  init() throws {
    folder = try TemporaryFolder()
    binary = try CamrecBinary.find()
  }

  private static let film = [
    "--camera", "sim:pace=pulled", "--size", "64x36", "--microphone", "none", "--codec", "ffv1", "--output", "take.mkv",
    "--control",
    "none",
  ]

  private func start(_ arguments: [String], environment: [String: String] = [:]) throws -> RunningCamrec {
    try binary.start(StatusTests.film + arguments, in: folder.url, environment: environment)
  }

  private func status(_ arguments: [String], environment: [String: String] = [:]) throws -> CamrecBinary.Outcome {
    try binary.run(["status"] + arguments, in: folder.url, environment: environment, timeout: 60)
  }

  private func wait(for condition: () throws -> Bool) rethrows {
    for _ in 0..<1500 {
      if try condition() { return }
      usleep(20_000)
    }
  }

  @Test func runningRecorder_isDescribed_andOneThatWasKilled_isGone() throws {
    let running = try start(["--name", "front", "--state", folder.path("s.json")])
    try wait { try status([folder.path("s.json")]).standardOutput.contains("): recording") }
    let well = try status([folder.path("s.json")])
    #expect(well.exitCode == 0, "\(well.standardError)")
    #expect(well.standardOutput.hasPrefix("front (process \(running.processIdentifier)): recording "))
    #expect(well.standardOutput.contains("\n  waiting: "))
    let json = try status(["--json", "s.json"]).standardOutput
    let line = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    #expect(line["health"] as? String == "runs")
    let record = try #require(line["record"] as? [String: Any])
    #expect(record["format"] as? String == "camrec-state" && record["name"] as? String == "front")
    #expect((record["state"] as? [String: Any])?["phase"] as? String == "recording")

    running.send(signal: SIGSTOP)
    try wait { try status(["s.json"]).exitCode == 69 }
    let silent = try status(["s.json"])
    #expect(silent.standardOutput.hasPrefix("front (process \(running.processIdentifier)): has not reported for "))
    running.send(signal: SIGKILL)
    _ = running.wait()
    let gone = try status(["s.json"])
    #expect(gone.exitCode == 69)
    #expect(
      gone.standardOutput.contains("is gone without having reported its end. Last report, at "),
      "\(gone.standardOutput)")
    let both = try status(["s.json", "nobody"]), nobody = try status(["nobody"])
    #expect(both.standardOutput.contains("is gone without having reported its end"))
    #expect(both.standardError == nobody.standardError && both.exitCode == nobody.exitCode)
    #expect(nobody.exitCode != 0 && nobody.standardOutput == "")
  }

  @Test func recorders_areFoundByName_andSayThatTheyEnded() throws {
    let place = ["XDG_RUNTIME_DIR": folder.path("run"), "RUNTIME_DIRECTORY": ""]
    try FileManager.default.createDirectory(atPath: folder.path("run"), withIntermediateDirectories: false)
    let running = try start(["--name", "left"], environment: place)
    try wait { try status(["left"], environment: place).standardOutput.contains("): recording") }
    #expect(try status([], environment: place).standardOutput.hasPrefix("left (process"))
    running.send(signal: SIGTERM)
    #expect(running.wait().exitCode == 0)
    let ended = try status(["left"], environment: place)
    #expect(
      ended.exitCode == 69 && ended.standardOutput.contains("): ended; the last film is ")
        && ended.standardOutput.contains("\n  last report at 20"), "\(ended.standardOutput)")
    let nobody = try status(["right"], environment: place)
    #expect(nobody.exitCode == 69)
    #expect(nobody.standardError.hasPrefix("Error: there is no state file 'right'; "), "\(nobody.standardError)")
  }

  /// The state files of recorders that are gone: a list of them hides those that live.
  @Test func pastRecorders_comeLast_inShort_andAreForgotten() throws {
    let place = ["XDG_RUNTIME_DIR": folder.path("run"), "RUNTIME_DIRECTORY": ""]
    try FileManager.default.createDirectory(atPath: folder.path("run/camrec"), withIntermediateDirectories: true)
    let running = try start(["--name", "zoom"], environment: place)
    try wait { try status(["zoom"], environment: place).standardOutput.contains("): recording") }
    let text = try String(contentsOfFile: folder.path("run/camrec/zoom.state.json"), encoding: .utf8)
    func leave(_ name: String, age: Double) throws {
      let time = "\"time\":\"\(Date(timeIntervalSinceNow: -age).formatted(.iso8601))\""
      var other = text.replacing(try Regex(#""time":"[^"]*""#), with: time)
      other = other.replacing("\"name\":\"zoom\"", with: "\"name\":\"\(name)\"")
      other = other.replacing(try Regex(#""boot":"[^"]*""#), with: "\"boot\":\"another\"")
      _ = try folder.write(other.utf8, to: "run/camrec/\(name).state.json")
    }
    // Heard of last, whoever else has been recording on this machine.
    for number in 0..<20 { try leave("gone\(number)", age: Double(number - 1000)) }
    let old = "old\(ProcessInfo.processInfo.processIdentifier)"
    try leave(old, age: 100_000)
    let told = try status([], environment: place)
    let lines = told.standardOutput.split(separator: "\n").map(String.init)
    #expect(told.exitCode == 69, "some are gone")
    let own = try #require(lines.firstIndex { $0.hasPrefix("zoom (process \(running.processIdentifier)): recording ") })
    let past = lines.filter { $0.hasPrefix("gone") }
    #expect(own < lines.firstIndex { $0.hasPrefix("gone") } ?? 0, "those that live come first: \(lines)")
    #expect(past.count == 10 && past.first?.hasPrefix("gone0 (process ") == true, "\(lines)")
    #expect(past.allSatisfy { $0.contains("): is gone without having reported its end, last report at 20") })
    #expect(lines.last?.contains(" more that no longer run: 'camrec status --all' lists them") == true, "\(lines)")
    let all = try status(["--all", "--json"], environment: place).standardOutput.split(separator: "\n")
    #expect(all.count { $0.contains("/gone") } == 20 && all.contains { $0.contains("/\(old).state.json") })
    // By name, one that runs never.
    let refusal = try status(["--forget", "zoom"], environment: place)
    #expect(refusal.exitCode == 64 && refusal.standardError == "Error: cannot forget a running recorder: zoom\n")
    #expect(try status(["--forget", "gone7"], environment: place).standardOutput.hasPrefix("forgotten: gone7, "))
    let names = (0..<20).filter { $0 != 7 }.map { "gone\($0)" }
    let forgotten = try status(["--forget"] + names, environment: place)
    #expect(forgotten.exitCode == 0 && forgotten.standardOutput.split(separator: "\n").count == 19)
    let line = try status(["--forget", "--json", old], environment: place).standardOutput
    #expect(line.hasPrefix("{") && line.contains("/\(old).state.json") && line.contains(#""health":"gone""#), "\(line)")
    #expect(try status(["--forget", "--json"], environment: place).standardOutput.isEmpty, "nothing to forget")
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path("run/camrec")).sorted()
    #expect(left.last == "zoom.state.json")
    #expect(try !status([], environment: place).standardOutput.contains("\ngone"))
    // One that has reported its end may still wait for its hook, and would write its file again.
    let waiting = text.replacing("\"name\":\"zoom\"", with: "\"name\":\"waits\"")
      .replacing("\"phase\":\"recording\"", with: "\"phase\":\"ended\"")
    _ = try folder.write(waiting.utf8, to: "run/camrec/waits.state.json")
    let waits = try status(["waits"], environment: place).standardOutput
    #expect(waits.contains("): ended") && waits.contains("; its process still runs"), "\(waits)")
    #expect(try status(["--forget", "waits"], environment: place).exitCode == 64)
    #expect(try status(["--forget"], environment: place).standardOutput == "nothing to forget\n")
    running.send(signal: SIGTERM)
    #expect(running.wait().exitCode == 0)
    #expect(try status([], environment: place).standardOutput.contains("): ended, last report at "))
  }

  @Test func filmIsNoStateFile_thatCouldBeForgotten() throws {
    let film = try folder.write("film".utf8, to: "take.mov")
    let outcome = try status(["--forget", film])
    #expect(outcome.exitCode == 65 && FileManager.default.fileExists(atPath: film))
  }

  /// Its name is not that of its socket, which has its process's number.
  @Test func remotes_reachARecorderByItsName() throws {
    let place = ["XDG_RUNTIME_DIR": folder.path("run"), "RUNTIME_DIRECTORY": ""]
    try FileManager.default.createDirectory(atPath: folder.path("run"), withIntermediateDirectories: false)
    func record(_ film: String, _ name: String, _ more: [String] = []) throws -> RunningCamrec {
      try binary.start(
        ["--camera", "sim:pace=pulled", "--size", "64x36", "--microphone", "none", "--codec", "ffv1", "--output", film,
          "--name", name] + more, in: folder.url, environment: place)
    }
    func ctl(_ arguments: String...) throws -> CamrecBinary.Outcome {
      try binary.run(["ctl"] + arguments, in: folder.url, environment: place, timeout: 60)
    }
    let front = try record("front.mkv", "front"), back = try record("back.mkv", "back")
    try wait { try ctl("--name", "front", "state").exitCode == 0 && ctl("--name", "back", "state").exitCode == 0 }
    #expect(try ctl("--name", "front", "state").standardOutput.contains("front.mkv"))
    #expect(try ctl("--name", "back", "state").standardOutput.contains("back.mkv"))
    let nobody = try ctl("--name", "top", "state")
    let sentence = "Error: no running recorder is called 'top'; running: back, front"
    #expect(nobody.standardError.hasPrefix(sentence), "\(nobody.standardError)")
    let away = try record("away.mkv", "away", ["--state", folder.path("away.state.json")])
    try wait { try ctl("--name", "away", "state").exitCode == 0 }
    #expect(try ctl("--name", "away", "quit").standardOutput.contains("away.mkv"))
    #expect(away.wait().exitCode == 0)
    // Two of one name: the state file stays the first one's, and neither is meant.
    let twin = try record("twin.mkv", "front", ["--state", folder.path("run/camrec/twin.state.json")])
    try wait { try ctl("--name", "front", "state").exitCode == 64 }
    #expect(
      try ctl("--name", "front", "state").standardError.hasPrefix(
        "Error: 2 running recorders are called 'front'; choose one with --socket: "))
    let same = try record("same.mkv", "front", ["--frames", "24"]).wait()
    #expect(
      same.exitCode == 0
        && same.standardError.contains(
          "is the state file of a running recorder (process \(front.processIdentifier));"
            + " choose another --name or --state; the recorder continues without it, and tries again every second"),
      "\(same.standardError)")
    #expect(
      try status(["front"], environment: place).standardOutput.contains(
        "front (process \(front.processIdentifier)): recording"))
    for recorder in [front, back, twin] {
      recorder.send(signal: SIGTERM)
      #expect(recorder.wait().exitCode == 0)
    }
  }

  /// What made it impossible is to be found where its state would be.
  @Test func recorderThatCannotStart_leavesTheReason() throws {
    let state = folder.path("s.json"), metrics = folder.path("m.prom")
    let refused = try start(["--name", "front", "--state", state, "--metrics", metrics, "--lut", "no.cube"]).wait()
    #expect(refused.exitCode == 65)
    let told = try status([state])
    #expect(told.exitCode == 69 && told.standardOutput.contains("\n  cannot record: the LUT no.cube does not exist"))
    let text = try String(contentsOfFile: metrics, encoding: .utf8)
    #expect(text.contains("\ncamrec_failed_starts{camera=\"front\"} 1\n"), "\(text)")
    #expect(text.contains("phase=\"ended\"} 1"))
    // Not in the place of one that runs.
    let running = try start(["--name", "front", "--state", state, "--overwrite"])
    try wait { try status([state]).standardOutput.contains("): recording") }
    #expect(try start(["--name", "front", "--state", state, "--lut", "no.cube", "--overwrite"]).wait().exitCode == 65)
    #expect(try status([state]).exitCode == 0)
    running.send(signal: SIGTERM)
    #expect(running.wait().exitCode == 0)
  }

  /// Only a rig starts a recorder again, and counts.
  @Test func startByHandThatFailed_isNotSaidToBeARigs() throws {
    let arguments = ["--name", "front", "--state", folder.path("s.json"), "--lut", "no.cube"]
    #expect(try start(arguments).wait().exitCode == 65)
    let byHand = try status(["s.json"]).standardOutput
    #expect(byHand.contains("\n  cannot record: ") && !byHand.contains("in a row"), "\(byHand)")
    #expect(try start(arguments + ["--failed-starts", "2"]).wait().exitCode == 65)
    let byRig = try status(["s.json"]).standardOutput
    #expect(
      byRig.contains("\n  3 starts in a row failed; while its rig runs, it is started again at least once a minute"),
      "\(byRig)")
  }

  /// There is no film yet, and nothing is said of one.
  @Test func startUnderWay_isCalledThat() throws {
    let path = folder.path("s.json")
    let running = try start(["--name", "front", "--state", path])
    try wait { try status([path]).standardOutput.contains("): recording") }
    let written = try Data(contentsOf: URL(fileURLWithPath: path))
    var record = try #require(try JSONSerialization.jsonObject(with: written) as? [String: Any])
    var state = try #require(record["state"] as? [String: Any])
    state["phase"] = "starting"
    state["film"] = nil
    record["state"] = state
    // However long the machine takes.
    record["uptime"] = 1e9
    _ = try folder.write(try JSONSerialization.data(withJSONObject: record), to: "starting.json")
    let told = try status(["starting.json"]).standardOutput
    #expect(told.hasPrefix("front (process \(running.processIdentifier)): starting\n"), "\(told)")
    running.send(signal: SIGTERM)
    #expect(running.wait().exitCode == 0)
  }

  /// No frame is missing then.
  @Test func lostAudio_isTold() throws {
    _ = try folder.write("xrun 0.5s 20ms\n".utf8, to: "faults.txt")
    let film = [
      "--camera", "sim:pace=pulled,faults=faults.txt", "--microphone", "sim", "--frames", "30", "--name", "front",
      "--state", folder.path("s.json"),
    ]
    #expect(try start(film).wait().exitCode == 3)
    let one = try status(["s.json"]).standardOutput
    #expect(one.contains("written 30, lost 0; 960 samples of audio lost\n"), "\(one)")
    // Of the film, and of all.
    let written = try String(contentsOfFile: folder.path("s.json"), encoding: .utf8)
    let more = written.replacing("\"films\":1", with: "\"films\":2")
    let all = more.replacing("\"soundLost\":960,\"warnings\"", with: "\"soundLost\":961,\"warnings\"")
    _ = try folder.write(all.utf8, to: "two.json")
    let two = try status(["two.json"]).standardOutput
    #expect(two.contains("\n  expected 30, captured 30, written 30, lost 0; 960 samples of audio lost\n"), "\(two)")
    #expect(two.contains("\n  all films: expected 30, captured 30, written 30, lost 0; 961 samples "), "\(two)")
  }

  /// The recorder expected them, the account of no film has lost them, and the numbers of the line add up.
  @Test(arguments: [(1, "1 more was due while none was recorded"), (102, "102 more were due while none was recorded")])
  func framesBetweenFilms_areNoneOfTheLost(frames: Int, sentence: String) throws {
    _ = try folder.write("drop 5 4\n".utf8, to: "faults.txt")
    let film = ["--camera", "sim:pace=pulled,faults=faults.txt", "--frames", "30", "--name", "front"]
    #expect(try start(film + ["--state", folder.path("s.json")]).wait().exitCode == 3)
    let written = try Data(contentsOf: URL(fileURLWithPath: folder.path("s.json")))
    var record = try #require(try JSONSerialization.jsonObject(with: written) as? [String: Any])
    var state = try #require(record["state"] as? [String: Any])
    var ledger = try #require(state["ledger"] as? [String: Any])
    ledger["expected"] = 30 + frames
    ledger["lost"] = ["deviceGap": 4, "between": frames]
    state["ledger"] = ledger
    state["films"] = 2
    record["state"] = state
    _ = try folder.write(try JSONSerialization.data(withJSONObject: record), to: "two.json")
    let told = try status(["two.json"]).standardOutput
    let account = "written 26, lost 4: 4 never came from the camera"
    #expect(told.contains("\n  expected 30, captured 26, \(account)\n"), "\(told)")
    #expect(
      told.contains("\n  all films: expected 30, captured 26, \(account); \(sentence)\n"), "\(told)")
  }

  /// As damage, or another program, may leave them.
  @Test func numbersThatNothingHas_areToldAllTheSame() throws {
    let path = folder.path("s.json")
    let running = try start(["--name", "front", "--state", path])
    try wait { try status([path]).standardOutput.contains("): recording") }
    let sound = try #require(try? String(contentsOfFile: path, encoding: .utf8))
    running.send(signal: SIGTERM)
    #expect(running.wait().exitCode == 0)
    let keys = ["seconds", "bytes", "written", "freeBytes", "secondsLeft", "unsavedSeconds", "lossBound"]
    let values = ["1e300", "-9223372036854775808"]
    for key in keys {
      for value in values {
        var text = sound
        for match in sound.matches(of: try Regex("\"\(key)\":[-0-9.e+]+")).reversed() {
          text.replaceSubrange(match.range, with: "\"\(key)\":\(value)")
        }
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        let told = try status([path])
        #expect(!told.endedBySignal && [0, 65, 69].contains(told.exitCode), "\(key): \(value): \(told.standardError)")
      }
    }
  }

  /// Only where it is more than the start has promised.
  @Test func filmThatIsNotOnTheDisk_isTold() throws {
    let path = folder.path("s.json")
    let running = try start(["--name", "front", "--state", path])
    func text() -> String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }
    wait { text().contains("\"unsavedSeconds\":") && text().contains("\"lossBound\":") }
    let sound = text()
    running.send(signal: SIGTERM)
    #expect(running.wait().exitCode == 0)
    for (unsaved, isTold) in [("2.034", true), ("0.5", false)] {
      let told = sound.replacing(/"unsavedSeconds":[-0-9.e+]+/, with: "\"unsavedSeconds\":\(unsaved)")
        .replacing(/"lossBound":[-0-9.e+]+/, with: "\"lossBound\":0.97")
      try Data(told.utf8).write(to: URL(fileURLWithPath: path))
      let lines = try status([path]).standardOutput
      let line =
        "  2.03 s of film are not on the disk yet; while the encoder and the disk keep up, it is 0.97 s at most"
      #expect(lines.contains("\n\(line)\n") == isTold, "\(lines)")
    }
  }

  @Test func unnamedRecorder_takesItsFileAway() throws {
    let place = ["XDG_RUNTIME_DIR": folder.path("run"), "RUNTIME_DIRECTORY": ""]
    try FileManager.default.createDirectory(atPath: folder.path("run"), withIntermediateDirectories: false)
    let running = try start([], environment: place)
    let title = "sim (process \(running.processIdentifier)): "
    try wait { try status([], environment: place).standardOutput.contains(title) }
    #expect(try status([], environment: place).standardOutput.contains(title))
    running.send(signal: SIGTERM)
    #expect(running.wait().exitCode == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("run/camrec")) == [])
  }

  @Test func stateThatCannotBeWritten_isSaidOnce_andTheFilmIsWhole() throws {
    let running = try start(["--frames", "60", "--state", folder.path("none/s.json")])
    let outcome = running.wait()
    #expect(outcome.exitCode == 0, "\(outcome.standardError)")
    let sentence =
      "'\(folder.path("none/s.json"))' cannot be written (No such file or directory); the recorder continues"
      + " without it, and tries again every second"
    #expect(outcome.standardError.components(separatedBy: sentence).count == 2, "\(outcome.standardError)")
    #expect(outcome.standardError.contains("written 60, lost 0"))
  }

  @Test func filesThatCannotBeWritten_areEvents() throws {
    let state = folder.path("none/s.json"), metrics = folder.path("none/m.prom")
    let outcome = try start(["--frames", "60", "--state", state, "--metrics", metrics, "--json"]).wait()
    #expect(outcome.exitCode == 0, "\(outcome.standardError)")
    let warnings = try Events(outcome).warnings.filter { $0.contains("; the recorder continues without it") }
    #expect(warnings.count == 2 && [state, metrics].allSatisfy { path in warnings.contains { $0.contains(path) } })
  }

  @Test func fileThatIsWrittenAgain_isSaid() throws {
    let metrics = folder.path("none/m.prom")
    let running = try start(["--metrics", metrics])
    func words() -> String { running.outputSoFar().standardError }
    wait { words().contains("; the recorder continues without it, and tries again every second") }
    try FileManager.default.createDirectory(atPath: folder.path("none"), withIntermediateDirectories: false)
    let sentence = "the metrics file '\(metrics)' is written again"
    wait { words().contains(sentence) }
    running.send(signal: SIGTERM)
    #expect(running.wait().standardError.components(separatedBy: sentence).count == 2)
  }

  @Test func log_hasWhatHappens_withFilmFrameAndReason() throws {
    _ = try folder.write("drop 5 2\n".utf8, to: "faults.txt")
    let outcome = try binary.run(
      [
        "--camera", "sim:pace=pulled,faults=faults.txt", "--size", "64x36", "--microphone", "none", "--codec", "ffv1",
        "--output",
        "take.mkv", "--control", "none", "--frames", "30", "--exposure", "locked", "--name", "front", "--log", "json",
        "--state",
        "none",
      ],
      in: folder.url)
    #expect(outcome.exitCode == 3)
    let lines = try outcome.standardError.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any], "\($0)")
    }
    #expect(lines.allSatisfy { ($0["fields"] as? [String: String])?["camera"] == "front" })
    let loss = try #require(lines.first { ($0["fields"] as? [String: String])?["reason"] != nil })
    #expect(loss["level"] as? String == "warning")
    let message = loss["message"] as? String ?? ""
    #expect(message.hasPrefix("2 frames were lost (from frame 5 on): the camera did not deliver; "), "\(message)")
    let fields = try #require(loss["fields"] as? [String: String])
    #expect(fields["reason"] == "deviceGap" && fields["count"] == "2")
    #expect(fields["frame"] == "5" && fields["last-frame"] == "6" && fields["film"]?.hasSuffix("take.mkv") == true)
    let end = try #require(lines.last?["fields"] as? [String: String])
    #expect(end["written"] == "28" && end["lost-deviceGap"] == "2" && end["exit-status"] == "3")
  }

  @Test func log_leavesOutWhatIsBelowItsLevel() throws {
    let outcome = try binary.run(
      StatusTests.film + ["--frames", "5", "--log", "text", "--log-level", "warning", "--state", "none"], in: folder.url
    )
    #expect(outcome.exitCode == 0 && outcome.standardError == "", "\(outcome.standardError)")
    let refused = try binary.run(StatusTests.film + ["--log", "text", "--state", "none"], in: folder.url)
    #expect(refused.exitCode == 74, "it is there already")
    #expect(refused.standardError.contains(" error: '"))
    #expect(refused.standardError.contains(" camera=sim ") && refused.standardError.contains(" code=output"))
  }

  @Test(arguments: ["", ".hidden", "-x", "a/b", "a b", "ü"])
  func nameThatIsNone_isRefused(_ name: String) throws {
    let outcome = try binary.run(StatusTests.film + ["--name", name], in: folder.url)
    #expect(outcome.exitCode == 64)
    #expect(outcome.standardError.contains("a recorder's name has 1 to 64 letters"), "\(outcome.standardError)")
    #expect(try folder.names == [])
  }
}
