import Synchronization

/// What a piece of work asks a disk for at the moment, so that others can tell a disk that is slow from one that does
/// not answer.
///
/// Thread: any.
public final class DiskCall: Sendable {
  private struct State {
    /// Calls that have not returned, by number, in the order in which they were made.
    var active: [(number: Int, path: String, allowance: Double)] = []
    var number = 0
    /// What the work as a whole is about.
    var subject = ""
    /// When a call was made last, or has returned.
    var changed = MonotonicTime.now()

    var seconds: Double { Double(MonotonicTime.now() - changed) * 1e-9 - (active.last?.allowance ?? 0) }
  }

  private let state = Mutex(State())

  public init() {}

  /// Makes a call about `path`, which may take as long as it likes.
  ///
  /// - Parameter allowance: seconds of it that are no standstill: it is many calls, of which nobody tells.
  public func during<R, E>(
    _ path: @autoclosure () -> String, allowance: Double = 0, _ body: () throws(E) -> R
  ) throws(E) -> R {
    let path = path()
    let number = state.withLock { state in
      state.number += 1
      state.active.append((state.number, path, allowance))
      state.changed = .now()
      return state.number
    }
    defer {
      state.withLock { state in
        state.active.removeAll { $0.number == number }
        state.changed = .now()
      }
    }
    return try body()
  }

  /// Work about `path` begins or goes on.
  func begin(about path: String) {
    state.withLock {
      $0.subject = path
      $0.changed = .now()
    }
  }

  /// Seconds for which nothing has moved, and what is waited for.
  var standstill: (seconds: Double, path: String) {
    state.withLock { ($0.seconds, $0.active.last?.path ?? $0.subject) }
  }

  /// What has not answered for so many seconds; `nil` where everything does.
  public func stalled(for seconds: Double) -> String? {
    state.withLock { state in
      guard let call = state.active.last, state.seconds >= seconds else { return nil }
      return call.path
    }
  }
}
