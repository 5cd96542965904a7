import Foundation
import TestKit
import Testing

/// How far long work has come, as a terminal, a pipe and a program are told.
///
/// The work is a bake that is held where it has made its film, with a few of the clip's frames on the way, or
/// photographs of which one is held: no machine is fast or slow enough to be elsewhere.
@Suite struct WorkProgressTests {
  private let camrec: CamrecBinary
  private let folder: TemporaryFolder
  private let gate: FileGate
  /// More than there is room for in front of the film.
  private static let frames = 200
  private static let bake = ["bake", "clip.mkv", "--output", "out.mov"]

  init() throws {
    camrec = try CamrecBinary.find()
    folder = try TemporaryFolder()
    gate = try FileGate(path: folder.path("gate"))
    let clip = try camrec.run(
      [
        "--camera", "sim:pace=pulled", "--size", "64x48", "--fps", "25", "--frames", "\(Self.frames)",
        "--codec", "ffv1", "--microphone", "none", "--no-sidecar", "--output", "clip.mkv",
      ], in: folder.url)
    try #require(clip.exitCode == 0, "\(clip.standardError)")
  }

  @Test func aTerminalHasALine() throws {
    let terminal = try PseudoTerminal()
    let process = try start(Self.bake, on: terminal, gate)
    try gate.awaitSomebody()
    let shown = terminal.screen(until: " of \(Self.frames) frames (")
    #expect(shown.contains("baking: ") && shown.hasSuffix(" of \(Self.frames) frames ("), "\(shown)")
    gate.open()
    // Somebody has to read what comes.
    _ = terminal.screen(until: "out.mov: \(Self.frames) frames")
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  /// One of three is written, and the next one is held.
  @Test func aTerminalHasALineOfPhotographs() throws {
    for name in ["a.png", "b.png", "c.png"] {
      try Tool.run(
        ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=64x48", "-frames:v", "1", folder.path(name)])
    }
    let terminal = try PseudoTerminal()
    let gate = try FileGate(path: folder.path("photo-gate"), call: .mode, ofFile: "/out/.b.png")
    let apply = ["look", "apply", LookFiles.portra, "a.png", "b.png", "c.png", "--output", "out", "--jobs", "1"]
    let process = try start(apply, on: terminal, gate)
    try gate.awaitSomebody()
    let line = "applying: 1 of 3 photographs (33 %)"
    let shown = terminal.screen(until: line)
    #expect(shown.hasSuffix(line), "\(shown)")
    gate.open()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  /// Every ten seconds.
  @Test func aPipeHasALineNowAndThen() throws {
    let running = try start(Self.bake, progress: "")
    try gate.awaitSomebody()
    for _ in 0..<6000 where !running.outputSoFar().standardError.contains("baking: ") { usleep(10_000) }
    gate.open()
    let outcome = running.wait()
    #expect(outcome.exitCode == 0 && !outcome.standardError.contains("\u{1B}"), "\(outcome.standardError)")
    let line = try #require(outcome.standardError.split(separator: "\n").first { $0.hasPrefix("baking: ") })
    #expect(line.contains(" of \(Self.frames) frames ("), "\(line)")
  }

  @Test(arguments: ["none", ""]) func nobodyIsToldWhoDoesNotWantIt(progress: String) throws {
    let running = try start(Self.bake, progress: progress)
    try gate.awaitSomebody()
    let tasks = "/proc/\(running.processIdentifier)/task"
    let tells = try FileManager.default.contentsOfDirectory(atPath: tasks).contains {
      (try? String(contentsOfFile: "\(tasks)/\($0)/comm", encoding: .utf8)) == "camrec-progress\n"
    }
    #expect(tells == (progress != "none"))
    gate.open()
    #expect(running.wait().exitCode == 0)
  }

  @Test func aProgramHasItInItsEvents() throws {
    let running = try start(Self.bake + ["--json"], progress: "")
    try gate.awaitSomebody()
    for _ in 0..<6000 where !running.outputSoFar().standardOutput.contains("\"progress\"") { usleep(10_000) }
    gate.open()
    let outcome = running.wait()
    #expect(outcome.exitCode == 0, "\(outcome.standardError)")
    let told = try Events(outcome).all.filter { $0["event"] as? String == "progress" }
    #expect(!told.isEmpty)
    for event in told {
      #expect(event["total"] as? Int == Self.frames)
      let percent = try #require(event["percent"] as? Double), seconds = event["seconds"] as? Double ?? -1
      #expect(abs(percent - seconds * 25 * 100 / Double(Self.frames)) < 0.01, "\(event)")
      #expect(event["isFinishing"] as? Bool == true || event["secondsLeft"] as? Double ?? -1 > 0, "\(event)")
    }
  }

  private func start(_ arguments: [String], on terminal: PseudoTerminal, _ gate: FileGate) throws -> Process {
    let process = Process()
    process.executableURL = camrec.url
    process.arguments = arguments
    process.currentDirectoryURL = folder.url
    process.environment = ProcessInfo.processInfo.environment.merging(["TERM": "xterm", "CAMREC_PROGRESS": ""]) { $1 }
      .merging(try gate.environment()) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle(fileDescriptor: terminal.terminal)
    try process.run()
    return process
  }

  private func start(_ arguments: [String], progress: String) throws -> RunningCamrec {
    let environment = try gate.environment().merging(["CAMREC_PROGRESS": progress]) { $1 }
    return try camrec.start(arguments, in: folder.url, environment: environment)
  }
}
