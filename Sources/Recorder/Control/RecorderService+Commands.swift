import Cameras
import Dispatch
import Foundation
public import Frames
import Movies
import Platform
public import RecorderAPI
import Synchronization

/// The commands of a recorder.
extension RecorderService {
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
    if case .marker(let text) = command { return try mark(text) }
    turn.lock()
    defer { turn.unlock() }
    let before = order
    switch command {
    case .state, .marker: break
    case .start, .startAt(_):
      let standing = shared.withLock { $0.current }?.session, asked = standing?.state.lastSeconds
      if case .startAt(let instant) = command { try send(.start(at: instant)) } else { try send(.start(at: nil)) }
      // A film with a pre-roll is running when the command comes; any other begins after it.
      note("start", origin) { $0 === standing ? asked : 0 }
    case .stop: try send(.stop(origin: origin))
    case .quit:
      let hasEnded = shared.withLock {
        $0.quits = ($0.quits.count + 1, .now())
        $0.isAskedToEnd()
        return $0.hasEnded
      }
      // Once the recorder has ended, nobody has to wait.
      if !hasEnded { try send(.quit(origin: origin)) }
    case .source(let change): try send(.source(change, origin: origin))
    case .exposure(let change): try expose(change)
    case .control(let name, let value): try set(name, value)
    case .focus(let x, let y): try focus(x: x, y: y)
    case .releaseFocus: try releaseFocus()
    case .forget: try forget()
    case .keep: try keep()
    }
    changes.ring()
    switch command {
    case .exposure(let change): remember { $0.keep(change, before: before.exposure, now: $1.exposure) }
    case .source(let change): remember { $0.keep(change, before: before.source, now: $1.source) }
    case .control: remember { _, _ in }
    case .state, .start, .startAt, .stop, .quit, .focus, .releaseFocus, .forget, .keep, .marker: break
    }
    return state
  }

  /// Notes in the film's sidecar who has begun it.
  ///
  /// - Parameter place: the place in a session, in seconds of its recording; `nil` is now.
  private func note(_ name: String, _ origin: String?, at place: (RecordingSession) -> Double?) {
    guard let origin, let current = shared.withLock({ $0.current }), !current.isStanding else { return }
    current.session.noteSetting(name, origin, at: place(current.session))
  }

  /// The camera that is running now.
  var openCamera: (any Camera)? {
    shared.withLock { $0.current?.session.parts.camera ?? $0.running?.session.camera }
  }

  /// The camera, for whoever looks at its frames. One that rests is woken, and runs until ten seconds after the last
  /// reader has left. Any thread.
  ///
  /// - Throws: the errors of opening cameras.
  public func runningCamera() throws(CamrecError) -> CameraSession {
    if let running = shared.withLock({ $0.current?.session.source }), running.ending == nil { return running }
    turn.lock()
    defer { turn.unlock() }
    try send(.look)
    let (session, phase) = shared.withLock { ($0.current?.session.source ?? $0.running?.session, $0.phase) }
    if let session { return session }
    throw phase == .waiting ? RecorderService.hasNoPicture : RecorderService.noCamera
  }

  /// For whoever looks while the recorder waits for its camera.
  static let hasNoPicture = CamrecError(
    .device, "there is no picture: camrec waits for the camera", reason: .awaitingCamera)
  private static let noCamera = CamrecError(.usage, "no camera is open; start a recording first", reason: .noCamera)

  /// - Parameter error: why there is none to stand by with; `nil` where none is needed. A start would fail for it, too.
  private static func hasNoCamera(because error: CamrecError?) -> CamrecError {
    guard let error else { return noCamera }
    return CamrecError(
      .usage, about: error.field, "no camera is open (\(sentence: error.sentence)); try again when it is open again",
      cause: error.cause, reason: .noCamera)
  }

  /// Keeps a change for the next start.
  private func remember(_ change: (_ kept: inout RecorderSettings, _ now: FilmOrder) -> Void) {
    guard let memory else { return }
    let settings = shared.withLock { shared in
      change(&shared.kept, shared.order)
      return shared.kept
    }
    do throws(CamrecError) {
      try memory.keep(settings)
    } catch {
      warn(error.description)
    }
  }

  private func forget() throws(CamrecError) {
    guard let memory else {
      throw CamrecError(
        .usage, about: .settings,
        "no settings are kept for the next start: this recorder runs without \(setting: .settings)",
        reason: .settingsNotKept)
    }
    // First: a change that comes while the disk does not answer must not write them back.
    shared.withLock { $0.kept = RecorderSettings(exposure: memory.startExposure) }
    try memory.keep(nil)
  }

  /// Protects the film being recorded, or recorded last, from deletion.
  private func keep() throws(CamrecError) {
    guard let film = ownState.film else {
      throw CamrecError(.usage, "there is no film to keep yet", reason: .noFilm)
    }
    try marks.attempt(about: film + KeepMark.suffix) { () throws(CamrecError) in
      try KeepMark.set(true, film: film)
    }
    remark(SessionRemark("'\(film)' is kept: camrec will not delete it", facts: ["kept": film], isWarning: false))
  }

  /// - Returns: the state, with this marker and the film that has it, whatever has happened since.
  private func mark(_ text: String?) throws(CamrecError) -> RecorderState {
    let (session, marker, number) = try set(marker: text)
    defer { changes.ring() }
    // Wait, so that the answer names the segment in which the frame ends up; the file of a film that has just begun is
    // still being opened. A disk may hold up either for longer. No other command waits meanwhile.
    var waits = 0
    while session.place(of: marker) == nil, !session.endsWithoutFilm, waits < RecorderService.markerPatience {
      WorkThread.sleep(.milliseconds(5))
      waits += 1
    }
    if session.endsWithoutFilm {
      shared.withLock { if $0.markers.count == number { $0.markers.count -= 1 } }
      throw RecorderService.noFilmToMark
    }
    var state = state
    if let placed = session.place(of: marker) ?? session.place(of: marker, isCertain: false) {
      (state.marker, state.segment) = (placed.marker, session.segment(placed.number))
      state.identity = placed.identity
      if !placed.film.isEmpty { state.film = placed.film }
    } else {
      let file = session.currentFile
      (state.marker, state.segment, state.identity) = (marker, file.segment, session.identity)
      if !file.path.isEmpty { state.film = file.path }
    }
    return state
  }

  private func set(
    marker text: String?
  ) throws(CamrecError) -> (RecordingSession, RecorderState.Marker, number: Int) {
    turn.lock()
    defer { turn.unlock() }
    guard let current = shared.withLock({ $0.current }), !current.isStanding, current.session.hasFirstFrame else {
      throw RecorderService.noFilmToMark
    }
    guard current.session.parts.keepsMarkers else {
      throw CamrecError(
        .usage, "cannot set a marker: a hash recording keeps none; record a .mov or .mkv", reason: .notOffered)
    }
    let recording = current.session.parts.identity.recording
    let number = shared.withLock { $0.nextMarker(of: recording) }
    guard let marker = current.session.mark(text ?? "marker \(number)") else {
      if current.session.endsWithoutFilm { throw RecorderService.noFilmToMark }
      throw CamrecError(
        .usage, "cannot set a marker: the film has its last frame, and is being finished", reason: .stopping)
    }
    shared.withLock { $0.markers = (recording, number) }
    return (current.session, marker, number)
  }

  private static let noFilmToMark = CamrecError(
    .usage, "cannot set a marker: no film is being recorded", reason: .notRecording)

  /// Sends a task to the recorder's thread and waits for it.
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

  /// How often to wait for 5 ms.
  private static let patience = 100
  private static let markerPatience = 400

  private func expose(_ change: ExposureChange) throws(CamrecError) {
    let (order, current, camera) = shared.withLock { ($0.order, $0.current, $0.running) }
    if change == .mode(.camera), order.exposure?.mode == .camera { return }
    let options = try RecorderService.options(order.exposure, current, after: change)
    let running = current?.session.parts.exposure ?? (current == nil ? camera?.session.exposure : nil)
    if let service = running, current != nil || change != .mode(.camera) {
      try service.change(change)
      current?.session.noteSetting(change.note.name, change.note.value)
      // Wait, so that the answer includes the change. Frames may come slowly, or not at all.
      var waits = 0
      while !service.shows(change), waits < RecorderService.patience {
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
    if exposure != nil, CameraSettings.ofExposure.contains(setting.control) {
      throw RecorderService.ownExposure(setting.control)
    }
    let changes = try setting.changes(among: try controls.offers())
    try controls.set(changes)
    balance.read(controls)
    session?.noteSetting(name, value)
    shared.withLock {
      $0.settings.keep(changes, of: controls.identity)
      if setting.control != .focusTrigger {
        $0.kept.keep(.init(camera: controls.identity, name: name, value: value))
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
    session?.noteSetting("focus", point.map { "\($0.x),\($0.y)" } ?? "auto")
  }

  private func releaseFocus() throws(CamrecError) {
    let (session, _) = try camera()
    guard let focus = shared.withLock({ $0.focus }) else {
      throw CamrecError(.usage, "the recorder does not hold the focus", reason: .focusNotHeld)
    }
    try focus.release()
    session?.noteSetting("focus", "release")
  }

  private func warn(_ sentence: String) { shared.withLock { $0.current?.session }?.state.warn(sentence) }

  /// The exposure of the camera that runs.
  var exposure: ExposureService? {
    shared.withLock { $0.current.map { $0.session.parts.exposure } ?? $0.running?.session.exposure }
  }

  /// - Returns: the controls of the camera that runs, and the film that a change is noted in.
  private func camera() throws(CamrecError) -> (session: RecordingSession?, controls: any CameraControls) {
    guard let camera = openCamera else {
      let (awaited, failure) = shared.withLock { ($0.awaitedCamera, $0.cameraFailure) }
      throw awaited ?? RecorderService.hasNoCamera(because: failure)
    }
    guard let controls = camera.controls else { throw CamrecError(.device, "\(camera.name) has no controls") }
    return (shared.withLock { $0.current?.session }, controls)
  }
}
