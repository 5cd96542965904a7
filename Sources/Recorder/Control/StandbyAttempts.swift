import Frames

/// When a camera that runs before its film begins is opened again, and what was said of it.
///
/// Thread: the recorder's.
struct StandbyAttempts {
  private var next = MonotonicTime(nanoseconds: 0)
  /// Since it is away, or does not open: why, in a sentence.
  private(set) var failure: String?
  /// It has been open before.
  private(set) var hasStood = false

  /// Nanoseconds from a failure to the next attempt.
  private static let interval: Int64 = 2_000_000_000

  /// Whether it is time for an attempt.
  var isDue: Bool { MonotonicTime.now() >= next }

  /// - Returns: whether that is news.
  mutating func failed(_ error: CamrecError) -> Bool {
    next = MonotonicTime.now().advanced(by: StandbyAttempts.interval)
    defer { failure = error.description }
    return failure == nil
  }

  /// - Returns: whether it had failed before.
  mutating func succeeded() -> Bool {
    defer { (failure, hasStood) = (nil, true) }
    return failure != nil
  }
}
