import Frames
import Synchronization

/// One thread for all that only needs time: it calls each body at its interval. What may wait for a disk, a device or
/// another program has a thread of its own, because a body that hangs here holds up all others.
///
/// Thread: any.
///
/// `@unchecked Sendable`: `ticks` and `runs` are touched only while `condition` is locked.
public final class Ticker: @unchecked Sendable {
  /// The ticker of this process.
  public static let shared = Ticker()

  private let condition = MonotonicCondition()
  private var ticks: [Tick] = []
  private var runs = false

  private init() {}

  /// Calls `body` now, and then at every interval until the result is closed. A call that comes late delays the
  /// next one; none is made up for.
  ///
  /// - Parameters:
  ///   - interval: in seconds, above 0.
  ///   - body: called on the ticker's thread; does not wait.
  public func every(_ interval: Double, _ body: @escaping @Sendable () -> Void) -> Tick {
    let tick = Tick(Int64(saturating: interval * 1e9), body)
    condition.lock()
    defer { condition.unlock() }
    ticks.append(tick)
    if !runs {
      runs = true
      _ = WorkThread(name: "camrec-ticker") { self.run() }
    }
    condition.signal()
    return tick
  }

  private func run() {
    while let due = next() {
      let delay = due.call()
      condition.lock()
      due.at = MonotonicTime.now().advanced(by: delay)
      condition.unlock()
    }
  }

  /// Waits until a tick is due. `nil` if there are none any more; the thread then ends.
  private func next() -> Tick? {
    condition.lock()
    defer { condition.unlock() }
    while true {
      ticks.removeAll { $0.isClosed }
      guard let first = ticks.min(by: { $0.at < $1.at }) else {
        runs = false
        return nil
      }
      if first.at <= .now() { return first }
      _ = condition.wait(until: first.at)
    }
  }
}

/// A body that a `Ticker` calls.
///
/// Thread: any.
///
/// `@unchecked Sendable`: `at` is touched only while its ticker is locked.
public final class Tick: @unchecked Sendable {
  private let interval: Int64
  /// `nil` once it is closed; locked while the body runs.
  private let body: Mutex<(@Sendable () -> Void)?>
  /// When it is due.
  var at = MonotonicTime.now()

  init(_ interval: Int64, _ body: @escaping @Sendable () -> Void) {
    self.interval = interval
    self.body = Mutex(body)
  }

  var isClosed: Bool { body.withLock { $0 == nil } }

  /// - Returns: nanoseconds until the next call.
  func call() -> Int64 {
    body.withLock { $0?() }
    return interval
  }

  /// The body is not called any more. Waits for a call that is under way; so the body itself must not close it.
  public func close() { body.withLock { $0 = nil } }
}
