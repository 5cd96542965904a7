public import Frames
import Glibc

/// A lock with a condition to wait for, whose timed waits go by `CLOCK_MONOTONIC`.
///
/// `NSCondition.wait(until:)` and `DispatchSemaphore.wait(timeout:)` go by the wall clock on Linux. When that clock is
/// set back by an hour, a wait of a second lasts an hour; when it is set forward, the wait ends at once.
///
/// Thread: any.
///
/// `@unchecked Sendable`: the mutex and the condition variable are made for several threads and never move.
@safe public final class MonotonicCondition: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  public init() {
    unsafe pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    unsafe pthread_condattr_init(&attributes)
    unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    unsafe pthread_cond_init(condition, &attributes)
    unsafe pthread_condattr_destroy(&attributes)
  }

  deinit {
    unsafe pthread_cond_destroy(condition)
    unsafe pthread_mutex_destroy(mutex)
    unsafe condition.deallocate()
    unsafe mutex.deallocate()
  }

  public func lock() { unsafe pthread_mutex_lock(mutex) }

  public func unlock() { unsafe pthread_mutex_unlock(mutex) }

  /// Unlocks, waits for a wake-up, and locks again. It may also return without one.
  public func wait() { unsafe pthread_cond_wait(condition, mutex) }

  /// The same, until `end` at the latest.
  ///
  /// - Returns: false once `end` has passed.
  public func wait(until end: MonotonicTime) -> Bool {
    let (seconds, rest) = max(0, end.nanoseconds).quotientAndRemainder(dividingBy: 1_000_000_000)
    var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(rest))
    return unsafe pthread_cond_timedwait(condition, mutex, &time) != ETIMEDOUT
  }

  public func signal() { unsafe pthread_cond_signal(condition) }

  public func broadcast() { unsafe pthread_cond_broadcast(condition) }
}
