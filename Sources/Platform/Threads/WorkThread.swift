import Foundation
import Synchronization

/// A thread with a name that can be waited for. Starts at once.
public final class WorkThread: Sendable {
  private let ended: MonotonicSemaphore

  /// - Parameters:
  ///   - name: at most 15 bytes show in `ps -L` and `perf`.
  ///   - niceness: added to the process's own, 0 to 19: how much the thread steps back behind others (nice(2)).
  public init(name: String, niceness: Int32 = 0, _ body: @escaping @Sendable () -> Void) {
    let ended = MonotonicSemaphore()
    self.ended = ended
    let work = Work(body), started = MonotonicSemaphore()
    let thread = Thread {
      // Set from inside: before its start a thread has no name that the kernel could be told, nor before whoever
      // starts it knows which it is.
      started.wait()
      Thread.current.name = name
      if niceness > 0 { WorkThread.stepBack(niceness) }
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

  /// Linux keeps a niceness for each thread, and takes 0 for the caller's; one that is refused stays as it was.
  private static func stepBack(_ niceness: Int32) {
    let process = __priority_which_t(PRIO_PROCESS.rawValue)
    _ = setpriority(process, 0, getpriority(process, 0) + niceness)
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
