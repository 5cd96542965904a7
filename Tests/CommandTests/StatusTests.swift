import Foundation
import Testing
import TestSupport

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
    try binary.run(["status"] + arguments, in: folder.url, environment: environment, timeout: 20)
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
    #expect(silent.standardOutput.hasPrefix("front (process \(running.processIdentifier)): has not said for "))
    running.send(signal: SIGKILL)
    _ = running.wait()
    let gone = try status(["s.json"])
    #expect(gone.exitCode == 69)
    #expect(gone.standardOutput.contains("is gone and did not say that it ended. Last, at "), "\(gone.standardOutput)")
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
      ended.exitCode == 69 && ended.standardOutput.contains("): ended; the last film is "), "\(ended.standardOutput)")
    let nobody = try status(["right"], environment: place)
    #expect(nobody.exitCode == 69)
    #expect(nobody.standardError.hasPrefix("Error: there is no state file 'right'; "), "\(nobody.standardError)")
  }

  /// As damage, or another program, may leave them.
  @Test func numbersThatNothingHas_areToldAllTheSame() throws {
    let path = folder.path("s.json")
    let running = try start(["--name", "front", "--state", path])
    try wait { try status([path]).standardOutput.contains("): recording") }
    let sound = try #require(try? String(contentsOfFile: path, encoding: .utf8))
    running.send(signal: SIGTERM)
    #expect(running.wait().exitCode == 0)
    let keys = ["seconds", "bytes", "written", "freeBytes", "secondsLeft"]
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

  @Test func unnamedRecorder_takesItsFileAway() throws {
    let place = ["XDG_RUNTIME_DIR": folder.path("run"), "RUNTIME_DIRECTORY": ""]
    try FileManager.default.createDirectory(atPath: folder.path("run"), withIntermediateDirectories: false)
    let running = try start(["--frames", "30"], environment: place)
    try wait { try status([], environment: place).exitCode == 0 }
    #expect(try status([], environment: place).standardOutput.hasPrefix("sim (process"))
    #expect(running.wait().exitCode == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("run/camrec")) == [])
  }

  @Test func stateThatCannotBeWritten_isSaidOnce_andTheFilmIsWhole() throws {
    let running = try start(["--frames", "60", "--state", folder.path("none/s.json")])
    let outcome = running.wait()
    #expect(outcome.exitCode == 0, "\(outcome.standardError)")
    let sentence =
      "'\(folder.path("none/s.json"))' cannot be written (No such file or directory); the recording goes on"
    #expect(outcome.standardError.components(separatedBy: sentence).count == 2, "\(outcome.standardError)")
    #expect(outcome.standardError.contains("written 60, lost 0"))
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
    #expect(loss["message"] as? String == "lost 2 frames: never came from the camera")
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
