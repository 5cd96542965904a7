import Foundation
import TestKit
import Testing

/// What is typed on the terminal of a recorder.
@Suite(.serialized) struct TypedCommandTests {
  /// A log on standard error has no other lines, whatever somebody types.
  @Test func isAnsweredByLinesOfTheLog() throws {
    let folder = try TemporaryFolder(), terminal = try PseudoTerminal()
    let errors = URL(fileURLWithPath: try folder.write([], to: "errors"))
    func log() -> String { (try? String(contentsOf: errors, encoding: .utf8)) ?? "" }
    let process = Process()
    process.executableURL = try CamrecBinary.find().url
    process.arguments = [
      "--camera", "sim", "--size", "64x36", "--fps", "24", "--microphone", "none", "--codec", "ffv1", "--standby",
      "--control", "none", "--state", "none", "--output", "take.mkv", "--log", "json",
    ]
    process.currentDirectoryURL = folder.url
    process.environment = ProcessInfo.processInfo.environment.merging(["TERM": "xterm"]) { $1 }
    process.standardInput = FileHandle(fileDescriptor: terminal.terminal)
    process.standardOutput = FileHandle.nullDevice
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
    #expect(PseudoTerminal.eventually { !terminal.modes.isLineByLine }, "its keys are heard")
    terminal.type(":strat\n")
    #expect(PseudoTerminal.eventually { log().contains("strat") }, "\(log())")
    terminal.type("?")
    #expect(PseudoTerminal.eventually { log().contains("Keys:") }, "\(log())")
    process.interrupt()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    let lines = log().split(separator: "\n").map { line in
      (try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]) ?? [:]
    }
    #expect(lines.allSatisfy { $0["message"] is String && $0["level"] is String }, "\(log())")
    func level(_ part: String) -> String? {
      lines.first { ($0["message"] as? String)?.contains(part) == true }?["level"] as? String
    }
    #expect(level("strat") == "warning" && level("Keys:") == "notice", "\(log())")
  }
}
