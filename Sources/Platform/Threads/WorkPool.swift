import Synchronization

/// Threads that take pieces of work by their index, from 0, each as soon as it is free.
///
/// `Running` is what a piece of work can be stopped by while it runs (a process, say); `Never` where nothing is.
///
/// Thread: the one that calls `run`, once; everything else from any.
public final class WorkPool<Outcome: Sendable, Running: Sendable>: Sendable {
  private struct State {
    var outcomes: [Outcome?]
    var next = 0
    var running: [Int: Running] = [:]
    var isStopping = false
  }

  private let threads: Int
  private let threadName: @Sendable (Int) -> String
  private let state: Mutex<State>
  /// Number of pieces reported; locked during each report.
  private let reported = Mutex(0)

  /// - Parameters:
  ///   - count: pieces of work, 0 or more.
  ///   - threads: pieces at a time; of less than 1 none is done.
  ///   - threadName: the name of each thread, from 0, as for `WorkThread`.
  public init(count: Int, threads: Int, threadName: @escaping @Sendable (Int) -> String) {
    self.threads = max(0, min(threads, count))
    self.threadName = threadName
    state = Mutex(State(outcomes: Array(repeating: nil, count: count)))
  }

  /// Does all pieces, and waits for their end.
  ///
  /// - Parameters:
  ///   - work: does the piece with this index; called on the pool's threads.
  ///   - ended: called serially on the pool's threads for each finished piece, with the number finished.
  /// - Returns: the outcomes by index; `nil` for pieces that a stop left unstarted.
  public func run(
    _ work: @escaping @Sendable (_ index: Int) -> Outcome,
    ended: @escaping @Sendable (_ finished: Int, _ index: Int, Outcome) -> Void = { _, _, _ in }
  ) -> [Outcome?] {
    let threads = (0..<threads).map { number in
      WorkThread(name: threadName(number)) { self.take(work, ended) }
    }
    threads.forEach { $0.join() }
    return state.withLock { $0.outcomes }
  }

  private func take(_ work: @Sendable (Int) -> Outcome, _ ended: @Sendable (Int, Int, Outcome) -> Void) {
    while let index = begin() {
      let outcome = work(index)
      state.withLock { state in
        state.outcomes[index] = outcome
        state.running[index] = nil
      }
      // A slow reader may block the report; stopping must not wait for it.
      reported.withLock { count in
        count += 1
        ended(count, index, outcome)
      }
    }
  }

  private func begin() -> Int? {
    state.withLock { state in
      guard !state.isStopping, state.next < state.outcomes.count else { return nil }
      state.next += 1
      return state.next - 1
    }
  }

  /// Whether `stop` was called.
  public var isStopping: Bool { state.withLock { $0.isStopping } }

  /// What runs now, by the index of its work.
  public var running: [Int: Running] { state.withLock { $0.running } }

  /// Notes by what the work at `index` can be stopped, until that work ends or the next note.
  ///
  /// - Returns: whether it has to stop at once: `stop` was called before.
  public func note(_ running: Running, at index: Int) -> Bool {
    state.withLock { state in
      state.running[index] = running
      return state.isStopping
    }
  }

  /// Starts no further work.
  ///
  /// - Returns: what runs now. Each `Running` is either among them or told by `note` to stop, never both.
  @discardableResult public func stop() -> [Running] {
    state.withLock { state in
      state.isStopping = true
      return Array(state.running.values)
    }
  }
}
