import Cameras
import Exposure
import Foundation
import Frames
import Movies
import Platform
public import RecorderAPI
import Synchronization

/// The state of a recorder.
extension RecorderService {
  public var state: RecorderState {
    var state = ownState
    state.beats = nil
    let camera = openCamera
    if let reading = camera?.controls.flatMap(balance.reading(of:)) {
      state.whiteBalance = reading.value
      state.whiteBalanceAge = max(0, Double(MonotonicTime.now() - reading.time) * 1e-9)
    }
    return state
  }

  /// The state without the camera's white balance: looks at no camera, not even in the background.
  public var ownState: RecorderState {
    var now = shared.withLock { $0 }
    now.phase = now.phaseNow
    var state = RecorderState(phase: now.phase)
    state.beats = beats.load(ordering: .relaxed)
    let filming = now.current.flatMap { $0.isStanding ? nil : $0 }
    // While the recorder waits for its camera, the film that is to follow is none yet.
    let told = now.phase == .waiting ? nil : filming, own = told?.session
    state.film = told?.path ?? now.lastFilm
    state.identity = own?.identity ?? now.lastIdentity
    state.startFailure = now.startFailure
    if [.waiting, .standby].contains(now.phase) { state.cameraFailure = now.cameraFailure?.description }
    if now.phase == .waiting, now.isCameraBack {
      (state.cameraFailure, state.continuationFailure) = (nil, now.cameraFailure?.description)
    }
    state.segment = own == nil ? now.lastSegment : own?.currentFile.segment
    if own == nil { state.failure = now.failure }
    let sessions = now.finishing + [filming?.session].compactMap(\.self)
    // A film begins with its first frame.
    state.films = now.order.number - sessions.count { !$0.hasFirstFrame }
    state.ledger = now.ledger.reading(with: sessions.map(\.ledger.counts))
    // A film that is being finished was recorded last.
    state.filmAccount = (own ?? now.finishing.last).map(RecorderService.account) ?? now.lastAccount
    if now.order.number > 0 || now.room?.freeBytes != nil {
      var disk = now.current?.session.disk ?? DiskStatus()
      for session in now.finishing { disk.add(finishing: session.disk) }
      disk.add(finished: now.disk)
      (disk.freeBytes, disk.secondsLeft) = (now.room?.freeBytes, now.room?.secondsLeft)
      disk.isSecondsLeftMeasured = now.room?.isMeasured
      state.disk = disk
    }
    let unsaved = sessions.compactMap(\.unsavedSeconds)
    state.unsavedSeconds = unsaved.isEmpty ? nil : unsaved.reduce(0, +)
    // While the next pre-roll runs already, or the recorder waits, the film before may still be being finished.
    let film = own ?? now.finishing.last.flatMap { $0.hasFirstFrame ? $0 : nil }
    state.lossBound = film?.lossBound
    // A film with a pre-roll that was just asked for begins with the next frame.
    if let film, !film.isStanding { RecorderService.tell(of: film, in: &state) }
    var totals = now.totals
    for session in sessions { totals.add(session.state) }
    totals.deletedFilms = now.deletedFilms
    state.totals = totals
    guard let current = now.current else {
      if let camera = now.running {
        state.source = camera.source
        state.exposure = camera.session.exposure?.status
        state.level = camera.session.sound?.level.reading(at: .now())
        state.focus = now.focus?.status
        if state.exposure != nil { return state }
      }
      state.nextExposure = now.order.exposure.map {
        RecorderState.NextExposure(mode: $0.mode.rawValue, bias: $0.bias.ev, isLocked: $0.isLocked)
      }
      return state
    }
    let session = current.session
    state.source = current.source
    state.preRoll = session.preRoll
    state.level = session.state.level.reading(at: .now())
    state.exposure = session.parts.exposure?.status
    state.focus = now.focus?.status
    state.queues = session.queues
    state.effort = session.parts.effort?.status
    state.ratePartsPerMillion = session.state.ratePartsPerMillion
    return state
  }

  /// The members about the film that is recorded or finished.
  private static func tell(of film: RecordingSession, in state: inout RecorderState) {
    let file = film.currentFile
    if !file.path.isEmpty { state.film = file.path }
    state.segment = file.segment
    state.started = film.startDate
    state.seconds = film.filmSeconds
    state.bytes = film.state.bytes
    state.timecode = film.timecode(atFilmSeconds: film.filmSeconds(at: film.state.lastSeconds))
    state.marker = film.marker
  }

  private static func account(_ film: RecordingSession) -> RecorderState.FilmAccount {
    RecorderState.FilmAccount(
      ledger: RecorderLedger.reading(of: film.ledger.counts), soundLost: film.state.sound?.lostFrames ?? 0)
  }
}
