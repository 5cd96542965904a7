/// Decides when a schedule starts and stops films. A value: times and the recorder's state in, commands out.
///
/// A film starts when a window opens, and whatever is being recorded stops when the last window ends. In between,
/// others may stop the recording: a film that was stopped, or that reached its own end, is not restarted in the same
/// window. A film that failed is.
public struct ScheduleKeeper: Hashable, Sendable {
  public enum Decision: Hashable, Sendable {
    case start, stop
  }

  /// The recorder as the schedule sees it.
  public enum Recorder: Hashable, Sendable {
    /// No film; says whether the last one failed.
    case idle(hasFailed: Bool)
    /// It records a film, or waits for the film's camera.
    case records
    /// A film is starting.
    case starting
    /// A film is being finished, or camrec is ending.
    case stopping
  }

  private var schedule: RecordingSchedule
  private var wasOpen = false
  private var hasRecorded = false
  /// Somebody stopped the film: start none before this time.
  private var heldUntil: Int64?
  private var nextAttempt = Int64.min

  /// Seconds from a failed attempt to the next.
  public static let retrySeconds: Int64 = 10

  public init(_ schedule: RecordingSchedule) { self.schedule = schedule }

  /// - Parameters:
  ///   - time: the wall clock, in seconds of Unix time.
  ///   - uptime: a monotonic clock, in seconds.
  public mutating func look(
    at time: Int64, uptime: Int64, _ recorder: Recorder, offset: RecordingSchedule.Offset
  ) -> Decision? {
    let end = schedule.end(at: time, offset: offset)
    guard let end else {
      heldUntil = nil
      nextAttempt = .min
      hasRecorded = recorder == .records
      let stops = wasOpen && recorder == .records
      // A film that is starting is stopped when it records.
      if recorder != .starting { wasOpen = false }
      return stops ? .stop : nil
    }
    defer { wasOpen = true }
    switch recorder {
    case .starting, .stopping: return nil
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
