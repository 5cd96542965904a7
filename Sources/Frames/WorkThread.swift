import Dispatch
import Foundation

/// A thread with a name that can be waited for. Starts at once.
public final class WorkThread: Sendable {
  private let ended: DispatchSemaphore

  /// - Parameter name: at most 15 bytes show in `ps -L` and `perf`.
  public init(name: String, _ body: @escaping @Sendable () -> Void) {
    let ended = DispatchSemaphore(value: 0)
    self.ended = ended
    let thread = Thread {
      // Set from inside: before its start a thread has no name that the kernel could be told.
      Thread.current.name = name
      body()
      ended.signal()
    }
    thread.stackSize = 1 << 20
    thread.start()
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
}
