import Frames
import Platform
import Synchronization

/// A message that is to come, and whoever waits for it. Thread: any.
final class PendingAnswer<Message: Sendable>: Sendable {
  private let result = Mutex<Result<Message, CamrecError>?>(nil)
  private let bell = MonotonicSemaphore()

  /// It has come, or will not come any more. Only the first call counts.
  func complete(_ result: Result<Message, CamrecError>) {
    self.result.withLock { if $0 == nil { $0 = result } }
    bell.signal()
  }

  /// Waits for it: on one thread, and no more once it has come.
  ///
  /// - Returns: `nil` if it has not come in that time.
  func wait(within seconds: Double) -> Result<Message, CamrecError>? {
    bell.wait(within: seconds)
    return result.withLock { $0 }
  }
}
