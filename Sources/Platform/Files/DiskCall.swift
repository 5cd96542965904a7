import Frames
import Synchronization

/// Tracks a piece of work's current calls to a disk, so that others can tell a slow disk from one that does not answer.
///
/// Thread: any.
public final class DiskCall: Sendable {
  private struct State {
    /// Calls that have not returned, by number, oldest first.
    var active: [(number: Int, path: String, allowance: Double)] = []
    var number = 0
    /// The path that the work as a whole concerns.
    var subject = ""
    /// When a call was last made or last returned.
    var changed = MonotonicTime.now()

    var seconds: Double { Double(MonotonicTime.now() - changed) * 1e-9 - (active.last?.allowance ?? 0) }
  }

  private let state = Mutex(State())

  public init() {}

  /// Makes a call that concerns `path`; it may take any time.
  ///
  /// - Parameter allowance: seconds that do not count as a standstill, for a call that makes many calls unseen.
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

  /// Notes that work on `path` begins or continues.
  func begin(about path: String) {
    state.withLock {
      $0.subject = path
      $0.changed = .now()
    }
  }

  /// Seconds without progress, and the path that the work waits for.
  var standstill: (seconds: Double, path: String) {
    state.withLock { ($0.seconds, $0.active.last?.path ?? $0.subject) }
  }

  /// The path of the call that has not returned for this many seconds; `nil` if there is none.
  public func stalled(for seconds: Double) -> String? {
    state.withLock { state in
      guard let call = state.active.last, state.seconds >= seconds else { return nil }
      return call.path
    }
  }
}
