import Frames

/// Turns a session's state into the observer's calls, about twice a second.
struct ProgressReporter {
  private let begin: MonotonicTime
  private var hasStarted = false
  private var lastReport: MonotonicTime
  private var lastWritten = 0

  init(begin: MonotonicTime) {
    self.begin = begin
    lastReport = begin
  }

  mutating func report(_ session: RecordingSession, to observer: any SessionObserver) {
    if !hasStarted, let first = session.state.firstArrival {
      hasStarted = true
      observer.started(at: first)
    }
    session.state.takeWarnings().forEach(observer.warned)
    let now = MonotonicTime.now()
    guard hasStarted, now - lastReport >= 500_000_000 else { return }
    let counts = session.ledger.counts
    let rate = Double(counts.written - lastWritten) / (Double(now - lastReport) * 1e-9)
    observer.progressed(
      SessionProgress(
        seconds: session.state.lastSeconds, counts: counts, framesPerSecond: rate, bytes: session.state.bytes,
        peak: session.state.takePeak()))
    lastReport = now
    lastWritten = counts.written
  }
}
