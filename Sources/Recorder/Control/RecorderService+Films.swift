import Cameras
import Exposure
import Frames
import Movies
import RecorderAPI
import Synchronization

/// What the recorder's thread reports about its films.
extension RecorderService {
  func takeErrand() -> RecorderErrand? {
    shared.withLock { $0.errands.isEmpty ? nil : $0.errands.removeFirst() }
  }

  /// Applies earlier camera settings to this film's camera.
  ///
  /// - Parameter hasFocus: takes the focus along; otherwise `refocus` does, once the camera before is closed.
  func settle(_ film: PreparedFilm, hasFocus: Bool = true) {
    guard let controls = film.session.parts.camera.controls else { return }
    resume(controls).forEach(film.session.state.warn)
    let settings = shared.withLock { $0.settings }
    settings.apply(to: controls).forEach(film.session.state.warn)
    if hasFocus { refocus(film) }
    balance.read(controls)
  }

  /// Holds the focus, or searches for it, as the camera before did.
  func refocus(_ film: PreparedFilm) {
    guard let controls = film.session.parts.camera.controls else { return }
    do throws(CamrecError) {
      try shared.withLock { $0.focus }?.resume(controls)
    } catch {
      film.session.state.warn(error.message)
    }
  }

  /// Takes up what was set on this camera when the recorder last ran.
  ///
  /// - Returns: sentences about settings that the camera no longer accepts.
  private func resume(_ controls: any CameraControls) -> [String] {
    let own = shared.withLock { shared in
      let own = shared.resumed.filter { $0.camera == controls.identity }
      shared.resumed.removeAll { $0.camera == controls.identity }
      return own
    }
    return own.compactMap { control in
      do throws(CamrecError) {
        let setting = try ControlSetting(parsing: "\(control.name)=\(control.value)")
        let changes = try setting.changes(among: try controls.offers())
        shared.withLock { $0.settings.keep(changes, of: controls.identity) }
        return nil
      } catch {
        return "cannot set \(control.name) to \(control.value) again: \(error.message)"
      }
    }
  }

  /// This film is the current one, and begins with its first frame.
  func begins(_ film: PreparedFilm) {
    let (isQuitting, endOrigin) = shared.withLock {
      // A camera that is back may deliver nothing: until that frame the recorder waits as before.
      if $0.phase != .waiting {
        $0.phase = .starting
        ($0.startFailure, $0.cameraFailure) = (nil, nil)
      }
      $0.order.number += 1
      $0.current = Current(
        session: film.session, path: film.path, source: film.source, address: film.address,
        modeRefusal: film.modeRefusal, leftover: film.leftover)
      return ($0.isQuitting, $0.endOrigin)
    }
    changes.ring()
    // Who asked for the end did so before the film was there to note it.
    film.session.state.noteStop(by: endOrigin)
    if isQuitting { film.session.requestStop() }
  }

  /// The camera runs, but its film has not begun.
  ///
  /// - Parameter phase: `stopping` while the film before is being finished.
  func stands(by film: PreparedFilm, in phase: RecorderState.Phase = .standby) {
    let isQuitting = shared.withLock {
      $0.phase = phase
      $0.cameraFailure = nil
      $0.current = Current(
        session: film.session, path: "", source: film.source, address: film.address, modeRefusal: film.modeRefusal,
        leftover: film.leftover, isStanding: true)
      return $0.isQuitting
    }
    changes.ring()
    if isQuitting { film.session.requestStop() }
  }

  /// The standby camera is closed again.
  func liesDown(_ session: RecordingSession) {
    defer { changes.ring() }
    shared.withLock {
      guard $0.current?.session === session else { return }
      $0.keepExposure(of: session)
      $0.current = nil
    }
  }

  /// The camera runs, whether a film is recorded or not.
  func opens(_ camera: CameraSession, for film: PreparedFilm) {
    shared.withLock { $0.camera = OpenCamera(session: camera, source: film.source, modeRefusal: film.modeRefusal) }
    changes.ring()
  }

  /// The camera is closed.
  func closed(_ camera: CameraSession) {
    shared.withLock {
      guard $0.camera?.session === camera else { return }
      $0.keepExposure(camera.exposure)
      $0.camera = nil
    }
    changes.ring()
  }

  /// There is no camera to stand by with.
  func lacksCamera(_ error: CamrecError) {
    shared.withLock { $0.cameraFailure = error }
    changes.ring()
  }

  /// The last exposure of the same camera.
  var lastExposure: (setting: ExposureSetting?, measurement: ExposureService.Measurement?) {
    shared.withLock { shared in
      guard let last = shared.exposure, last.source == shared.order.source else { return (nil, nil) }
      return (last.setting, last.measurement)
    }
  }

  /// A film is being finished, and another one, or a pre-roll, takes its place.
  func parts(from session: RecordingSession, in phase: RecorderState.Phase) {
    defer { changes.ring() }
    shared.withLock {
      $0.keepExposure(of: session)
      $0.finishing.append(session)
      // One that waited for its time and has no frame leaves no film.
      if session.state.firstArrival != nil {
        $0.lastFilm = session.lastPath ?? $0.current?.path
        ($0.lastIdentity, $0.lastSegment, $0.failure) = (session.identity, session.currentFile.segment, nil)
        $0.lastBegun = session.parts.identity.film
      }
      $0.current = nil
      $0.phase = phase
    }
  }

  /// Whether films are being finished behind the current one. Any thread.
  package var isFinishing: Bool { shared.withLock { !$0.finishing.isEmpty } }

  /// Whether the recorder continues when a film ends by itself.
  func holdsOn(_ holds: Bool) { shared.withLock { $0.holdsOn = holds } }

  /// The camera is about to be closed.
  func leavesCamera() { shared.withLock { $0.focus }?.pause() }

  /// A film is finished, or given up.
  func concluded(_ film: PreparedFilm, _ summary: SessionSummary) {
    defer { changes.ring() }
    let last = RecorderService.last(of: film, summary)
    let failure = summary.failure?.description
    shared.withLock {
      let isCurrent = $0.current?.session === film.session
      // One that was recorded before may be finished later.
      let isLast = isCurrent || $0.lastBegun == film.session.parts.identity.film
      $0.ledger.add(summary.counts)
      if last != nil, isLast {
        $0.lastAccount = .init(
          ledger: RecorderLedger.reading(of: summary.counts), soundLost: film.session.state.sound?.lostFrames ?? 0)
      }
      $0.disk.add(finished: film.session.disk)
      $0.totals.add(film.session.state, bytes: summary.movie?.bytes)
      if !film.session.hasFirstFrame { $0.order.number -= 1 }
      let isLatest = $0.finishing.last === film.session
      $0.finishing.removeAll { $0 === film.session }
      guard isCurrent else {
        // What ended it first is the reason. If that was the camera, only now is it known what the disk has not stored.
        let isCamera = film.session.state.cameraError != nil
        if isLast { $0.failure = isCamera ? failure ?? $0.failure : $0.failure ?? failure }
        // Nobody is to see that a film is finished which is told of no more.
        let isFinished = isLatest || $0.isQuitting && $0.finishing.isEmpty
        if isFinished, $0.phase == .stopping, $0.current?.isStanding != false { $0.phase = $0.phaseAtRest }
        return
      }
      // Without a frame of it, the recorder goes on waiting for its camera.
      let isAwaited = $0.phase == .waiting && !film.session.hasFirstFrame
      if let last {
        ($0.lastFilm, $0.lastIdentity, $0.failure) = (last.path, last.identity, failure)
        $0.lastSegment = film.session.segment(of: last.identity)
        $0.lastBegun = film.session.parts.identity.film
      } else if !isAwaited {
        $0.startFailure = failure
      }
      $0.current = nil
      $0.lastFilmFailed = summary.failure != nil
      // One that has just taken over may reach its end before anybody looks again.
      let isWhole = summary.failure == nil && film.session.state.firstArrival != nil
      if !standsBy, !$0.holdsOn || isWhole { $0.isQuitting = true }
      if $0.isQuitting || !isAwaited { $0.phase = $0.phaseAtRest }
    }
  }

  /// Of these files, the last one that exists; `nil` if nothing was kept.
  private static func last(
    of film: PreparedFilm, _ summary: SessionSummary
  ) -> (path: String, identity: RecordingIdentity)? {
    // Deleted films exist until they have a copy.
    guard summary.movie != nil || !summary.held.isEmpty else { return nil }
    let begun = film.session.identity
    guard summary.failure != nil, let movie = summary.movie, let kept = summary.identity, kept.film != begun.film else {
      return (film.session.lastPath ?? film.path, begun)
    }
    // The file that was begun last has no frame.
    return (movie.path, kept)
  }

  /// Reports a change caused by the machine's heat with the current film. Any thread.
  public func ease(_ change: EffortChange) { shared.withLock { $0.current?.session }?.state.eased(change) }

  /// The recorder's own thread is alive.
  func beat() { beats.add(1, ordering: .relaxed) }

  /// The recorder begins to wait for a camera.
  ///
  /// - Parameters:
  ///   - failure: why there is none.
  ///   - filmFailure: why the film ended early.
  func awaits(because failure: CamrecError?, filmFailure: CamrecError?) {
    shared.withLock {
      $0.totals.absences? += 1
      $0.failure = filmFailure?.description
    }
    waits(because: failure)
  }

  /// The recorder waits for a camera.
  func waits(because failure: CamrecError?) {
    defer { changes.ring() }
    shared.withLock {
      ($0.startFailure, $0.cameraFailure) = (nil, failure)
      $0.isCameraBack = failure.map { $0.code != .device } ?? false
      $0.phase = .waiting
    }
  }

  var order: FilmOrder { shared.withLock { $0.order } }
  var isQuitting: Bool { shared.withLock { $0.isQuitting } }

  /// The last film ended because of a failure. Any thread.
  public var lastFilmFailed: Bool { shared.withLock { $0.lastFilmFailed } }

  /// No film begins. A command that is refused changes nothing.
  func failsToStart(_ error: CamrecError) {
    if error.code != .usage { shared.withLock { $0.startFailure = error.description } }
    turn(to: .standby)
  }

  /// The film that waits for its camera is not to be continued.
  func isNotAwaited() { shared.withLock { ($0.lastFilmFailed, $0.cameraFailure) = (false, nil) } }

  /// The film has all its frames.
  func finishes(_ session: RecordingSession) {
    let isNew = shared.withLock { shared in
      guard shared.current?.session === session, shared.phase == .recording else { return false }
      shared.phase = .stopping
      return true
    }
    if isNew { changes.ring() }
  }

  /// The film has its first frame.
  func hasBegun(_ session: RecordingSession) {
    let isNew = shared.withLock { shared in
      guard shared.current?.session === session, [.starting, .waiting].contains(shared.phase) else { return false }
      (shared.phase, shared.cameraFailure) = (.recording, nil)
      return true
    }
    if isNew { changes.ring() }
  }

  func turn(to phase: RecorderState.Phase) {
    shared.withLock { $0.phase = phase }
    changes.ring()
  }

  /// Nothing is recorded, and no camera is awaited.
  func rests() {
    shared.withLock { $0.phase = $0.phaseAtRest }
    changes.ring()
  }

  func quit() { shared.withLock { $0.isQuitting = true } }
  /// By a command.
  func isAskedToEnd() { shared.withLock { $0.isAskedToEnd() } }
  /// Sets the source of later films, and the exposure that goes with it.
  func take(_ order: FilmOrder) {
    shared.withLock {
      if $0.kept.exposure == $0.order.exposure { $0.kept.exposure = order.exposure }
      $0.order.source = order.source
      $0.order.exposure = order.exposure
    }
  }
  /// Frames were due between two films.
  func lacks(_ frames: Int) { shared.withLock { $0.ledger.add(between: frames) } }

  /// No film follows the last one, which has ended as it was told to.
  func ended(failure: CamrecError) {
    defer { changes.ring() }
    shared.withLock {
      $0.startFailure = failure.description
      if !standsBy { $0.isQuitting = true }
      $0.phase = $0.phaseAtRest
    }
  }
}
