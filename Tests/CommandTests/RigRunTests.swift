import Foundation
import TestKit
import Testing

/// A rig of simulated cameras as processes: what happens to one, and to the rig, is nobody else's matter.
@Suite(.serialized) struct RigRunTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let two = """
    defaults: {size: 160x96, fps: 12, codec: ffv1, microphone: none}
    cameras:
      front: {camera: "sim:seed=1"}
      back: {camera: "sim:seed=2", fps: 10}
    """

  /// The films of a camera, by name.
  private func films(_ name: String) throws -> [String] {
    try folder.names.filter { $0.hasPrefix(name + "_") && $0.hasSuffix(".mov") }
  }

  @Test func killedRecording_comesBack_andTheOtherDoesNotNotice() throws {
    let rig = try RunningRig(RigRunTests.two, in: folder)
    rig.awaitRecording("front", "back")
    // Two seconds of film: more than a kill may cost.
    rig.await("front has written") {
      rig.events("front", "progress").contains { (($0["ledger"] as? [String: Any])?["written"] as? Int ?? 0) >= 24 }
    }
    let first = try #require(rig.pid("front")), other = try #require(rig.pid("back"))
    #expect(kill(first, SIGKILL) == 0)
    rig.await("front is back") { rig.events("front", "started").count == 2 }
    #expect(rig.pid("front") != first && rig.pid("back") == other)
    let notes = rig.events("front", "rig").compactMap { $0["message"] as? String }
    #expect(notes.first == "it was ended by signal 9; restarting it in 1 s")
    #expect(notes.dropFirst().allSatisfy { $0.contains("' is recovered: ") }, "\(notes)")
    rig.send(signal: SIGTERM)
    let end = rig.wait()
    #expect(end.exitCode == 3, "what the killed one lost is in no ledger: \(end.standardError)")
    #expect(rig.events("back", "started").count == 1 && rig.events("back", "rig").isEmpty)
    let film = try #require(try films("back").first)
    let sidecar = try String(contentsOfFile: folder.path(film) + ".camrec", encoding: .utf8)
    #expect(sidecar.contains(#"{"setting":"stop","value":"signal SIGTERM","seconds":"#), "the rig's")
    for name in ["front", "back"] {
      let stopped = try #require(rig.events(name, "stopped").last)
      let ledger = try #require(stopped["ledger"] as? [String: Any])
      // A busy machine may lose frames; none is unaccounted for.
      let lost = try #require(ledger["lost"] as? [String: Int]).values.reduce(0, +)
      #expect(try #require(ledger["expected"] as? Int) == (ledger["written"] as? Int ?? 0) + lost)
      #expect(stopped["status"] as? Int == (lost == 0 ? 0 : 3))
    }
    #expect(try films("front").count == 2 && films("back").count == 1)
    for film in try films("front") + films("back") { #expect(RunningRig.isPlayable(folder.path(film)), "\(film)") }
    #expect(end.standardError.contains("front: Error: it was ended by signal 9; restarting it in 1 s\n"))
  }

  @Test func killedRig_leavesNoRecordingBehind_andEveryFilmFinished() throws {
    let rig = try RunningRig(RigRunTests.two, in: folder)
    rig.awaitRecording("front", "back")
    let pids = try ["front", "back"].map { try #require(rig.pid($0)) }
    rig.send(signal: SIGKILL)
    _ = rig.wait()
    rig.await("the recordings end") { pids.allSatisfy { kill($0, 0) != 0 } }
    for film in try films("front") + films("back") {
      // An ordinary film has no fragments; the sidecar has the totals.
      let boxes = try Tool.run(["ffprobe", "-v", "trace", folder.path(film)], acceptsFailure: true)
      #expect(boxes.isEmpty && RunningRig.isPlayable(folder.path(film)))
      let sidecar = try String(contentsOfFile: folder.path(film) + ".camrec", encoding: .utf8)
      #expect(sidecar.split(separator: "\n").last?.contains("\"expected\"") == true, "\(film) was concluded")
      #expect(sidecar.contains(#"{"setting":"stop","value":"end of input","seconds":"#), "\(film) says why")
    }
  }

  @Test func cameraThatFails_isTriedAgain_whileTheOtherRecords() throws {
    _ = try folder.write("vanish 12\n".utf8, to: "faults.txt")
    let rig = try RunningRig(
      """
      defaults: {size: 160x96, fps: 12, codec: ffv1, microphone: none}
      cameras:
        bad: {camera: "sim:faults=faults.txt", on-lost-camera: stop}
        patient: {camera: "sim:seed=3,faults=faults.txt"}
        absent: {camera: /dev/video4711}
        good: {camera: sim}
      """, in: folder)
    rig.awaitRecording("good")
    rig.await("the bad one records again") { rig.events("bad", "started").count >= 2 }
    rig.await("the patient one says so") {
      rig.events("patient", "warning").contains {
        ($0["message"] as? String)?.contains("continues in a new film when it is back") == true
      }
    }
    #expect(
      rig.events("patient", "process").count == 1 && rig.events("patient", "rig").isEmpty,
      "its recording waits by itself")
    rig.await("the absent one was tried twice") { rig.events("absent", "process").count >= 2 }
    #expect(rig.words.contains("absent: Error: it ended with status 69; restarting it in 1 s"), "\(rig.words)")
    rig.send(signal: SIGINT)
    let end = rig.wait()
    #expect([0, 3].contains(rig.events("good", "stopped").last?["status"] as? Int), "\(end.standardError)")
    // Frames are missing; one that is just being opened when it ends has failed.
    #expect([3, 69].contains(end.exitCode), "\(end.standardError)")
  }

  /// A disk that is mounted late, a LUT that is copied, a program that is installed: each camera waits for its own.
  @Test func missingFolderLUTAndHook_keepNobodyElseFromRecording_andMayComeLater() throws {
    let rig = try RunningRig(
      """
      defaults: {size: 160x96, fps: 12, codec: ffv1, microphone: none}
      cameras:
        good: {camera: sim}
        late: {camera: "sim:seed=2", output: "media/late_%Y-%m-%d_%H-%M-%S.mov"}
        graded: {camera: "sim:seed=3", lut: look.cube}
        hooked: {camera: "sim:seed=4", hook: [./upload]}
      """, in: folder)
    rig.awaitRecording("good")
    for (name, status) in [("late", 74), ("graded", 65), ("hooked", 65)] {
      // The third start comes after the second one's report.
      rig.await("\(name) was tried twice") { rig.events(name, "process").count >= 3 }
      #expect(rig.words.contains("\(name): Error: it ended with status \(status); restarting it in 1 s"))
      let told = try rig.status(name)
      #expect(told.exitCode == 69 && told.standardOutput.contains("\n  cannot record: "), "\(told.standardOutput)")
      #expect(told.standardOutput.contains(" starts in a row failed; while its rig runs, it is started again"))
    }
    let hook = try folder.write("#!/bin/sh\n".utf8, to: "upload")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: hook)
    try FileManager.default.createDirectory(atPath: folder.path("media"), withIntermediateDirectories: false)
    let table = (0..<8).map { "\($0 & 1) \($0 >> 1 & 1) \($0 >> 2)" }.joined(separator: "\n")
    _ = try folder.write("LUT_3D_SIZE 2\n\(table)\n".utf8, to: "look.cube")
    rig.awaitRecording("late", "graded", "hooked")
    #expect(try rig.status("late").standardOutput.contains("): recording "))
    rig.send(signal: SIGTERM)
    #expect(rig.wait().exitCode == 3, "they had recorded nothing for a while")
    #expect(rig.events("good", "process").count == 1 && rig.events("good", "rig").isEmpty)
  }

  /// A control socket is no reason not to record.
  @Test func whatIsInTheSocketsPlace_isSaid_andTheCameraRecords() throws {
    _ = try folder.write("nobody's".utf8, to: "front.sock")
    let rig = try RunningRig(
      "cameras: {front: {camera: sim, size: 160x96, fps: 12, codec: ffv1, microphone: none, control: front.sock}}",
      in: folder)
    rig.awaitRecording("front")
    let sentence =
      "'front.sock' exists and is not a socket; choose another path for --control, or set --control none; "
      + "the recorder continues"
    rig.await("it is said") {
      rig.events("front", "warning").contains { ($0["message"] as? String)?.hasPrefix(sentence) == true }
    }
    #expect(try rig.status("front").exitCode == 0)
    try FileManager.default.removeItem(atPath: folder.path("front.sock"))
    rig.await("it is there") { (try? rig.ctl("--socket", folder.path("front.sock"), "state").exitCode) == 0 }
    rig.send(signal: SIGTERM)
    #expect([0, 3].contains(rig.wait().exitCode))
  }

  @Test func recordingAtItsLimit_isNotStartedAgain() throws {
    let rig = try RunningRig(
      """
      defaults: {duration: 1s, size: 160x96, microphone: none, codec: ffv1}
      cameras:
        one: {camera: sim}
        other: {camera: sim, output: "other_%s.mov"}
      """, in: folder)
    let end = rig.wait()
    #expect([0, 3].contains(end.exitCode), "\(end.standardError)")
    for name in ["one", "other"] {
      #expect(rig.events(name, "process").count == 1, "what has reached its limit is not started again")
      #expect(rig.events(name, "rig").first?["message"] as? String == "it finished by itself and is not restarted")
    }
  }

  /// They are in no film's ledger, and a person reads no events.
  @Test func framesDueBetweenTwoFilms_areSaidToPeople() throws {
    let script = try folder.write("vanish 12 300ms\n".utf8, to: "faults")
    let camera = "camera: 'sim:faults=\(script)', size: 160x96, fps: 12, codec: ffv1, microphone: none, duration: 2s"
    _ = try folder.write("cameras: {front: {\(camera)}}\n".utf8, to: "rig.yaml")
    let environment = [
      "XDG_RUNTIME_DIR": folder.url.path, "XDG_STATE_HOME": folder.path("state"), "RUNTIME_DIRECTORY": "",
      "STATE_DIRECTORY": "",
    ]
    let rig = try CamrecBinary.find().run(["rig", "rig.yaml"], in: folder.url, environment: environment, timeout: 120)
    let due = /front: .*\.mov has ended: .*; [0-9]+ frames were due between the previous film and this one\n/
    #expect(rig.standardError.contains(due), "\(rig)")
  }

  /// As the recorder alone and the log have it.
  @Test func errorOfARecorder_isOneInTheRig() throws {
    let camera = "camera: sim, output: take_%s.mov, size: 160x96, fps: 12, codec: ffv1, microphone: none"
    _ = try folder.write("cameras: {front: {\(camera)}}\n".utf8, to: "rig.yaml")
    let environment = [
      "XDG_RUNTIME_DIR": folder.url.path, "XDG_STATE_HOME": folder.path("state"), "RUNTIME_DIRECTORY": "",
      "STATE_DIRECTORY": "",
    ]
    let rig = try CamrecBinary.find().start(["rig", "rig.yaml"], in: folder.url, environment: environment)
    var words: String { rig.outputSoFar().standardError }
    func wait(_ what: String, until condition: () throws -> Bool) throws {
      for _ in 0..<6000 {
        if try condition() { return }
        usleep(20_000)
      }
      Issue.record("waited in vain until \(what): \(words)")
    }
    func isFilm(_ name: String) -> Bool { name.hasPrefix("take_") && name.hasSuffix(".mov") }
    try wait("there is a film") { try folder.names.contains(where: isFilm) }
    let film = try #require(try folder.names.first(where: isFilm))
    try wait("the film grows") {
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.path(film))
      return attributes[.size] as? Int ?? 0 > 2000
    }
    #expect(unlink(folder.path(film)) == 0)
    try wait("its rest is saved") { words.contains("saved what was recorded of '\(film)'") }
    rig.send(signal: SIGTERM)
    let end = rig.wait(timeout: 120)
    #expect(end.exitCode == 3, "\(end)")
    let sentence = "'\(film)' was deleted or replaced by another file while it was being recorded"
    #expect(end.standardError.contains("front: Error: \(sentence)"), "\(end)")
    #expect(end.standardError.contains("front: Warning: saved what was recorded of '\(film)'"), "\(end)")
  }

  @Test func remotes_reachACameraByItsName() throws {
    let rig = try RunningRig(RigRunTests.two, in: folder)
    rig.awaitRecording("front", "back")
    let state = try rig.ctl("--name", "back", "--json", "state")
    #expect(state.exitCode == 0 && state.standardOutput.contains(#""frameRate":"10""#), "\(state.standardError)")
    let nobody = try rig.ctl("--name", "top", "state")
    #expect(
      nobody.exitCode == 69
        && nobody.standardError.hasPrefix(
          "Error: no running recorder is called 'top'; running: back, front"))
    #expect(try rig.ctl("--name", "front", "quit").exitCode == 0)
    rig.await("front has ended") { !rig.events("front", "stopped").isEmpty }
    rig.send(signal: SIGTERM)
    #expect([0, 3].contains(rig.wait().exitCode))
    #expect(rig.events("front", "process").count == 1, "who was told to quit is not started again")
  }

  /// The state file is in its usual place and says where the socket is.
  @Test func remotes_reachACameraByItsName_whoseSocketIsElsewhere() throws {
    try FileManager.default.createDirectory(atPath: folder.path("own"), withIntermediateDirectories: false)
    let rig = try RunningRig("sockets: own\n" + RigRunTests.two, in: folder)
    rig.awaitRecording("front", "back")
    rig.await("its state is told") { (try? rig.status("back").exitCode) == 0 }
    rig.await("it is reached") { (try? rig.ctl("--name", "back", "state").exitCode) == 0 }
    #expect(FileManager.default.fileExists(atPath: folder.path("own/back.sock")))
    rig.send(signal: SIGTERM)
    #expect([0, 3].contains(rig.wait().exitCode))
  }

  @Test func whatACrashHasLeft_isRecoveredAtTheStart() throws {
    let file = "cameras: {front: {camera: sim, size: 160x96, fps: 12, codec: ffv1, microphone: none}}"
    let first = try RunningRig(file, in: folder)
    first.await("front has written") {
      first.events("front", "progress").contains { (($0["ledger"] as? [String: Any])?["written"] as? Int ?? 0) >= 24 }
    }
    // As a power cut: both at once, the rig first, so that it starts nothing again.
    let pid = try #require(first.pid("front"))
    first.send(signal: SIGSTOP)
    #expect(kill(pid, SIGKILL) == 0)
    first.send(signal: SIGKILL)
    _ = first.wait()
    let film = try #require(try films("front").first)
    // A finished film of somebody else, which begins with another name, is none of its business.
    _ = try folder.write([0, 0, 0, 8], to: "other.mov")
    let second = try RunningRig(file, in: folder, arguments: ["--log", "text"])
    second.awaitRecording("front")
    second.send(signal: SIGTERM)
    let end = second.wait()
    let line = end.standardError.split(separator: "\n").first { $0.contains("'./\(film)' is recovered: ") }
    #expect(line?.contains(" camera=front film=\(film)") == true, "\(end.standardError)")
    #expect(!end.standardError.contains("other.mov") && RunningRig.isPlayable(folder.path(film)))
    let check = try CamrecBinary.find().run(["recover", "--check", folder.path(film)], timeout: 60)
    #expect(check.exitCode == 0 && check.standardOutput.contains("is finished"), "\(check.standardOutput)")
  }

  @Test func whatARecordingLeavesThatCrashes_isRecoveredBesideTheNext() throws {
    let rig = try RunningRig(
      "cameras: {front: {camera: sim, size: 160x96, fps: 12, codec: ffv1, microphone: none}}", in: folder)
    rig.await("front has written") {
      rig.events("front", "progress").contains { (($0["ledger"] as? [String: Any])?["written"] as? Int ?? 0) >= 24 }
    }
    let film = try #require(try films("front").first)
    #expect(kill(try #require(rig.pid("front")), SIGKILL) == 0)
    rig.await("it is recovered") { rig.words.contains("'./\(film)' is recovered: ") }
    rig.await("it records again") { rig.events("front", "started").count == 2 }
    rig.send(signal: SIGTERM)
    #expect(rig.wait().exitCode == 3 && RunningRig.isPlayable(folder.path(film)))
    #expect(!rig.words.contains("right now"), "what is being recorded is passed over: \(rig.words)")
  }

  /// A recorder that only waits has nothing else to tell.
  @Test func recorderThatWaits_saysThatItLives() throws {
    let script = try folder.write("vanish 6\n".utf8, to: "faults")
    let rig = try RunningRig(
      "cameras: {front: {camera: 'sim:faults=\(script)', size: 160x96, fps: 12, codec: ffv1, microphone: none}}",
      in: folder)
    rig.await("it lives while its camera is away") {
      rig.events("front", "alive").contains { $0["phase"] as? String == "waiting" }
    }
    rig.send(signal: SIGTERM)
    _ = rig.wait()
  }

  @Test func fileWithErrors_startsNothing() throws {
    let rig = try RunningRig("cameras: {a: {camera: sim, fps: 0}}", in: folder)
    let end = rig.wait()
    #expect(end.exitCode == 64 && rig.events().map { $0["event"] as? String } == ["rig"], "\(end.standardOutput)")
    #expect(
      end.standardError.hasPrefix("rig.yaml:1:33: error: cameras.a.fps: a frame rate is greater than 0"),
      "\(end.standardError)")
    #expect(try folder.names == ["rig.yaml"])
  }

  @Test func runningAsRoot_isSaid() throws {
    let rig = try RunningRig(
      "cameras: {a: {camera: sim, frames: 2, size: 160x96, microphone: none, codec: ffv1}}", in: folder)
    let end = rig.wait()
    #expect(end.exitCode == 0)
    #expect(end.standardError.contains("Warning: camrec runs as root") == (geteuid() == 0))
  }
}
