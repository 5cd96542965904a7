import Foundation

/// A camrec that was started and has not been waited for. Its output goes to files, so that it never blocks on a
/// full pipe.
///
/// Thread: any, one at a time.
public final class RunningCamrec {
  private let process = Process()
  private let ended = DispatchSemaphore(value: 0)
  private let directory: URL
  private var standardOutput: URL { directory.appendingPathComponent("stdout") }
  private var standardError: URL { directory.appendingPathComponent("stderr") }

  public var processIdentifier: Int32 { process.processIdentifier }

  init(
    _ binary: URL, arguments: [String], directory workingDirectory: URL?, environment: [String: String],
    input: Pipe?
  ) throws {
    directory = FileManager.default.temporaryDirectory.appendingPathComponent("camrec-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    try Data().write(to: standardOutput)
    try Data().write(to: standardError)
    process.executableURL = binary
    process.arguments = arguments
    // Where its control socket and state are, unless a test says another: no test finds another one's recorders. And
    // what is said does not depend on how long it took.
    let own = ["XDG_RUNTIME_DIR": directory.path, "CAMREC_PROGRESS": "none"]
    process.environment = ProcessInfo.processInfo.environment.merging(own) { $1 }.merging(environment) { $1 }
    if let workingDirectory { process.currentDirectoryURL = workingDirectory }
    if let input { process.standardInput = input } else { process.standardInput = FileHandle.nullDevice }
    let output = try FileHandle(forWritingTo: standardOutput), error = try FileHandle(forWritingTo: standardError)
    (process.standardOutput, process.standardError) = (output, error)
    process.terminationHandler = { [ended] _ in ended.signal() }
    // `Process` keeps them open for as long as this program runs, and fails where there are a thousand.
    defer {
      try? output.close()
      try? error.close()
    }
    try process.run()
  }

  deinit {
    try? FileManager.default.removeItem(at: directory)
  }

  /// Sends a signal: `SIGINT` as Ctrl-C does, `SIGTERM`, `SIGKILL`.
  public func send(signal: Int32) {
    kill(process.processIdentifier, signal)
  }

  /// Ctrl-C as by somebody who does not wait: again and again, since two that come at once are one.
  public func interruptUntilItEnds() -> CamrecBinary.Outcome {
    for _ in 0..<600 {
      send(signal: SIGINT)
      if ended.wait(timeout: .now() + .milliseconds(100)) == .success {
        ended.signal()
        break
      }
    }
    return wait()
  }

  /// Waits until it is ready for a signal, as the kernel tells: before that one would end it like any program.
  public func awaitSignalHandlers() {
    for _ in 0..<1000 where process.isRunning {
      let status = (try? String(contentsOfFile: "/proc/\(processIdentifier)/status", encoding: .utf8)) ?? ""
      let line = status.split(separator: "\n").first { $0.hasPrefix("SigCgt:") }
      // A dispatch source catches it. Signal n is bit n − 1; Swift's runtime catches other ones only.
      let caught = line.flatMap { UInt64($0.dropFirst("SigCgt:".count).filter { !$0.isWhitespace }, radix: 16) } ?? 0
      if caught & (1 << UInt64(SIGTERM - 1)) != 0 { return }
      Thread.sleep(forTimeInterval: 0.01)
    }
  }

  /// Waits until all its threads sleep, by the kernel's word: what a signal has set off is done, and what goes on waits
  /// for something. A thread that only has to wait for its turn does not sleep.
  public func awaitRest() { awaitRest(of: processIdentifier) }

  /// The same for a process that it has started.
  public func awaitRest(of child: Int32) {
    var looks = 0
    // One thread may wake another between two that are looked at.
    for _ in 0..<6000 where process.isRunning && looks < 10 {
      looks = isAtRest(child) ? looks + 1 : 0
      Thread.sleep(forTimeInterval: 0.01)
    }
  }

  /// The processes that it has started.
  public var children: [Int32] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap { Int32($0) }.filter { number in
      let text = (try? String(contentsOfFile: "/proc/\(number)/status", encoding: .utf8)) ?? ""
      return text.contains("\nPPid:\t\(processIdentifier)\n")
    }
  }

  private func isAtRest(_ process: Int32) -> Bool {
    let tasks = "/proc/\(process)/task"
    return ((try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []).allSatisfy { task in
      let text = (try? String(contentsOfFile: "\(tasks)/\(task)/status", encoding: .utf8)) ?? ""
      let lines = text.split(separator: "\n")
      let isPending = lines.contains { line in
        ["SigPnd:", "ShdPnd:"].contains(line.prefix(7)) && line.dropFirst(7).contains { $0.isHexDigit && $0 != "0" }
      }
      return lines.contains { $0.hasPrefix("State:\tS") } && !isPending
    }
  }

  /// What it has written so far.
  public func outputSoFar() -> (standardOutput: String, standardError: String) {
    (text(standardOutput), text(standardError))
  }

  /// Waits for the end, once; kills it when that takes longer than `timeout` seconds.
  public func wait(timeout: Double = 60) -> CamrecBinary.Outcome {
    let timedOut = ended.wait(timeout: .now() + timeout) == .timedOut
    if timedOut {
      send(signal: SIGKILL)
      ended.wait()
    }
    let output = outputSoFar()
    return CamrecBinary.Outcome(
      exitCode: process.terminationStatus, endedBySignal: process.terminationReason == .uncaughtSignal,
      timedOut: timedOut, standardOutput: output.standardOutput, standardError: output.standardError)
  }

  private func text(_ file: URL) -> String {
    ((try? Data(contentsOf: file)).map { String(decoding: $0, as: UTF8.self) }) ?? ""
  }
}
