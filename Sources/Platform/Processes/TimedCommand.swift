import Frames
import Glibc
import Synchronization

/// Runs a program with a time limit and the lowest priority. When the time is over it is told to end; a little later it
/// is killed, with everything that it has started.
///
/// Thread: `run` on one at a time; `cancel` and `kill` on any.
public final class TimedCommand: Sendable {
  public struct Outcome: Hashable, Sendable {
    /// `nil` if it could not be started.
    public var ending: ChildProcess.Ending?
    /// It was told to end because its time was over.
    public var isLate = false
    /// It was told to end by `cancel`.
    public var isCancelled = false
    /// The last lines that it wrote, or why it could not be started.
    public var words = ""

    public var isSuccess: Bool { ending == .status(0) && !isLate && !isCancelled }
  }

  private struct State {
    var child: ChildProcess?
    var isCancelled = false
    var lines: [String] = []
    var ending: ChildProcess.Ending?
  }

  private let state = Mutex(State())
  private let bell = MonotonicSemaphore()

  /// Seconds between being told to end and being killed.
  private static let patience = 10.0
  /// How much of its output is kept: lines, and characters of each.
  private static let mostLines = 20
  private static let longestLine = 200
  /// As in nice(1). Reads and writes then come last, too (ioprio_set(2), for a process without an I/O class).
  private static let niceness: Int32 = 19

  public init() {}

  /// Runs a program and waits for it.
  ///
  /// - Parameters:
  ///   - words: the program's path, and its arguments.
  ///   - seconds: how long it may take.
  public func run(_ words: [String], environment: [String: String], seconds: Double) -> Outcome {
    state.withLock { $0 = State(isCancelled: $0.isCancelled) }
    do throws(CamrecError) {
      let child = try TimedCommand.nicely(
        program: words[0], arguments: Array(words.dropFirst()),
        manner: .init(environment: environment, hasNoInput: true, endsGroup: true),
        line: { [self] _, line in
          state.withLock { state in
            if state.lines.count == TimedCommand.mostLines { state.lines.removeFirst() }
            state.lines.append(String(line.prefix(TimedCommand.longestLine)))
          }
        },
        ended: { [self] ending in
          state.withLock { $0.ending = ending }
          bell.signal()
        })
      state.withLock { $0.child = child }
      return wait(child, seconds)
    } catch {
      return Outcome(words: error.description)
    }
  }

  /// Starts a program with low priority from its first instruction on. On Linux each thread has its own niceness, and
  /// its children inherit it. The calling thread, which shares locks with others, keeps its priority.
  private static func nicely(
    program: String, arguments: [String], manner: ChildProcess.Manner,
    line: @escaping @Sendable (ChildProcess.Stream, String) -> Void,
    ended: @escaping @Sendable (ChildProcess.Ending) -> Void
  ) throws(CamrecError) -> ChildProcess {
    let made = Made()
    WorkThread(name: "camrec-spawn") {
      _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness)
      do throws(CamrecError) {
        made.set(
          .success(try ChildProcess(program: program, arguments: arguments, manner: manner, line: line, ended: ended)))
      } catch {
        made.set(.failure(error))
      }
    }.join()
    return try made.get()
  }

  private func wait(_ child: ChildProcess, _ seconds: Double) -> Outcome {
    let begin = MonotonicTime.now()
    var outcome = Outcome()
    var toldAt: MonotonicTime?, isKilled = false
    while true {
      let (ending, isCancelled, lines) = state.withLock { ($0.ending, $0.isCancelled, $0.lines) }
      if let ending {
        state.withLock { $0.child = nil }
        outcome.ending = ending
        outcome.words = lines.joined(separator: "\n")
        return outcome
      }
      let now = MonotonicTime.now()
      if let toldAt {
        if !isKilled, Double(now - toldAt) * 1e-9 >= TimedCommand.patience {
          isKilled = true
          child.sendToGroup(SIGKILL)
        }
      } else if isCancelled || Double(now - begin) * 1e-9 >= seconds {
        outcome.isCancelled = isCancelled
        outcome.isLate = !isCancelled
        toldAt = now
        child.sendToGroup(SIGTERM)
      }
      bell.wait(within: 0.2)
    }
  }

  /// Tells the program to end, now and in every later run; does not wait.
  public func cancel() {
    state.withLock { $0.isCancelled = true }
    bell.signal()
  }

  /// Kills the program and everything that it has started; does not wait.
  public func kill() { state.withLock { $0.child }?.sendToGroup(SIGKILL) }
}

/// Passes a thread's result to the thread that waits for it.
private final class Made: Sendable {
  private let result = Mutex<Result<ChildProcess, CamrecError>?>(nil)

  func set(_ result: Result<ChildProcess, CamrecError>) { self.result.withLock { $0 = result } }

  func get() throws(CamrecError) -> ChildProcess {
    guard let result = result.withLock({ $0 }) else { throw CamrecError(.defect, "a program was not started") }
    return try result.get()
  }
}
