import Foundation
import Synchronization
import TestKit
import Testing

/// A recorder whose terminal is held, or whose log pipe nobody empties, goes on as if somebody read it.
@Suite struct BlockedOutputTests {
  enum Blocked: String, CaseIterable { case error, output, terminal }

  /// A camrec that writes to what nobody reads.
  final class Held {
    let process = Process()
    let pipe: FullPipe
    let terminal: PseudoTerminal
    let folder: TemporaryFolder
    private let ended = DispatchSemaphore(value: 0)

    init(_ blocked: Blocked, _ arguments: [String], in folder: TemporaryFolder) throws {
      (pipe, terminal, self.folder) = (try FullPipe(), try PseudoTerminal(), folder)
      tcflow(terminal.terminal, TCOOFF)
      process.executableURL = try CamrecBinary.find().url
      process.arguments = arguments
      process.currentDirectoryURL = folder.url
      process.standardInput = FileHandle.nullDevice
      let stuck = FileHandle(fileDescriptor: blocked == .terminal ? terminal.terminal : pipe.writing)
      process.standardError = blocked == .output ? FileHandle.nullDevice : stuck
      process.standardOutput = blocked == .output ? stuck : FileHandle.nullDevice
      var environment = ProcessInfo.processInfo.environment
      environment.merge(
        ["XDG_RUNTIME_DIR": folder.path("run"), "XDG_STATE_HOME": folder.path("state"), "RUNTIME_DIRECTORY": "",
          "STATE_DIRECTORY": "", "TERM": "xterm"]) { $1 }
      process.environment = environment
      process.terminationHandler = { [ended] _ in ended.signal() }
      try process.run()
    }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    func ends(within seconds: Double) -> Bool { ended.wait(timeout: .now() + seconds) == .success }

    func ctl(_ words: String..., timeout: Double = 60) throws -> CamrecBinary.Outcome {
      try CamrecBinary.find().run(["ctl", "--socket", folder.path("s")] + words, timeout: timeout)
    }

    /// Children of its own.
    var children: [Int32] {
      let pid = process.processIdentifier
      let text = try? String(contentsOfFile: "/proc/\(pid)/task/\(pid)/children", encoding: .utf8)
      let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")) ?? []
      let all = threads.compactMap {
        try? String(contentsOfFile: "/proc/\(pid)/task/\($0)/children", encoding: .utf8)
      }
      return ([text ?? ""] + all).flatMap { $0.split(separator: " ") }.compactMap { Int32($0) }
    }
  }

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.path("run"), withIntermediateDirectories: true)
  }

  private static func eventually(_ holds: () -> Bool) -> Bool { PseudoTerminal.eventually(holds) }

  @Test(arguments: Blocked.allCases) func aRecorder_isControlled_andEnds(_ blocked: Blocked) throws {
    let held = try Held(
      blocked,
      ["--camera", "sim", "--size", "64x36", "--fps", "24", "--microphone", "none", "--standby", "--control",
        folder.path("s"), "--output", "take.mov"] + (blocked == .output ? ["--json"] : []), in: folder)
    #expect(Self.eventually { FileManager.default.fileExists(atPath: folder.path("s")) })
    #expect(try held.ctl("start").exitCode == 0)
    #expect(Self.eventually { ((try? held.ctl("state").standardOutput) ?? "").contains("recording take.mov") })
    #expect(try held.ctl("stop").exitCode == 0)
    #expect(try held.ctl("start").exitCode == 0)
    held.process.terminate()
    #expect(held.ends(within: 60))
    #expect(held.process.terminationReason == .exit && [0, 3].contains(held.process.terminationStatus))
    #expect(RunningRig.isPlayable(folder.path("take.mov")) && RunningRig.isPlayable(folder.path("take-2.mov")))
  }

  @Test func aLogThatIsReadAgain_hasWhatFits() throws {
    let held = try Held(
      .error,
      ["--camera", "sim", "--size", "64x36", "--fps", "60", "--microphone", "none", "--log", "json", "--log-level",
        "debug", "--standby", "--control", folder.path("s"), "--output", "take.mov"], in: folder)
    #expect(Self.eventually { FileManager.default.fileExists(atPath: folder.path("s")) })
    #expect(try held.ctl("start").exitCode == 0)
    #expect(try held.ctl("stop").exitCode == 0)
    let reading = held.pipe
    let text = Mutex("")
    let reader = Thread {
      let read = reading.read { $0.contains("the film has ended") }
      text.withLock { $0 = read }
    }
    reader.start()
    #expect(try held.ctl("quit").exitCode == 0)
    #expect(held.ends(within: 60))
    #expect(Self.eventually { text.withLock { $0.contains("the film has ended") } })
    #expect(text.withLock { $0.hasPrefix("{") && $0.contains("\"standing by\"") })
  }

  @Test func aSecondInterrupt_endsWhatWaitsForItsReader() throws {
    // A warning nobody reads: bake has said it before it begins.
    let clip = try CamrecBinary.find().run(
      ["--camera", "sim:pace=pulled", "--size", "64x36", "--frames", "5", "--output", "a.mov", "--microphone", "none"],
      in: folder.url)
    #expect(clip.exitCode == 0, "\(clip.standardError)")
    let held = try Held(.error, ["bake", "a.mov", "--output", "b.mov"], in: folder)
    #expect(Self.eventually { Self.isWriting(held.process.processIdentifier) })
    // Two that come at once are one.
    var hasEnded = false
    for _ in 0..<600 where !hasEnded {
      held.process.interrupt()
      hasEnded = held.ends(within: 0.1)
    }
    #expect(hasEnded)
    #expect(held.process.terminationStatus == 130)
  }

  /// A thread of it waits in the pipe.
  private static func isWriting(_ pid: Int32) -> Bool {
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")) ?? []
    return threads.contains { thread in
      let place = try? String(contentsOfFile: "/proc/\(pid)/task/\(thread)/syscall", encoding: .utf8)
      return place?.hasPrefix("1 0x2 ") == true
    }
  }

  @Test(arguments: [Blocked.error, .output]) func aRig_startsItsCamerasAgain(_ blocked: Blocked) throws {
    let text = "cameras:\n  front:\n    camera: sim\n    size: 64x36\n    fps: 24\n    microphone: none\n"
    _ = try folder.write(text.utf8, to: "rig.yaml")
    let held = try Held(blocked, ["rig", "rig.yaml"] + (blocked == .output ? ["--json"] : []), in: folder)
    #expect(Self.eventually { !held.children.isEmpty })
    let first = try #require(held.children.first)
    #expect(Self.eventually { films().contains { RunningRig.isPlayable(folder.path($0)) } })
    kill(first, SIGKILL)
    #expect(Self.eventually { held.children.contains { $0 != first } && films().count > 1 })
    held.process.terminate()
    #expect(held.ends(within: 90))
    #expect(held.process.terminationReason == .exit)
  }

  private func films() -> [String] { ((try? folder.names) ?? []).filter { $0.hasSuffix(".mov") } }
}
