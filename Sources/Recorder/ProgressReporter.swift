import Frames
import Movies
import Platform

/// Turns a session's state into the observer's calls, about twice a second.
struct ProgressReporter {
  private let begin: MonotonicTime
  private var hasStarted = false
  private var lastReport: MonotonicTime
  private var lastWritten = 0
  private var lastPath: String?
  private var alarm: LossAlarm
  /// Before there is a film.
  private var preRollAlarm: LossAlarm
  private var hasSaidShortfall = false

  /// - Parameters:
  ///   - sampleRate: of the film's audio; `nil` without audio.
  ///   - isClip: the frames come from a clip.
  ///   - isDivided: the recording is divided into segments.
  ///   - hasFasterPreset: the encoder has a faster preset than the film's.
  init(begin: MonotonicTime, sampleRate: Int?, isClip: Bool, isDivided: Bool, hasFasterPreset: Bool) {
    self.begin = begin
    lastReport = begin
    alarm = LossAlarm(
      sampleRate: sampleRate ?? 48_000, isClip: isClip, isDivided: isDivided, hasFasterPreset: hasFasterPreset)
    preRollAlarm = LossAlarm(
      sampleRate: sampleRate ?? 48_000, isClip: isClip, hasFasterPreset: hasFasterPreset, isPreRoll: true)
  }

  /// - Parameter isEnd: the ledger is closed: nothing more will be lost.
  mutating func report(_ session: RecordingSession, to observer: any SessionObserver, isEnd: Bool = false) {
    if let path = session.lastPath, path != lastPath {
      lastPath = path
      observer.writes(path)
    }
    tellRemarks(of: session, to: observer, isEnd: isEnd)
    // In standby there is nothing else to report.
    guard !session.isStanding else { return tellPreRollLosses(of: session, to: observer, isEnd: isEnd) }
    if !hasStarted, let first = session.standing.start?.time ?? session.state.firstArrival {
      hasStarted = true
      if let start = session.standing.start { observer.begins(withFrame: start.frame) }
      observer.started(at: first)
    }
    session.state.takeSegments().forEach(observer.segmented)
    let now = MonotonicTime.now()
    let isDue = now - lastReport >= 500_000_000
    if isDue || isEnd { tellLosses(of: session, to: observer, at: now, isEnd: isEnd) }
    guard hasStarted, isDue else { return }
    let counts = session.ledger.counts
    // A full disk takes back frames that were handed to it.
    let rate = Double(max(0, counts.written - lastWritten)) / (Double(now - lastReport) * 1e-9)
    observer.progressed(
      SessionProgress(
        seconds: session.filmSeconds, counts: counts, repeated: session.state.repeats, framesPerSecond: rate,
        bytes: session.state.bytes, peak: session.state.takePeak(), unsavedSeconds: session.unsavedSeconds))
    lastReport = now
    lastWritten = counts.written
  }

  private mutating func tellLosses(
    of session: RecordingSession, to observer: any SessionObserver, at now: MonotonicTime, isEnd: Bool
  ) {
    for loss in session.state.takeLosses() { alarm.record(loss) }
    if let refusal = session.state.refusal { alarm.record(refusal, at: now) }
    if let loss = session.state.takeSoundLoss() {
      alarm.record(lostSamples: loss.count, from: max(0, loss.sample - session.start.sample))
    }
    if let loss = session.state.takeSoundRefusal() {
      alarm.record(refusedSamples: loss.count, from: max(0, loss.sample - session.start.sample))
    }
    let remarks = alarm.warnings(at: now, isEnd: isEnd) { session.place(ofLost: $0, isEnd: isEnd) }
    // Called slow once, the disk is not called full for the same frames.
    if session.state.refusal == nil, remarks.contains(where: { $0.facts["reason"] == LossReason.disk.rawValue }) {
      session.state.saidOfDisk()
    }
    remarks.forEach(observer.remarked)
  }

  private mutating func tellPreRollLosses(
    of session: RecordingSession, to observer: any SessionObserver, isEnd: Bool
  ) {
    for loss in session.state.takePreRollLosses() { preRollAlarm.record(loss) }
    // While the microphone is away, that is known.
    if session.state.soundFailure == nil || isEnd {
      preRollAlarm.record(lostSamples: session.state.takePreRollSoundLoss(), from: nil)
    }
    preRollAlarm.warnings(at: .now(), isEnd: isEnd).forEach(observer.remarked)
    if !hasSaidShortfall, let shortfall = session.parts.standing?.roll.shortfall {
      hasSaidShortfall = true
      observer.remarked(shortfall.remark)
    }
  }

  private func tellRemarks(of session: RecordingSession, to observer: any SessionObserver, isEnd: Bool) {
    // In standby they are about no film; the one before may still be being finished.
    let hasFilm = !session.isStanding
    for var remark in session.state.takeRemarks(isEnd: isEnd) {
      // While a film is finished, another may be written.
      if remark.film == nil {
        if hasFilm { remark.film = session.lastPath } else { remark.namesFilm = true }
      }
      observer.remarked(remark)
    }
    session.state.takeChanges().forEach(observer.eased)
  }
}
