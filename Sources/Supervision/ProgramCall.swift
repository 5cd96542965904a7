public import Frames
import Glibc
import Synchronization

/// What a program of the system said that was run to its end.
public struct ProgramCall: Hashable, Sendable {
  public let ending: ChildProcess.Ending
  /// The lines of its standard output, and of its standard error.
  public let output: [String]
  public let errors: [String]

  public var isSuccess: Bool { ending == .status(0) }
  /// It is not on this system: what env(1) ends with.
  public var isMissing: Bool { ending == .status(127) }

  /// As `ChildProcess` asks for it.
  private static let spawning = Mutex(())

  private struct State {
    var output: [String] = []
    var errors: [String] = []
    var ending: ChildProcess.Ending?
  }

  /// Runs it and waits.
  ///
  /// - Parameters:
  ///   - words: its name, which is looked for where the system does unless it is a whole path, and its arguments.
  ///   - seconds: that it may take; it is killed then. `nil`: as long as it likes.
  ///   - endsWithThis: its standard input is a pipe that ends with this process; else `/dev/null`.
  ///   - started: is given it while it runs, for signals.
  ///   - line: is given each line as it comes, on a thread of the child's; they are then not kept.
  /// - Throws: code `defect` where no process is to be had.
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
    let hasEnded = seconds.map { bell.wait(within: $0) } ?? false
    if !hasEnded {
      if seconds != nil { child.sendToGroup(SIGKILL) }
      bell.wait()
    }
    let state = shared.state.withLock { $0 }
    (output, errors) = (state.output, state.errors)
    ending = state.ending ?? .signal(SIGKILL)
  }
}
