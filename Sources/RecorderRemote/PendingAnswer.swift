import ControlCodec
import Frames
import Platform
import Synchronization

/// A line that is to come, and whoever waits for it. Thread: any.
final class PendingAnswer: Sendable {
  private let result = Mutex<Result<ControlMessage, CamrecError>?>(nil)
  private let bell = MonotonicSemaphore()

  /// It has come, or will not come any more. Only the first call counts.
  func complete(_ result: Result<ControlMessage, CamrecError>) {
    self.result.withLock { if $0 == nil { $0 = result } }
    bell.signal()
  }

  /// Waits for it; once.
  ///
  /// - Returns: `nil` if it has not come in that time.
  func wait(within seconds: Double) -> Result<ControlMessage, CamrecError>? {
    bell.wait(within: seconds)
    return result.withLock { $0 }
  }
}
