import Foundation
import TestKit
import Testing

/// Settings that are changed at run time, and the next start.
@Suite(.serialized) struct SettingsTests {
  let folder: TemporaryFolder
  let binary: CamrecBinary

  init() throws {
    folder = try TemporaryFolder()
    binary = try CamrecBinary.find()
  }

  private var socket: String { folder.path("c.sock") }
  private var file: String { folder.path("kept/front.json") }

  /// Records with more options, has `commands` performed, and ends.
  ///
  /// - Returns: the state before the first command, and what was said.
  private func record(_ options: [String] = [], _ commands: [[String]] = []) throws -> (
    state: [String: Any], words: String
  ) {
    let recorder = try binary.start(
      [
        "--camera", "sim", "--size", "160x96", "--fps", "12", "--microphone", "none", "--codec", "ffv1", "--output",
        "\(UUID().uuidString).mkv", "--control", socket, "--settings", file,
      ] + options, in: folder.url)
    for _ in 0..<3000 where !recorder.outputSoFar().standardError.contains("recording to") { usleep(20_000) }
    let state = try ctl("state")
    for command in commands {
      let outcome = try binary.run(["ctl", "--socket", socket] + command, timeout: 60)
      #expect(outcome.exitCode == 0, "\(command): \(outcome.standardError)")
    }
    recorder.send(signal: SIGINT)
    let outcome = recorder.wait()
    #expect([0, 3].contains(outcome.exitCode), "\(outcome.standardError)")
    return (state, outcome.standardError)
  }

  private func ctl(_ command: String...) throws -> [String: Any] {
    let outcome = try binary.run(["ctl", "--socket", socket, "--json"] + command, timeout: 60)
    #expect(outcome.exitCode == 0, "\(outcome.standardError)")
    return try #require(try JSONSerialization.jsonObject(with: Data(outcome.standardOutput.utf8)) as? [String: Any])
  }

  private func exposure(_ state: [String: Any]) -> [String: Any] { state["exposure"] as? [String: Any] ?? [:] }

  @Test func whatWasSet_holdsAtTheNextStart() throws {
    let first = try record(
      [],
      [["ev", "+1/3"], ["angle", "172.8"], ["metering", "average"], ["white-balance", "3200K"], ["rate", "10"]])
    #expect(exposure(first.state)["bias"] as? Double == 0)
    let second = try record()
    #expect(exposure(second.state)["bias"] as? Double == 341.0 / 1024)
    #expect(exposure(second.state)["metering"] as? String == "average")
    #expect(abs((exposure(second.state)["shutterAngle"] as? Double ?? 0) - 172.8) < 1e-9, "\(second.state)")
    #expect(second.state["whiteBalance"] as? String == "3200")
    #expect((second.state["source"] as? [String: Any])?["frameRate"] as? String == "10")
    // A busy disk may be warned of.
    let warnings = second.words.split(separator: "\n").filter { $0.hasPrefix("Warning: ") }
    #expect(warnings.allSatisfy { $0.hasPrefix("Warning: the disk of ") }, "\(second.words)")
  }

  @Test func whatTheFileSaysSince_counts() throws {
    _ = try record(["--ev", "1"], [["ev", "2"], ["metering", "highlight"]])
    let changed = try record(["--ev", "-1"])
    #expect(exposure(changed.state)["bias"] as? Double == -1, "whoever wrote -1 has changed his mind since")
    #expect(exposure(changed.state)["metering"] as? String == "highlight", "of that nobody has said anything else")
    #expect(
      changed.words.contains("Warning: ev is now -1 instead of 1, so the saved 2 is dropped\n"),
      "\(changed.words)")
    let same = try record(["--ev", "1"])
    #expect(exposure(same.state)["bias"] as? Double == 1, "what is dropped stays dropped")
    #expect(exposure(same.state)["metering"] as? String == "highlight")
  }

  @Test func whatIsSetBack_isNoSettingAnyMore() throws {
    _ = try record([], [["ev", "1"]])
    #expect(FileManager.default.fileExists(atPath: file))
    _ = try record([], [["ev", "0"]])
    #expect(!FileManager.default.fileExists(atPath: file))
  }

  @Test func modeAndItsISO_comeBackTogether() throws {
    _ = try record([], [["mode", "manual"], ["iso", "800"]])
    let second = try record()
    #expect(
      exposure(second.state)["mode"] as? String == "manual" && exposure(second.state)["iso"] as? Double == 800,
      "\(second.state)")
  }

  @Test func whatTheModeDoesNotUse_comesBackWithAnother() throws {
    _ = try record([], [["ev", "1"], ["mode", "manual"]])
    let second = try record([], [["mode", "shutter-priority"]])
    #expect(
      exposure(second.state)["mode"] as? String == "manual" && exposure(second.state)["bias"] as? Double == 1,
      "\(second.state)")
    #expect(!second.words.contains("cannot restore"), "\(second.words)")
    #expect(exposure(try record().state)["bias"] as? Double == 1)
  }

  @Test func angleOfALock_comesBackWithIt() throws {
    _ = try record([], [["angle", "90"], ["mode", "locked"]])
    let second = exposure(try record().state)
    #expect(second["mode"] as? String == "locked" && second["shutterAngle"] as? Double == 90, "\(second)")
    #expect(abs((second["exposureTime"] as? Double ?? 0) - 1.0 / 48) < 1e-6, "\(second)")
  }

  @Test func savedSettingsThatCount_areNamedAtTheStart() throws {
    let first = try record([], [["mode", "auto"]])
    #expect(!first.words.contains("starts with saved settings"), "\(first.words)")
    let sentence =
      "camrec starts with saved settings: exposure is auto instead of shutter-priority; 'camrec ctl forget' deletes"
    for options in [["--exposure", "shutter-priority"], []] {
      let next = try record(options)
      #expect(exposure(next.state)["mode"] as? String == "auto" && next.words.contains(sentence), "\(next.words)")
    }
  }

  @Test func forgotten_isForgotten() throws {
    let words = try record([], [["ev", "1"], ["white-balance", "3200K"], ["forget"]]).words
    #expect(!FileManager.default.fileExists(atPath: file), "\(words)")
    #expect(exposure(try record().state)["bias"] as? Double == 0)
  }

  @Test func fileIsForItsOwnUser_andReplacedAsAWhole() throws {
    _ = try record([], [["ev", "1"]])
    func mode(_ path: String) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
    let folderMode = try #require(try mode(folder.path("kept"))), fileMode = try #require(try mode(file))
    #expect(
      folderMode & 0o027 == 0 && fileMode & 0o137 == 0, "\(String(folderMode, radix: 8)) \(String(fileMode, radix: 8))")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("kept")) == ["front.json"])
  }

  @Test func fileThatOthersCanWrite_orThatIsDamaged_isLeftAsideWithAWarning() throws {
    _ = try record([], [["ev", "1"]])
    try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: file)
    let open = try record()
    #expect(exposure(open.state)["bias"] as? Double == 0)
    #expect(
      open.words.contains(
        "Warning: cannot restore the saved settings: '\(file)' can be written by anybody"), "\(open.words)"
    )
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file)
    try Data("{\"version\":1,".utf8).write(to: URL(fileURLWithPath: file))
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file)
    #expect(
      try record().words.contains(
        "'\(file)' is not a settings file that this camrec can read; name another, or delete it"))
  }

  @Test func withoutAFile_nothingIsForgotten() throws {
    let recorder = try binary.start(
      [
        "--camera", "sim", "--size", "160x96", "--microphone", "none", "--codec", "ffv1", "--output", "a.mkv",
        "--control", socket,
      ],
      in: folder.url)
    for _ in 0..<3000 where !recorder.outputSoFar().standardError.contains("recording to") { usleep(20_000) }
    let refused = try binary.run(["ctl", "--socket", socket, "forget"], timeout: 60)
    #expect(refused.exitCode == 64)
    #expect(
      refused.standardError
        == "Error: no settings are kept for the next start: this recorder runs without --settings\n")
    recorder.send(signal: SIGINT)
    _ = recorder.wait()
  }

  @Test func rigKeepsEachCamerasSettings_andTheCheckTells() throws {
    let text =
      "settings: kept\ncameras:\n  front: {camera: sim, size: 160x96, fps: 12, codec: ffv1, microphone: none}\n"
    let rig = try RunningRig(text, in: folder)
    rig.awaitRecording("front")
    // The one camera needs no name, unless somebody else's recorder lies in root's folder.
    let unnamed = try rig.ctl("ev", "1")
    if unnamed.exitCode != 0 {
      #expect(unnamed.standardError.contains("recorders are running; choose one with --name NAME or --socket PATH: "))
      #expect(try rig.ctl("--name", "front", "ev", "1").exitCode == 0)
    }
    let pid = try #require(rig.pid("front"))
    #expect(kill(pid, SIGKILL) == 0)
    rig.awaitRecording("front", films: 2)
    #expect(
      try rig.ctl("--name", "front", "--json", "state").standardOutput.contains(#""bias":1,"#), "it survives a crash")
    rig.send(signal: SIGTERM)
    _ = rig.wait()
    let check = try binary.run(["rig", "check", "rig.yaml"], in: folder.url, timeout: 60)
    #expect(check.exitCode == 0)
    #expect(
      check.standardOutput.hasPrefix(
        "rig.yaml:3:3: note: cameras.front: ev will be 1, as set at run time; the file says 0 "
          + "('camrec ctl --name front forget' undoes that)\n"), "\(check.standardOutput)")
  }
}
