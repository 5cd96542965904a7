import Foundation
import Synchronization

/// A thread with a name that can be waited for. Starts at once.
public final class WorkThread: Sendable {
  private let ended: MonotonicSemaphore

  /// - Parameter name: at most 15 bytes show in `ps -L` and `perf`.
  public init(name: String, _ body: @escaping @Sendable () -> Void) {
    let ended = MonotonicSemaphore()
    self.ended = ended
    let work = Work(body), started = MonotonicSemaphore()
    let thread = Thread {
      // Set from inside: before its start a thread has no name that the kernel could be told, nor before whoever
      // starts it knows which it is.
      started.wait()
      Thread.current.name = name
      // What the body holds (an open file, say) is gone when `join` returns.
      work.take()?()
      ended.signal()
    }
    thread.stackSize = 1 << 20
    thread.start()
    started.signal()
  }

  /// A thread's body, to be had once.
  private final class Work: Sendable {
    private let body: Mutex<(@Sendable () -> Void)?>

    init(_ body: @escaping @Sendable () -> Void) { self.body = Mutex(body) }

    func take() -> (@Sendable () -> Void)? {
      body.withLock { body in
        defer { body = nil }
        return body
      }
    }
  }

  /// Holds the calling thread for `duration`.
  public static func sleep(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    Thread.sleep(forTimeInterval: Double(seconds) + Double(attoseconds) * 1e-18)
  }

  /// Waits until the body has returned. Any thread but its own, any number of times.
  public func join() {
    ended.wait()
    ended.signal()
  }

  /// Waits for at most so many seconds. Any thread but its own, any number of times.
  ///
  /// - Returns: whether the body has returned.
  public func join(within seconds: Double) -> Bool {
    guard ended.wait(within: seconds) else { return false }
    ended.signal()
    return true
  }
}
