import Audio
import Cameras
import Frames
import Platform
import RecorderAPI

/// The work of the recorder's thread: begins films, watches them, continues one with another, and concludes them.
///
/// A film that continues another begins as soon as the other's last frame is captured; the other is finished meanwhile.
final class RecorderRun {
  /// A film whose threads are running.
  struct Take {
    var film: PreparedFilm
    let running: RunningSession
    /// The recorder waits for its camera, which the film has not lost itself.
    var isAwaited = false
    /// The film that it continues, until the gap between them is known.
    var predecessor: (path: String, end: MonotonicTime)?

    var session: RecordingSession { film.session }
  }

  let service: RecorderService
  let factory: any FilmFactory
  let observer: any SessionObserver
  var take: Take?
  /// A camera that runs before its film begins.
  var standing: Take?
  /// When the next such camera may be opened.
  var standby = StandbyAttempts()
  /// The camera that runs, with or without a film. One that belongs to its film is not kept here.
  var camera: CameraSession?
  /// Since when nobody has used it.
  var unusedSince: MonotonicTime?
  /// The camera of the last film, if it is gone.
  var absence: CameraAbsence?
  /// Films that are being finished.
  private(set) var finishing: [Take] = []
  /// The microphones of the films so far, by name.
  private var microphones: [String: any Microphone] = [:]
  /// Those that run.
  private var sounds: [MicrophoneSession] { [camera?.sound].compactMap(\.self) }
  /// Why no more films can be made.
  private var ending: CamrecError?

  private static let beat = 0.1
  static let shortBeat = 0.01
  /// Nanoseconds that a new camera gets to adapt its exposure before it takes over from another one.
  private static let patience: Int64 = 1_000_000_000
  /// Nanoseconds in which a stream ends whose device is missing.
  private static let notice: Int64 = 300_000_000

  init(_ service: RecorderService, _ factory: any FilmFactory, _ observer: any SessionObserver) {
    self.service = service
    self.factory = factory
    self.observer = observer
  }

  /// - Throws: the error that makes the first film impossible, or a film that should continue with another source.
  func run() throws(CamrecError) {
    let order = service.order
    if service.standsBy {
      // Report problems now, not when somebody presses the button.
      if !service.looksOnly { try check(order) }
      service.turn(to: .standby)
      factory.standsBy()
    } else {
      begin(try factory.prepare(order))
    }
    while true {
      if service.isQuitting, take == nil, finishing.isEmpty { break }
      beat()
      lookForCamera()
      standByWithCamera()
      restCamera()
      endIfOver()
      while let errand = service.takeErrand() {
        do throws(CamrecError) {
          try perform(errand.task)
          errand.finish()
        } catch {
          errand.finish(error)
        }
      }
    }
    endWait()
    lieDown()
    closeCamera()
    if let ending { throw ending }
  }

  /// Without standby, a recorder ends where nothing is recorded and no camera is awaited.
  private func endIfOver() {
    guard !service.standsBy, !service.isQuitting, take == nil, absence == nil else { return }
    service.quit()
    service.rests()
  }

  // MARK: Errands

  private func perform(_ task: RecorderErrand.Task) throws(CamrecError) {
    guard !service.isQuitting else { throw RecorderService.ended }
    hearsOfLoss()
    switch task {
    case .start(let instant):
      guard take == nil else { throw CamrecError(.usage, "already recording; stop first", reason: .recording) }
      if let absence {
        throw absence.refusal("", RecorderRun.goesOn, code: .usage, reason: .awaitingCamera)
          ?? CamrecError(
            .usage, "the recording continues by itself when the camera is back; to begin a new one, stop first",
            reason: .awaitingCamera)
      }
      service.turn(to: .starting)
      do throws(CamrecError) {
        if instant == nil, try beginStanding() { return }
        waitForMicrophones()
        try beginAlone(at: instant)
      } catch {
        if take == nil { service.failsToStart(error) }
        throw error
      }
    case .stop(let origin):
      guard take != nil || absence != nil else {
        throw CamrecError(.usage, "nothing is being recorded", reason: .notRecording)
      }
      stop(by: origin)
    case .quit(let origin):
      service.quit()
      stop(by: origin)
    case .source(let change, let origin):
      try follow(change, by: origin)
    case .check(let exposure):
      var order = service.order
      order.exposure = exposure
      guard take == nil, absence == nil else { break }
      if standing == nil { closeCamera() }
      do throws(CamrecError) {
        try check(order)
      } catch {
        // There is no camera to ask; the next one that opens is asked.
        guard error.code == .device, error.reason != .notOffered else { throw error }
      }
    case .look:
      try wakeCamera()
    }
  }

  private static let goesOn: Sentence = "; then it continues by itself; to begin a new one, stop first"

  private func stop(by origin: String?) {
    if !service.standsBy { service.isAskedToEnd() }
    if absence != nil {
      endWait()
      service.isNotAwaited()
      if !service.standsBy { service.quit() }
    }
    guard let take else { return service.rests() }
    // One that has all its frames has ended by itself.
    if !take.session.hasEndedCapture { take.session.state.noteStop(by: origin) }
    if service.keepsPreRoll, !service.isQuitting {
      service.turn(to: .stopping)
      return exchangeForStandby(take)
    }
    take.session.requestStop()
    service.turn(to: .stopping)
    while self.take != nil { beat() }
  }

  private func follow(_ change: SourceChange, by origin: String?) throws(CamrecError) {
    let before = service.order
    var order = before
    order.source = before.source.followed(by: change)
    func isSameCamera() -> Bool { factory.isSameCamera(before.source, order.source) }
    // The angle was that of the camera of the start.
    if change.camera != nil, order.exposure?.locksWithAngle == true, !isSameCamera() {
      order.exposure?.locksWithAngle = false
    }
    guard let old = take else {
      lieDown()
      closeCamera()
      do throws(CamrecError) {
        try check(order)
      } catch {
        throw refusal(of: error, isSameCamera: change.camera == nil || isSameCamera())
      }
      service.take(order)
      absence?.isReplaced(by: order.source, factory, origin: origin)
      // The answer tells of the new film.
      lookForCamera()
      return
    }
    guard !old.session.hasEndedCapture else {
      throw RecorderRun.endsAlready
    }
    if let refusal = RecorderService.refusal(toChangeSourceOf: old.session) { throw refusal }
    guard !change.isMet(by: old.film.source) else { return }
    if isSameCamera() {
      // Check first, so that a foreseeable error costs no frame.
      do throws(CamrecError) {
        try factory.check(order.source)
      } catch {
        // The device may be missing a little before the stream ends.
        guard error.code == .device, goesAway(old) else { throw error }
        return try follow(change, by: origin)
      }
      service.leavesCamera()
      old.session.state.part()
      old.running.freeSource()
      guard old.session.state.cameraLoss == nil else {
        hearsOfLoss()
        guard absence != nil else { throw RecorderRun.endsAlready }
        return try follow(change, by: origin)
      }
      try exchange(old, before: before, order, by: origin)
      service.take(order)
    } else if try !replace(old, order, by: origin) {
      try follow(change, by: origin)
    }
  }

  private static let endsAlready = CamrecError(.usage, "the recording is ending", reason: .stopping)

  /// Waits a moment for the film to lose its camera.
  ///
  /// - Returns: whether the recorder waits for the camera now.
  private func goesAway(_ take: Take) -> Bool {
    let begin = MonotonicTime.now()
    while isRecording(take), MonotonicTime.now() - begin < RecorderRun.notice { beat(RecorderRun.shortBeat) }
    return absence != nil
  }

  /// Notes in a film's sidecar who has begun it.
  func note(_ name: String, _ origin: String?, in session: RecordingSession, at seconds: Double? = nil) {
    if let origin { session.noteSetting(name, origin, at: seconds) }
  }

  /// Continues with the same camera in another mode: the camera must be closed first. The film before has its frames.
  private func exchange(
    _ old: Take, before: FilmOrder, _ order: FilmOrder, by origin: String?
  ) throws(CamrecError) {
    var order = order, before = before
    service.holdsOn(true)
    defer { service.holdsOn(false) }
    old.session.state.noteStop(by: origin)
    part(from: old)
    closeCamera()
    let former = FormerFilm(old)
    (order.setting, order.measurement) = (former.setting, former.measurement)
    (before.setting, before.measurement) = (former.setting, former.measurement)
    do throws(CamrecError) {
      note("start", origin, in: try begin(order, behind: former).session, at: 0)
    } catch {
      guard !service.isQuitting else { throw error }
      // Continue the recording as before.
      do throws(CamrecError) {
        note("start", origin, in: try begin(before, behind: former).session, at: 0)
      } catch let second {
        if service.awaitsCamera, second.code == .device {
          let loss = old.session.source.ending?.loss ?? (second.reason == .unplugged ? .unplugged : .failed)
          wait(for: CameraAbsence(old, source: before.source, as: loss), because: second)
          throw refusal(of: error, isSameCamera: true)
        }
        if !service.standsBy { ending = second }
        service.ended(failure: second)
        throw RecorderRun.end(by: error, second)
      }
      throw error
    }
  }

  /// What is said of a change that could not be made, nor undone.
  private static func end(by error: CamrecError, _ second: CamrecError) -> CamrecError {
    let why: Sentence = second.sentence == error.sentence ? "" : ": \(sentence: second.sentence)"
    return end(by: error, ", because it cannot go on as before either\(sentence: why)")
  }

  /// What is said of a change that has failed when the film before had ended.
  private static func end(by error: CamrecError, _ more: Sentence = "") -> CamrecError {
    CamrecError(
      error.code, about: error.field, "\(sentence: error.sentence); the recording has ended\(sentence: more)",
      cause: error.cause, reason: error.reason)
  }

  /// - Returns: the new film.
  @discardableResult
  func begin(_ order: FilmOrder, behind old: FormerFilm) throws(CamrecError) -> PreparedFilm {
    var order = withDevices(order)
    order.recording = old.identity.recording
    let film = try factory.prepare(order)
    begin(film, behind: old)
    try waitForPicture()
    return film
  }

  /// Continues with another camera: it runs, and adapts its exposure, before the present one stops.
  ///
  /// - Returns: false if the present one goes away before that, and the recorder waits for it.
  private func replace(_ old: Take, _ order: FilmOrder, by origin: String?) throws(CamrecError) -> Bool {
    var order = order
    keepMicrophone(of: old)
    order.microphones = Array(microphones.values)
    order.sounds = sounds
    order.overlaps = service.standsBy
    order.recording = old.session.parts.identity.recording
    order.camera = nil
    let film = try factory.prepare(order)
    let source = film.session.source
    source.start()
    let begin = MonotonicTime.now()
    func goesOn() -> Bool { source.ending == nil && isRecording(old) }
    while goesOn(), !source.isExposed, MonotonicTime.now() - begin < RecorderRun.patience {
      beat(RecorderRun.shortBeat)
    }
    while goesOn(), !source.isReady { beat(RecorderRun.shortBeat) }
    if goesOn(), let opening = RecorderRun.opening(of: film.session) {
      while goesOn(), opening.ready == nil { beat(RecorderRun.shortBeat) }
      switch opening.ready {
      case .success(let file)?: film.session.begins(in: file)
      case .failure(let error)?:
        abandon(film)
        throw error
      case nil: opening.giveUp()
      }
    }
    guard goesOn() else {
      // No frame is for this film; it tells why its camera ended.
      if source.ending == nil { film.session.requestStop() }
      let running = launch(film)
      film.session.requestStop()
      let failure = running.end(observer: observer).failure
      abandon(film)
      if failure == nil, absence != nil { return false }
      if let failure {
        throw isRecording(old) ? RecorderRun.staysAsItIs(because: source.ending?.error ?? failure) : failure
      }
      throw CamrecError(.usage, "the recording ended before \(film.source.camera) took over", reason: .stopping)
    }
    service.settle(film, hasFocus: false)
    film.announce(film.path)
    old.session.state.noteStop(by: origin)
    old.session.requestStop()
    old.running.waitForCapture()
    old.running.waitForSound()
    closeCamera()
    service.refocus(film)
    if film.session.parts.microphone === old.session.parts.microphone { old.running.waitForSound() }
    part(from: old)
    let former = FormerFilm(old), before = service.order
    // If its camera goes away now, another film follows.
    service.holdsOn(service.awaitsCamera)
    defer { service.holdsOn(false) }
    service.take(order)
    adopt(film, behind: former) { launch(film) }
    let begun = take
    do throws(CamrecError) {
      try waitForPicture()
    } catch {
      guard let begun, isAwaited(begun), !service.isQuitting else {
        service.take(before)
        throw RecorderRun.end(by: error)
      }
      closeCamera()
      wait(for: CameraAbsence(begun, source: order.source, behind: former, by: origin), because: error)
      return true
    }
    note("start", origin, in: film.session, at: 0)
    return true
  }

  /// What is said of another camera that delivers no frame.
  private static func staysAsItIs(because error: CamrecError) -> CamrecError {
    CamrecError(
      error.code, about: error.field,
      "the other camera does not take over: \(sentence: error.sentence); the recording goes on as before",
      cause: error.cause, reason: error.reason)
  }

  /// Begins to open the film's file while another film is recorded: a disk that does not answer holds neither that nor
  /// this thread.
  private static func opening(of session: RecordingSession) -> SegmentPreparation? {
    // A segment's name may still be that of the one prepared last, and a clip's film depends on its first frame.
    guard session.parts.segments == nil, !session.parts.camera.format.isClip else { return nil }
    return session.parts.prepareFile.map { SegmentPreparation($0) }
  }

  private func isRecording(_ take: Take) -> Bool {
    self.take?.session === take.session && !service.isQuitting && !take.session.hasEndedCapture
  }

  /// Leaves a film to be finished.
  ///
  /// - Parameter phase: `stopping` if no other film follows, `waiting` if one does when the camera is back.
  func part(from old: Take, in phase: RecorderState.Phase = .starting) {
    noteGap()
    keepMicrophone(of: old)
    finishing.append(old)
    take = nil
    service.parts(from: old.session, in: phase)
  }

  /// Keeps the microphone for later films. If it is away now, the film that uses it looks for it.
  func keepMicrophone(of take: Take) {
    let running = take.session.source.sound?.microphone
    guard let microphone = running ?? take.session.parts.microphone else { return }
    microphones[microphone.name] = microphone
  }

  /// A microphone of an earlier film that brought its own is free once that film's sound has ended.
  func waitForMicrophones() {
    for old in finishing where old.session.source.endsWithFilm { old.running.waitForSound() }
  }

  /// Adds the devices that are open already: reopened, they would be busy.
  func withDevices(_ order: FilmOrder) -> FilmOrder {
    var order = order
    order.microphones = Array(microphones.values)
    order.sounds = sounds
    order.camera = camera?.ending == nil ? camera : nil
    order.overlaps = service.standsBy
    return order
  }

  private func check(_ order: FilmOrder) throws(CamrecError) {
    var order = withDevices(order)
    order.isTrial = true
    let film = try factory.prepare(order)
    if film.session.source !== camera { factory.closed(film.session.source) }
  }

  // MARK: Films

  func begin(_ film: PreparedFilm, behind old: FormerFilm? = nil) {
    uses(film)
    film.announce(film.path)
    adopt(film, behind: old) { launch(film) }
  }

  /// Starts a film's threads.
  ///
  /// - Parameter predecessor: the film on the same camera that it follows without a gap.
  func launch(_ film: PreparedFilm, behind predecessor: RunningSession? = nil) -> RunningSession {
    film.session.state.awaitsCamera = service.awaitsCamera
    film.session.state.firstFrameBell = service.bell
    return film.session.begin(observer: observer, behind: predecessor, atEnd: wake)
  }

  /// Makes this the current film.
  private func adopt(_ film: PreparedFilm, behind old: FormerFilm?, _ running: () -> RunningSession) {
    if let old { film.session.shortenLimit(to: old.limit) }
    film.session.state.isContinuation = old != nil
    keeps(film)
    service.begins(film)
    take = Take(
      film: film, running: running(),
      predecessor: old.map { ($0.path, $0.pictureEnd ?? .now()) })
  }

  /// Waits for the first frame, and notes the gap in front of it.
  func waitForPicture() throws(CamrecError) {
    let begun = take?.session
    while let take, take.session.state.firstArrival == nil { beat() }
    noteGap()
    noteFirstFrame()
    // It may have ended since.
    guard take != nil || begun?.state.firstArrival != nil else {
      throw begun?.failure ?? CamrecError(.device, "the camera delivered no frame")
    }
  }

  private var wake: @Sendable () -> Void {
    let bell = service.bell
    return { bell.signal() }
  }

  /// Waits briefly for something to happen, and looks after the films.
  func beat(_ seconds: Double = RecorderRun.beat) {
    service.bell.wait(within: seconds)
    service.beat()
    service.takeRemarks().forEach(observer.remarked)
    take?.running.report(to: observer)
    noteFirstFrame()
    watchStandby()
    noteGap()
    let finished = finishing.filter { $0.running.hasEnded(within: 0) }
    finishing.removeAll { old in finished.contains { $0.session === old.session } }
    for old in finished { conclude(old) }
    hearsOfLoss()
    if let take, take.running.hasEnded(within: 0) {
      noteGap()
      noteFirstFrame()
      self.take = nil
      conclude(take)
    } else if let take, take.session.hasEndedCapture, !hasLostCamera(take) {
      // By itself: at its limit, because the disk is full, or after a failure.
      service.finishes(take.session)
    }
    if let camera, camera.ending != nil, take == nil, standing == nil { loses(camera) }
  }

  /// Notes that the film has begun.
  func noteFirstFrame() {
    guard let take, take.session.hasFirstFrame else { return }
    service.hasBegun(take.session)
  }

  private func conclude(_ take: Take) {
    if self.take == nil, take.session.source.endsWithFilm { service.leavesCamera() }
    let summary = take.running.end(observer: observer)
    absence?.finished(take)
    service.concluded(take.film, summary)
    take.film.conclude(summary, isAwaited(take))
  }

  /// Notes the gap between two films as soon as the time of the first frame is known.
  private func noteGap() {
    guard let take, let predecessor = take.predecessor, let begin = take.session.clock.reading?.origin else { return }
    self.take?.predecessor = nil
    let seconds = max(0, Double(begin - predecessor.end) * 1e-9)
    let frames = Int((seconds * take.session.frameRate.framesPerSecond).rounded())
    take.session.noteContinuation(of: predecessor.path, seconds: seconds, frames: frames)
    service.lacks(frames)
    if let absence {
      note("start", absence.origin, in: take.session, at: 0)
      take.session.state.warn(absence.sentence(about: take.film.source, after: seconds))
    }
  }

  /// From now on the recorder waits for a camera.
  ///
  /// - Parameter failure: why there is none.
  func wait(for absence: CameraAbsence, because failure: CamrecError?) {
    self.absence = absence
    for index in finishing.indices where finishing[index].session.parts.identity == absence.film.identity {
      finishing[index].isAwaited = true
    }
    service.awaits(because: failure, filmFailure: absence.filmFailure)
    observer.warned(absence.loss.departure(of: absence.camera))
  }
}
