import Frames

/// When to reopen a camera that runs in standby, and what was reported about it.
///
/// Thread: the recorder's.
struct StandbyAttempts {
  private var next = MonotonicTime(nanoseconds: 0)
  /// Why the camera is gone or does not open, in a sentence; `nil` while it runs.
  private(set) var failure: String?
  /// The camera has been open before.
  private(set) var hasStood = false

  /// Nanoseconds from a failure to the next attempt.
  private static let interval: Int64 = 2_000_000_000

  /// Whether it is time for an attempt.
  var isDue: Bool { MonotonicTime.now() >= next }

  /// - Returns: whether the failure is new.
  mutating func failed(_ error: CamrecError) -> Bool {
    next = MonotonicTime.now().advanced(by: StandbyAttempts.interval)
    defer { failure = error.description }
    return failure == nil
  }

  /// - Returns: whether the last attempt had failed.
  mutating func succeeded() -> Bool {
    defer { (failure, hasStood) = (nil, true) }
    return failure != nil
  }
}
