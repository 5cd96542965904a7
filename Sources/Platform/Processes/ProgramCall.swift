public import Frames
import Glibc
import Synchronization

/// Runs a program of the system to its end and keeps its output.
public struct ProgramCall: Hashable, Sendable {
  public let ending: ChildProcess.Ending
  /// The lines of its standard output.
  public let output: [String]
  /// The lines of its standard error.
  public let errors: [String]

  public var isSuccess: Bool { ending == .status(0) }
  /// The program is not installed: env(1) ended with 127.
  public var isMissing: Bool { ending == .status(127) }

  /// Starts one child at a time.
  private static let spawning = Mutex(())

  private struct State {
    var output: [String] = []
    var errors: [String] = []
    var ending: ChildProcess.Ending?
  }

  /// Runs a program and waits for it.
  ///
  /// - Parameters:
  ///   - words: the program, as an absolute path or a name to find in `PATH`, and its arguments.
  ///   - seconds: how long it may take before it is killed; `nil` for no limit.
  ///   - endsWithThis: standard input is a pipe that closes when this process ends; otherwise `/dev/null`.
  ///   - started: called with the process once it runs, for signals.
  ///   - line: called with each line as it comes, on one of the child's threads; the lines are then not kept.
  /// - Throws: code `defect` if the system cannot provide a process.
  public init(
    _ words: [String], seconds: Double?, endsWithThis: Bool = false, started: (ChildProcess) -> Void = { _ in },
    line: (@Sendable (ChildProcess.Stream, String) -> Void)? = nil
  ) throws(CamrecError) {
    final class Shared: Sendable { let state = Mutex(State()) }
    let shared = Shared()
    let bell = MonotonicSemaphore()
    let isPath = words[0].hasPrefix("/")
    let child = try ProgramCall.spawning.withLock { (_) throws(CamrecError) in
      try ChildProcess(
        program: isPath ? words[0] : "/usr/bin/env", arguments: isPath ? Array(words.dropFirst()) : words,
        manner: .init(hasNoInput: !endsWithThis, endsGroup: true),
        line: { (stream, text) in
          if let line { return line(stream, text) }
          shared.state.withLock { if stream == .output { $0.output.append(text) } else { $0.errors.append(text) } }
        },
        ended: { (ending) in
          shared.state.withLock { $0.ending = ending }
          bell.signal()
        })
    }
    started(child)
    if !bell.wait(within: seconds ?? .infinity) {
      child.sendToGroup(SIGKILL)
      bell.wait()
    }
    let state = shared.state.withLock { $0 }
    (output, errors) = (state.output, state.errors)
    ending = state.ending ?? .signal(SIGKILL)
  }
}
