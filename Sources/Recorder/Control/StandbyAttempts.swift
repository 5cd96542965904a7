import Frames
import Platform

/// When to reopen a camera that runs in standby, and what was reported about it.
///
/// Thread: the recorder's.
struct StandbyAttempts {
  private var next = MonotonicTime(nanoseconds: 0)
  /// Why the camera is gone or does not open, in a sentence; `nil` while it runs.
  private(set) var failure: String?
  /// What happened to a camera that ran; `nil` for one that did not open.
  private(set) var loss: CameraLoss?
  /// The camera has been open before.
  private(set) var hasStood = false

  /// Nanoseconds from a failure to the next attempt.
  private static let interval: Int64 = 2_000_000_000

  /// Whether it is time for an attempt.
  var isDue: Bool { MonotonicTime.now() >= next }

  /// - Parameter loss: what happened to it, if it ran.
  /// - Returns: whether the failure is new.
  mutating func failed(_ error: CamrecError, _ loss: CameraLoss? = nil) -> Bool {
    next = MonotonicTime.now().advanced(by: StandbyAttempts.interval)
    let isNew = failure == nil
    if isNew { self.loss = loss }
    failure = error.description
    return isNew
  }

  /// - Returns: whether the last attempt had failed.
  mutating func succeeded() -> Bool {
    defer { (failure, loss, hasStood) = (nil, nil, true) }
    return failure != nil
  }
}
