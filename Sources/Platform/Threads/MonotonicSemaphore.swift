import Frames

/// A counting semaphore whose timed waits go by `CLOCK_MONOTONIC`; `MonotonicCondition` says why.
///
/// Thread: any.
///
/// `@unchecked Sendable`: `count` is touched only while `condition` is locked.
public final class MonotonicSemaphore: @unchecked Sendable {
  private let condition = MonotonicCondition()
  private var count = 0

  public init() {}

  /// Lets one wait end.
  public func signal() {
    condition.lock()
    count += 1
    condition.signal()
    condition.unlock()
  }

  public func wait() {
    condition.lock()
    while count == 0 { condition.wait() }
    count -= 1
    condition.unlock()
  }

  /// Waits for at most so many seconds; 0 only looks, and infinity waits for ever.
  ///
  /// - Returns: false where no signal came in that time.
  @discardableResult public func wait(within seconds: Double) -> Bool {
    let end = MonotonicTime.now().advanced(by: Int64(saturating: max(0, seconds) * 1e9))
    condition.lock()
    defer { condition.unlock() }
    while count == 0, seconds > 0, condition.wait(until: end) {}
    guard count > 0 else { return false }
    count -= 1
    return true
  }
}
