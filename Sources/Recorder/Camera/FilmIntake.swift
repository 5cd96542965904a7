import Cameras
import Frames
import Platform

/// Places a camera's frames in a film, enters each in the ledger, and hands it to the bake.
///
/// `@unchecked Sendable`: every `var` is touched by the camera's thread alone, or, if the camera has ended before, by
/// the thread that attaches it.
final class FilmIntake: FrameConsumer, @unchecked Sendable {
  private let session: RecordingSession
  private let controls: ControlAccount?
  private var placer: FramePlacer
  /// No frame from before this time is the film's.
  private let begin: MonotonicTime?
  /// The film's own end is known.
  private var isLimited: Bool
  /// The camera is silent, and what was due since its last frame will not arrive any more.
  private var isSilent = false
  /// The camera has nothing to give, and that for longer than a frame is late.
  private var isOverdue = false
  private let left = MonotonicSemaphore()

  private var state: SessionState { session.state }
  private var camera: any Camera { session.parts.camera }

  init(_ session: RecordingSession, _ controls: ControlAccount?) {
    self.session = session
    self.controls = controls
    begin = session.state.begin
    isLimited = session.parts.standing == nil
    placer = FramePlacer(
      rate: session.frameRate, keepsSourceTimes: session.parts.camera.format.isClip,
      timeBase: session.timeBase, limit: isLimited ? session.state.limit : nil)
  }

  /// Waits until the last frame is taken. Any thread but the camera's, any number of times.
  func wait() {
    left.wait()
    left.signal()
  }

  var isOver: Bool { state.isStopping }

  func take(_ event: consuming CameraEvent, _ silence: borrowing CameraSilence) -> Bool {
    (isSilent, isOverdue) = (silence.isWarned, false)
    guard isDue(event) else { return true }
    if !isLimited, let start = session.standing.start {
      isLimited = true
      placer.ends(state.limit, behind: start)
    }
    switch consume event {
    case .frame(var frame):
      controls?.complete(&frame)
      let isFirst = !placer.hasBegun
      guard let place = placer.place(frame), take(place) else { return false }
      let before = session.ledger.entered(missing: place.missing)
      // Whoever hears of it finds it in the ledger.
      if isFirst { state.firstFrameArrived() }
      note(missing: place.missing, before: place.index)
      handOver(CapturedJob(frame: frame, place: place, before: before))
    // Behind another film it is one of the frames that were due between the two, which are counted by time.
    case .damaged where !placer.hasBegun && state.isContinuation: break
    case .damaged where !placer.hasBegun:
      // The movie begins with an intact frame; its instant is time 0.
      session.ledger.enteredDamaged(missing: 0)
      session.noteLoss(.deviceError, frame: nil, count: 1)
      placer.skipDamaged()
    case .damaged(let sequence, let captureTime):
      guard !placer.isBehindLimit(damagedAt: captureTime) else {
        _ = placer.closeAtLimit()
        return false
      }
      guard let place = placer.placeDamaged(sequence: sequence, captureTime: captureTime), take(place) else {
        return false
      }
      session.ledger.enteredDamaged(missing: place.missing)
      note(missing: place.missing, before: place.index)
      session.noteLoss(.deviceError, frame: place.index, count: 1)
    case .nothing:
      isOverdue = silence.isOverdue
      if isSilent, placer.isPastLimit(at: .now()) { return false }
    case .ended: return false
    }
    return !placer.isAtLimit
  }

  /// False for a frame in front of the film.
  private func isDue(_ event: borrowing CameraEvent) -> Bool {
    guard let begin, !placer.hasBegun else { return true }
    switch event {
    case .frame(let frame): return frame.captureTime >= begin
    case .damaged(_, let captureTime): return captureTime >= begin
    case .nothing: return true
    case .ended: return true
    }
  }

  func warn(_ sentence: String) { state.warn(sentence) }

  func cameraEnded(_ ending: CameraEnding) -> Bool {
    switch ending {
    case .finished:
      state.cameraHasFinished()
      return false
    case .closed: return false
    case .lost(let loss, let error, let silence):
      isSilent = silence.isWarned
      let wasSilent = loss == .silent || loss == .failed || loss == .changedFormat && silence.isWarned
      guard state.losesCamera(loss, silentSince: wasSilent ? silence.since : nil) else { return false }
      state.fail(failure(loss, error), because: error)
    case .failed(let error, let silence):
      isSilent = silence.isWarned
      guard error.code == .device else {
        state.fail(error)
        return true
      }
      guard state.losesCamera(.failed) else { return false }
      state.fail(isWaiting ? givenUp(.failed, error) : error, because: error)
    }
    return true
  }

  func detached() {
    if isSilent || isOverdue && state.isEnded { closeInSilence() }
    state.ended(atTicks: placer.endTicks, seconds: Double(placer.endTicks) * session.timeBase.doubleValue)
    session.bakeQueue.close()
    left.signal()
  }

  /// The film has lost its camera: what has happened, what is left of the recording, and what to do if nobody else does
  /// it.
  private func failure(_ loss: CameraLoss, _ error: CamrecError) -> CamrecError {
    guard !session.isStanding else { return error }
    guard !isWaiting else { return givenUp(loss, error) }
    let kept = placer.hasBegun ? "; what was recorded until then is kept" : ""
    let isContinued = state.awaitsCamera && (placer.hasBegun || state.isContinuation)
    let remedy = isContinued ? nil : loss.remedy
    return FilmIntake.error(error, kept + (remedy.map { "; \($0)" } ?? ""))
  }

  /// The film's time has not come.
  var isWaiting: Bool { begin != nil && !placer.hasBegun }

  var isStanding: Bool { session.isStanding }

  private func givenUp(_ loss: CameraLoss, _ error: CamrecError) -> CamrecError {
    FilmIntake.error(error, "; the film that waited for its time does not begin; \(loss.remedyBeforeFilm)")
  }

  /// - Parameter rest: what is to be said behind the error's own sentence.
  private static func error(_ error: CamrecError, _ rest: String) -> CamrecError {
    CamrecError(
      .device, about: error.field, error.sentence + Sentence(text: rest), cause: error.cause, reason: error.reason)
  }

  /// Tells the other threads about a frame's place. False if it lies beyond the limit.
  private func take(_ place: Timeline.Place) -> Bool {
    guard !placer.isBehindLimit(place) else {
      let next = placer.nextIndex, missing = placer.closeAtLimit()
      session.ledger.missed(missing)
      note(missing: missing, before: next + Int64(missing))
      return false
    }
    placer.keep(place)
    if let reading = placer.clock { session.clock.set(reading) }
    // Before the ledger: the length is never shorter than the frames that it counts.
    state.arrived(
      seconds: Double(place.ticks) * session.timeBase.doubleValue,
      end: Double(placer.endTicks) * session.timeBase.doubleValue)
    placer.reportRate(to: state, cameraName: camera.name)
    return true
  }

  /// The recording ends while the camera is silent: what was due since its last frame is lost, and the picture lasts as
  /// long as the sound.
  private func closeInSilence() {
    guard !session.isStanding else { return }
    let next = placer.nextIndex, missing = placer.closeInSilence(at: .now())
    session.ledger.missed(missing)
    note(missing: missing, before: next + Int64(missing))
  }

  /// Notes frames that were due before `index` and never arrived.
  private func note(missing: Int, before index: Int64) {
    guard missing > 0 else { return }
    session.noteLoss(.deviceGap, frame: index - Int64(missing), count: Int64(missing))
  }

  private func handOver(_ job: consuming CapturedJob) {
    let index = job.place.index, options = session.options
    if options.overload == .wait {
      if session.bakeQueue.push(job) != nil { session.lose(.overload, index, at: .capture) }
      return
    }
    guard session.bakeQueue.offer(job) != nil else { return }
    let isDisk = session.isHeldUpByDisk
    session.lose(isDisk ? .disk : .overload, index, at: .capture)
    guard options.overload == .stop, !session.isStanding else { return }
    let remedy = LossReason.overload.words.remedy(
      isClip: camera.format.isClip, hasFasterPreset: session.parts.hasFasterPreset)
    let sentence: Sentence =
      isDisk
      ? "the recording stopped because the disk could not keep up (\(setting: .onOverload) stop); use a faster disk or "
        + "a lower \(setting: .bitrate)"
      : "the recording stopped because the bake or the encoder could not keep up (\(setting: .onOverload) stop); "
        + "\(sentence: remedy)"
    state.fail(CamrecError(.overload, about: nil, sentence))
  }
}
