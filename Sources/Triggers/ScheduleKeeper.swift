/// Decides when a schedule begins and ends films. A value: times and the recorder's state in, commands out.
///
/// A window that opens begins a film, and the end of the last window ends whatever is recorded then. In between the
/// last word is somebody else's: a film that was stopped in a window, or has come to its own end, is not begun anew in
/// that window; one that has failed is.
public struct ScheduleKeeper: Hashable, Sendable {
  public enum Decision: Hashable, Sendable {
    case start, stop
  }

  /// The recorder as the schedule sees it.
  public enum Recorder: Hashable, Sendable {
    /// No film, and whether the last one has failed.
    case idle(hasFailed: Bool)
    /// A film is recorded, or its camera is waited for.
    case records
    /// Between the two.
    case busy
  }

  private var schedule: RecordingSchedule
  private var wasOpen = false
  private var hasRecorded = false
  /// Somebody has stopped it: no film until then.
  private var heldUntil: Int64?
  private var nextAttempt = Int64.min

  /// Seconds from an attempt that failed to the next.
  public static let retrySeconds: Int64 = 10

  public init(_ schedule: RecordingSchedule) { self.schedule = schedule }

  /// - Parameters:
  ///   - time: the wall clock, in seconds of Unix time.
  ///   - uptime: a clock that does not jump, in seconds.
  public mutating func look(
    at time: Int64, uptime: Int64, _ recorder: Recorder, offset: RecordingSchedule.Offset
  ) -> Decision? {
    let end = schedule.end(at: time, offset: offset)
    defer { wasOpen = end != nil }
    guard let end else {
      heldUntil = nil
      nextAttempt = .min
      hasRecorded = recorder == .records
      return wasOpen && recorder == .records ? .stop : nil
    }
    switch recorder {
    case .busy: return nil
    case .records:
      hasRecorded = true
      heldUntil = nil
      return nil
    case .idle(let hasFailed):
      if !wasOpen { (hasRecorded, heldUntil) = (false, nil) }
      if hasRecorded, !hasFailed { heldUntil = end }
      hasRecorded = false
      if let heldUntil, time < heldUntil { return nil }
      guard uptime >= nextAttempt else { return nil }
      nextAttempt = uptime + ScheduleKeeper.retrySeconds
      return .start
    }
  }
}
