import Cameras
import Dispatch
import Exposure
public import Frames
import Foundation
import Movies
import Synchronization

/// Makes films one after another, as it is told: by keys, over a socket, by signals.
///
/// One thread calls `run` and is the recorder's; films are opened, begun, continued and concluded there. Settings go to
/// the camera on the thread of who asks.
///
/// Thread: any, apart from `run`.
public final class RecorderService: RecorderControl, Sendable {
  /// What of the film that is being recorded others may touch.
  private struct Current {
    let session: RecordingSession
    let path: String
    let source: RecorderState.Source
    let leftover: String
    /// Its film has not begun.
    var isStanding = false
  }

  private struct Shared {
    var phase = RecorderState.Phase.starting
    var current: Current?
    /// The film that was recorded last.
    var lastFilm: String?
    /// It had come to an end that nobody wanted.
    var lastFilmFailed = false
    var order: FilmOrder
    /// How the camera was exposed last, and which it was.
    var exposure: (source: SourceChange, setting: ExposureSetting?, measurement: ExposureService.Measurement?)?
    var ledger = RecorderLedger()
    /// Of films that are concluded.
    var disk = DiskStatus()
    /// As whoever looks at the disk has said last.
    var room: (freeBytes: Int64, secondsLeft: Double?)?
    var deletedFilms: Int?
    /// Said while no film was recorded.
    var remarks: [SessionRemark] = []
    var totals = RecorderState.Totals()
    /// Sessions that are being finished, and not in `ledger` yet.
    var finishing: [RecordingSession] = []
    var failure: String?
    var settings = CameraSettings()
    /// In people's words, for the next start.
    var controls: [RecorderSettings.Control] = []
    /// Of the last run, and not set again so far.
    var resumed: [RecorderSettings.Control] = []
    /// From the first time on that somebody asks for it.
    var focus: FocusService?
    var errands: [RecorderErrand] = []
    var isQuitting = false
    /// A film that ends by itself is followed by another.
    var holdsOn = false
    var hasEnded = false

    mutating func keepExposure(of session: RecordingSession) {
      guard let exposure = session.parts.exposure else { return }
      self.exposure = (order.source, exposure.setting, exposure.measurement)
    }
  }

  let standsBy: Bool
  let awaitsCamera: Bool
  /// Stands by with its camera running, and begins films with what was before.
  let keepsPreRoll: Bool
  private let memory: (any RecorderMemory)?
  private let shared: Mutex<Shared>
  let bell = DispatchSemaphore(value: 0)
  private let beats = Atomic<Int>(0)
  /// Commands wait for each other.
  private let turn = NSLock()

  /// - Parameters:
  ///   - exposure: `nil` leaves the camera alone.
  ///   - standsBy: records only when it is told to, and goes on when a film has ended.
  ///   - awaitsCamera: where a camera goes away, looks for it and goes on in a new film when it is back.
  ///   - keepsPreRoll: stands by with its camera running, and has films made that begin before they are told to.
  public convenience init(
    exposure: ExposureOptions?, standsBy: Bool = false, awaitsCamera: Bool = false, keepsPreRoll: Bool = false
  ) {
    self.init(
      RecorderSettings(exposure: exposure), standsBy: standsBy, awaitsCamera: awaitsCamera, keepsPreRoll: keepsPreRoll)
  }

  /// - Parameters:
  ///   - settings: what it was started with, and what was changed when it ran last.
  ///   - memory: is told of every change, for the next start.
  public init(
    _ settings: RecorderSettings, standsBy: Bool = false, awaitsCamera: Bool = false, keepsPreRoll: Bool = false,
    memory: (any RecorderMemory)? = nil
  ) {
    self.standsBy = standsBy
    self.keepsPreRoll = standsBy && keepsPreRoll
    self.awaitsCamera = awaitsCamera
    self.memory = memory
    var order = FilmOrder(exposure: settings.exposure)
    order.source = settings.source
    var shared = Shared(order: order)
    (shared.controls, shared.resumed) = (settings.controls, settings.controls)
    self.shared = Mutex(shared)
  }

  /// Ends the film and the recorder; does not wait.
  public func requestStop() {
    let session = shared.withLock {
      $0.isQuitting = true
      return $0.current?.session
    }
    session?.requestStop()
    bell.signal()
  }

  /// What stays of the film's file where nobody waits for its end, in a sentence; `nil` while there is none.
  public var leftover: String? {
    shared.withLock { $0.current.flatMap { $0.session.hasBegunMovie ? $0.leftover : nil } }
  }

  /// Puts the camera's controls back for who gives up waiting for the end.
  public func putBackControls() { shared.withLock { $0.current }?.session.putBackControls() }

  /// Makes films until the recorder is to end. Blocks; call once.
  ///
  /// - Parameter observer: is told how the films go, by this thread.
  /// - Throws: what makes the first film impossible.
  public func run(_ factory: any FilmFactory, observer: any SessionObserver) throws(CamrecError) {
    let run = RecorderRun(self, factory, observer)
    defer {
      let left = shared.withLock { shared in
        shared.hasEnded = true
        defer { shared.errands = [] }
        return shared.errands
      }
      for errand in left { errand.finish(RecorderService.ended) }
    }
    try run.run()
  }

  // MARK: What others tell who look after the disk

  /// The room on the disk, for who asks how the recorder goes.
  ///
  /// - Parameter deletedFilms: so far; `nil` where none ever are.
  public func tell(freeBytes: Int64, secondsLeft: Double?, deletedFilms: Int?) {
    shared.withLock {
      $0.room = (freeBytes, secondsLeft)
      $0.deletedFilms = deletedFilms
    }
  }

  /// Has it said with the film that is recorded, or by itself where there is none.
  public func remark(_ remark: SessionRemark) {
    let session = shared.withLock { $0.current?.session }
    if session?.state.remark(remark) == true { return }
    shared.withLock { if $0.remarks.count < RecorderService.mostRemarks { $0.remarks.append(remark) } }
  }

  private static let mostRemarks = 64

  /// What nobody has said yet; behind the end of `run`, for who called that to say.
  public func takeRemarks() -> [SessionRemark] {
    shared.withLock { shared in
      defer { shared.remarks = [] }
      return shared.remarks
    }
  }

  /// Ends the film, as its failure; it is finished as well as can be. Does not wait.
  public func endFilm(because failure: CamrecError) { shared.withLock { $0.current?.session }?.state.fail(failure) }

  /// What finishing the films that are open takes on their disk, as things are now.
  public var closingBytes: Int64 {
    let sessions = shared.withLock { $0.finishing + [$0.current?.session].compactMap(\.self) }
    return sessions.reduce(0) { $0 + $1.closingBytes }
  }

  // MARK: What the recorder's thread tells

  func takeErrand() -> RecorderErrand? {
    shared.withLock { $0.errands.isEmpty ? nil : $0.errands.removeFirst() }
  }

  /// What was set on a camera before is set on this film's, too.
  func settle(_ film: PreparedFilm) {
    guard let controls = film.session.parts.camera.controls else { return }
    resume(controls).forEach(film.session.state.warn)
    let (settings, focus) = shared.withLock { ($0.settings, $0.focus) }
    settings.apply(to: controls).forEach(film.session.state.warn)
    do throws(CamrecError) {
      try focus?.resume(controls)
    } catch {
      film.session.state.warn(error.message)
    }
  }

  /// What was set on this camera when the recorder ran last.
  ///
  /// - Returns: sentences about what it does not take any more.
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
        return "\(control.name) is not set to \(control.value) again: \(error.message)"
      }
    }
  }

  /// This film is the one that is recorded.
  func begins(_ film: PreparedFilm) {
    let isQuitting = shared.withLock {
      $0.phase = .recording
      $0.failure = nil
      $0.order.number += 1
      $0.current = Current(
        session: film.session, path: film.path, source: film.source, leftover: film.leftover)
      return $0.isQuitting
    }
    if isQuitting { film.session.requestStop() }
  }

  /// The camera runs, and its film has not begun.
  func stands(by film: PreparedFilm) {
    let isQuitting = shared.withLock {
      $0.phase = .standby
      $0.failure = nil
      $0.current = Current(session: film.session, path: "", source: film.source, leftover: "", isStanding: true)
      return $0.isQuitting
    }
    if isQuitting { film.session.requestStop() }
  }

  /// That camera is closed again.
  func liesDown(_ session: RecordingSession) {
    shared.withLock {
      guard $0.current?.session === session else { return }
      $0.keepExposure(of: session)
      $0.current = nil
      $0.focus?.pause()
    }
  }

  /// There is no camera to stand by with.
  func lacksCamera(_ error: CamrecError) { shared.withLock { $0.failure = error.description } }

  /// How the same camera was exposed last.
  var lastExposure: (setting: ExposureSetting?, measurement: ExposureService.Measurement?) {
    shared.withLock { shared in
      guard let last = shared.exposure, last.source == shared.order.source else { return (nil, nil) }
      return (last.setting, last.measurement)
    }
  }

  /// A film is only being finished, and another one takes its place.
  func parts(from session: RecordingSession) {
    shared.withLock {
      $0.keepExposure(of: session)
      $0.finishing.append(session)
      $0.lastFilm = session.lastPath ?? $0.current?.path
      $0.current = nil
      $0.phase = .starting
    }
  }

  /// Whether the recorder goes on where a film ends by itself.
  func holdsOn(_ holds: Bool) { shared.withLock { $0.holdsOn = holds } }

  /// The camera is about to be closed.
  func leavesCamera() { shared.withLock { $0.focus }?.pause() }

  /// A film is finished, or given up.
  func concluded(_ film: PreparedFilm, _ summary: SessionSummary) {
    shared.withLock {
      $0.ledger.add(summary.counts)
      $0.disk.add(finished: film.session.disk)
      $0.totals.add(film.session.state, bytes: summary.movie?.bytes)
      $0.finishing.removeAll { $0 === film.session }
      guard $0.current?.session === film.session else { return }
      $0.lastFilm = film.session.lastPath ?? film.path
      $0.current = nil
      $0.failure = summary.failure?.description
      $0.lastFilmFailed = summary.failure != nil
      if !standsBy, !$0.holdsOn { $0.isQuitting = true }
      $0.phase = $0.isQuitting ? .ended : .standby
    }
  }

  /// What the machine's heat has changed: told with the film that is being recorded. Any thread.
  public func ease(_ change: EffortChange) { shared.withLock { $0.current?.session }?.state.eased(change) }

  /// The recorder's own thread looks around.
  func beat() { beats.add(1, ordering: .relaxed) }

  /// The camera is away.
  ///
  /// - Parameter isNew: since now; false where it was looked for in vain.
  func waits(_ failure: CamrecError?, isNew: Bool = false) {
    shared.withLock {
      if isNew { $0.totals.absences? += 1 }
      $0.failure = failure?.description
      $0.phase = .waiting
    }
  }

  var order: FilmOrder { shared.withLock { $0.order } }
  var isQuitting: Bool { shared.withLock { $0.isQuitting } }

  /// The last film has come to an end that nobody wanted. Any thread.
  public var lastFilmFailed: Bool { shared.withLock { $0.lastFilmFailed } }

  /// Nobody wants the film to go on that waits for its camera.
  func isNotAwaited() { shared.withLock { $0.lastFilmFailed = false } }

  /// The film has all its frames.
  func finishes(_ session: RecordingSession) {
    shared.withLock { if $0.current?.session === session, $0.phase == .recording { $0.phase = .stopping } }
  }

  func turn(to phase: RecorderState.Phase) { shared.withLock { $0.phase = phase } }
  func quit() { shared.withLock { $0.isQuitting = true } }
  /// What the films to come are taken from.
  func take(_ source: SourceChange) { shared.withLock { $0.order.source = source } }
  /// Frames were due between two films.
  func lacks(_ frames: Int) { shared.withLock { $0.ledger.add(between: frames) } }

  /// There is no film any more.
  func ended(failure: CamrecError) {
    shared.withLock {
      $0.failure = failure.description
      if !standsBy { $0.isQuitting = true }
      $0.phase = $0.isQuitting ? .ended : .standby
    }
  }

  // MARK: Commands

  @discardableResult
  public func perform(_ command: RecorderCommand) throws(CamrecError) -> RecorderState {
    try follow(command, by: nil)
  }

  @discardableResult
  public func perform(_ command: RecorderCommand, by origin: String) throws(CamrecError) -> RecorderState {
    try follow(command, by: origin)
  }

  private func follow(_ command: RecorderCommand, by origin: String?) throws(CamrecError) -> RecorderState {
    if command == .state { return state }
    turn.lock()
    defer { turn.unlock() }
    switch command {
    case .state: break
    case .start:
      try send(.start)
      note("start", origin)
    case .stop:
      note("stop", origin)
      try send(.stop)
    case .quit:
      note("stop", origin)
      try send(.quit)
    case .source(let change): try send(.source(change))
    case .exposure(let change): try expose(change)
    case .control(let name, let value): try set(name, value)
    case .focus(let x, let y): try focus(x: x, y: y)
    case .releaseFocus: try releaseFocus()
    case .forget: try forget()
    case .keep: try keep()
    }
    switch command {
    case .exposure, .control, .source: remember()
    case .state, .start, .stop, .quit, .focus, .releaseFocus, .forget, .keep: break
    }
    return state
  }

  /// Says in the film's sidecar who has begun or ended it.
  private func note(_ name: String, _ origin: String?) {
    guard let origin, let current = shared.withLock({ $0.current }), !current.isStanding else { return }
    current.session.noteSetting(name, origin)
  }

  /// The camera that runs now.
  var openCamera: (any Camera)? { shared.withLock { $0.current }?.session.parts.camera }

  /// What is set now is what the next start is to begin with.
  private func remember() {
    guard let memory else { return }
    let settings = shared.withLock {
      RecorderSettings(exposure: $0.order.exposure, source: $0.order.source, controls: $0.controls)
    }
    do throws(CamrecError) {
      try memory.keep(settings)
    } catch {
      warn(error.description)
    }
  }

  private func forget() throws(CamrecError) {
    guard let memory else {
      throw CamrecError(.usage, "nothing is kept for the next start: this recorder was started without --settings")
    }
    try memory.keep(nil)
    shared.withLock { $0.controls = [] }
  }

  /// The film that is recorded, or was recorded last.
  private func keep() throws(CamrecError) {
    guard let film = ownState.film else { throw CamrecError(.usage, "there is no film yet that could be kept") }
    try KeepMark.set(true, film: film)
    remark(SessionRemark("'\(film)' is kept, and not deleted by camrec", facts: ["kept": film], isWarning: false))
  }

  /// Has the recorder's thread do it.
  private func send(_ task: RecorderErrand.Task) throws(CamrecError) {
    let errand = RecorderErrand(task)
    let isTaken = shared.withLock {
      if !$0.hasEnded { $0.errands.append(errand) }
      return !$0.hasEnded
    }
    guard isTaken else { throw RecorderService.ended }
    bell.signal()
    try errand.wait()
  }

  /// Times 5 ms.
  private static let patience = 100

  static let ended = CamrecError(.usage, "the recorder has ended")

  private func expose(_ change: ExposureChange) throws(CamrecError) {
    let (order, session) = shared.withLock { ($0.order, $0.current?.session) }
    guard var options = order.exposure else {
      throw CamrecError(.usage, "this recording leaves the exposure to the camera (--exposure camera)")
    }
    try options.apply(change)
    if let session {
      guard let service = session.parts.exposure else {
        throw CamrecError(.device, CameraControl.exposureTime.absence(on: session.parts.camera.name))
      }
      try service.change(change)
      session.noteSetting(change.note.name, change.note.value)
      // So that the answer tells of it. Frames may come slowly, or not at all.
      var waits = 0
      while service.isBehind, waits < RecorderService.patience {
        WorkThread.sleep(.milliseconds(5))
        waits += 1
      }
    } else {
      try send(.check(options))
    }
    shared.withLock { $0.order.exposure = options }
  }

  private func set(_ name: String, _ value: String) throws(CamrecError) {
    let setting = try ControlSetting(parsing: "\(name)=\(value)")
    let (session, controls) = try camera()
    if session.parts.exposure != nil, CameraSettings.ofExposure.contains(setting.control) {
      throw CamrecError(
        .usage, "\(setting.control.rawValue) is the exposure's own; use mode, angle, iso and ev, or record with "
          + "--exposure camera")
    }
    let changes = try setting.changes(among: try controls.offers())
    try controls.set(changes)
    session.noteSetting(name, value)
    shared.withLock {
      $0.settings.keep(changes, of: controls.identity)
      if setting.control != .focusTrigger {
        RecorderSettings.keep(.init(camera: controls.identity, name: name, value: value), in: &$0.controls)
      }
    }
  }

  private func focus(x: Double?, y: Double?) throws(CamrecError) {
    let (session, controls) = try camera()
    let focus = shared.withLock { shared in
      if let focus = shared.focus { return focus }
      let focus = FocusService(controls) { [weak self] in self?.warn($0) }
      shared.focus = focus
      return focus
    }
    let point: (x: Double, y: Double)? = if let x, let y { (x, y) } else { nil }
    try focus.begin(at: point)
    session.noteSetting("focus", point.map { "\($0.x),\($0.y)" } ?? "auto")
  }

  private func releaseFocus() throws(CamrecError) {
    let (session, _) = try camera()
    guard let focus = shared.withLock({ $0.focus }) else { throw CamrecError(.usage, "the focus is not held") }
    try focus.release()
    session.noteSetting("focus", "release")
  }

  private func warn(_ sentence: String) { shared.withLock { $0.current?.session }?.state.warn(sentence) }

  private func camera() throws(CamrecError) -> (session: RecordingSession, controls: any CameraControls) {
    guard let session = shared.withLock({ $0.current?.session }) else {
      throw CamrecError(.usage, "no camera is open; start a recording first")
    }
    guard let controls = session.parts.camera.controls else {
      throw CamrecError(.device, "\(session.parts.camera.name) has no controls")
    }
    return (session, controls)
  }

  // MARK: State

  public var state: RecorderState {
    var state = ownState
    state.beats = nil
    // Asks the camera, which may take its time.
    let camera = shared.withLock { $0.current?.session.parts.camera }
    state.whiteBalance = camera?.controls.flatMap(CameraSettings.whiteBalance)
    return state
  }

  /// The state as the recorder has it itself, without what only the camera could say: never waits for a device.
  public var ownState: RecorderState {
    let now = shared.withLock { $0 }
    var state = RecorderState(phase: now.phase)
    state.beats = beats.load(ordering: .relaxed)
    state.films = now.order.number
    state.film = now.current.flatMap { $0.isStanding ? nil : $0.path } ?? now.lastFilm
    state.failure = now.failure
    let own = now.current.flatMap { $0.isStanding ? nil : $0.session }
    let sessions = now.finishing + [own].compactMap(\.self)
    state.ledger = now.ledger.reading(with: sessions.map(\.ledger.counts))
    if now.order.number > 0 {
      var disk = now.current?.session.disk ?? DiskStatus()
      for session in now.finishing { disk.add(finished: session.disk) }
      disk.add(finished: now.disk)
      (disk.freeBytes, disk.secondsLeft) = (now.room?.freeBytes, now.room?.secondsLeft)
      state.disk = disk
    }
    var totals = now.totals
    for session in sessions { totals.add(session.state) }
    totals.deletedFilms = now.deletedFilms
    state.totals = totals
    guard let current = now.current else { return state }
    let session = current.session
    state.source = current.source
    if current.isStanding {
      state.preRoll = session.preRoll
    } else {
      let file = session.currentFile
      if !file.path.isEmpty { state.film = file.path }
      state.segment = file.segment
      state.started = session.clock.reading.map { _ in
        Date(timeIntervalSinceNow: Double(session.start.time - MonotonicTime.now()) * 1e-9)
      }
      state.seconds = session.filmSeconds
      state.bytes = session.state.bytes
    }
    state.exposure = session.parts.exposure?.status
    state.focus = now.focus?.status
    state.queues = session.queues
    state.effort = session.parts.effort?.status
    state.ratePartsPerMillion = session.state.ratePartsPerMillion
    return state
  }
}
