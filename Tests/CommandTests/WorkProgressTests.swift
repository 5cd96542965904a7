import Foundation
import TestSupport
import Testing

/// How far long work has come, as a terminal, a pipe and a program are told.
@Suite struct WorkProgressTests {
  private let camrec: CamrecBinary
  private let folder: TemporaryFolder
  /// Half a second of work or more.
  private static let convert = ["lut", "convert", "--size", "160", "look.cube", "out.cube"]

  init() throws {
    camrec = try CamrecBinary.find()
    folder = try TemporaryFolder()
    let corners = "0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 0 1\n1 0 1\n0 1 1\n1 1 1\n"
    _ = try folder.write("LUT_3D_SIZE 2\n\(corners)".utf8, to: "look.cube")
  }

  @Test func aTerminalHasALine() throws {
    let terminal = try PseudoTerminal()
    let process = Process()
    process.executableURL = camrec.url
    process.arguments = Self.convert
    process.currentDirectoryURL = folder.url
    process.environment = ProcessInfo.processInfo.environment.merging(["TERM": "xterm", "CAMREC_PROGRESS": ""]) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle(fileDescriptor: terminal.terminal)
    try process.run()
    let shown = terminal.screen(until: " of 4096000 points (")
    #expect(shown.contains("converting: ") && shown.hasSuffix(" of 4096000 points ("), "\(shown)")
    process.terminate()
    process.waitUntilExit()
  }

  /// Every ten seconds; the work stands still meanwhile.
  @Test func aPipeHasALineNowAndThen() throws {
    let running = try camrec.start(Self.convert, in: folder.url, environment: ["CAMREC_PROGRESS": ""])
    func hasBegun() -> Bool {
      let tasks = "/proc/\(running.processIdentifier)/task"
      let threads = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
      return threads.contains {
        (try? String(contentsOfFile: "\(tasks)/\($0)/comm", encoding: .utf8)) == "camrec-progress\n"
      }
    }
    for _ in 0..<10_000 where !hasBegun() { usleep(1000) }
    running.send(signal: SIGSTOP)
    usleep(10_500_000)
    running.send(signal: SIGCONT)
    let outcome = running.wait()
    #expect(outcome.exitCode == 0 && !outcome.standardError.contains("\u{1B}"), "\(outcome.standardError)")
    let line = try #require(outcome.standardError.split(separator: "\n").first)
    #expect(line.hasPrefix("converting: ") && line.contains(" points"), "\(line)")
  }

  @Test func nobodyIsToldWhoDoesNotWantIt() throws {
    let running = try camrec.start(Self.convert, in: folder.url, environment: ["CAMREC_PROGRESS": "none"])
    #expect(running.wait().standardError.isEmpty)
  }

  @Test func aProgramHasItInItsEvents() throws {
    try Tool.run([
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=640x360:rate=24", "-frames:v", "1200", "-c:v",
      "libx264", "-preset", "ultrafast", folder.path("long.mp4"),
    ])
    let outcome = try camrec.run(["bake", "long.mp4", "--json", "--output", "out.mov"], in: folder.url, timeout: 120)
    #expect(outcome.exitCode == 0, "\(outcome.standardError)")
    let told = try Events(outcome).all.filter { $0["event"] as? String == "progress" }
    #expect(!told.isEmpty)
    for event in told {
      #expect(event["total"] as? Int == 1200)
      let percent = try #require(event["percent"] as? Double), ledger = event["ledger"] as? [String: Any]
      #expect(abs(percent - (ledger?["captured"] as? Double ?? -1) / 12) < 0.01, "\(event)")
      #expect(event["isFinishing"] as? Bool == true || event["secondsLeft"] as? Double ?? -1 > 0, "\(event)")
    }
  }
}
