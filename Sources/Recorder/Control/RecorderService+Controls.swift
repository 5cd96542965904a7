import Cameras
import Exposure
public import Frames
public import RecorderAPI
import Synchronization

/// What can be set, and to what.
extension RecorderService {
  public func controls() throws(CamrecError) -> [ControlDescription] {
    let (order, current, ofMode) = shared.withLock { ($0.order, $0.current, $0.modeRefusal) }
    let camera = openCamera, exposure = exposure, own = exposureControls(order.exposure, current)
    var ofCamera: [ControlDescription] = []
    if let controls = camera?.controls {
      ofCamera = try RecorderService.controls(of: controls, isExposed: exposure != nil)
    }
    // Both have an ISO speed: what sets the exposure, sets that.
    let isOwn = camera == nil || exposure != nil
    let (kept, other) = isOwn ? (own, ofCamera) : (ofCamera, own)
    let further = other.filter { control in !kept.contains { $0.id == control.id } }
    return (isOwn ? kept + further : further + kept) + RecorderService.sourceControls(order.source, current, ofMode)
  }

  // MARK: Exposure

  private func exposureControls(_ options: ExposureOptions?, _ current: Current?) -> [ControlDescription] {
    // Where the exposure is the camera's, the others say so.
    let shown = options ?? ExposureOptions(mode: .camera)
    let running = exposure
    func refusal(_ change: ExposureChange) -> String? {
      do throws(CamrecError) {
        _ = try RecorderService.options(options, current, after: change)
        // Also that of a camera that runs on in standby.
        try running?.check(change)
        return nil
      } catch { return error.sentence.plain }
    }
    var mode = ControlDescription("mode", .choice)
    mode.choices = ExposureOptions.Mode.allCases.map(\.rawValue)
    mode.value = .text(shown.mode.rawValue)
    mode.refusal = refusal(.mode(shown.mode == .camera ? .auto : shown.mode))
    var angle = ControlDescription("angle", .number)
    // In thousandths of a degree: smaller ones are the same.
    (angle.minimum, angle.maximum, angle.unit) = (0.001, ShutterAngle.limit.doubleValue, "°")
    angle.value = .number(shown.angle.degrees.doubleValue)
    angle.defaultValue = .number(ShutterAngle.standard.degrees.doubleValue)
    angle.refusal = refusal(.angle(shown.angle))
    var iso = ControlDescription("iso", .number)
    let speeds = running?.isoRange ?? ExposureOptions.isoRange
    (iso.minimum, iso.maximum) = (speeds.lowerBound, speeds.upperBound)
    iso.value = (shown.iso ?? running?.status.iso).map { .number($0) }
    iso.refusal = refusal(.iso(ExposureOptions.isoRange.lowerBound))
    var bias = ControlDescription("ev", .number)
    let range = ExposureOptions.biasRange
    (bias.minimum, bias.maximum, bias.unit) = (range.lowerBound.ev, range.upperBound.ev, "EV")
    bias.step = 1 / Double(Stops.unitsPerEV)
    (bias.value, bias.defaultValue) = (.number(shown.bias.ev), .number(0))
    bias.refusal = refusal(.bias(shown.bias))
    return [mode, angle, iso, bias] + meteringControls(shown.metering, refusal(.metering(shown.metering)))
      + [lockControl(shown.isLocked, refusal(.lock(!shown.isLocked)))]
  }

  private func meteringControls(_ mode: MeteringMode, _ refusal: String?) -> [ControlDescription] {
    var metering = ControlDescription("metering", .choice), spot = ControlDescription("spot", .point)
    metering.choices = [MeteringMode.average, .centreWeighted, .highlightWeighted].map(\.word)
    if case .spot(let x, let y) = mode { spot.value = .text("\(x),\(y)") } else { metering.value = .text(mode.word) }
    (metering.refusal, spot.refusal) = (refusal, refusal)
    return [metering, spot]
  }

  /// Locking and unlocking are commands without a value.
  private func lockControl(_ isLocked: Bool, _ refusal: String?) -> ControlDescription {
    var lock = ControlDescription("lock", .choice, request: [:], member: "do")
    lock.choices = [ControlWord.lock.rawValue, ControlWord.unlock.rawValue]
    lock.value = .text((isLocked ? ControlWord.lock : .unlock).rawValue)
    lock.refusal = refusal
    return lock
  }

  /// The exposure after a change.
  ///
  /// - Throws: why the change is not possible now.
  static func options(
    _ options: ExposureOptions?, _ current: Current?, after change: ExposureChange
  ) throws(CamrecError) -> ExposureOptions {
    guard var options else {
      throw CamrecError(
        .usage, about: .exposure,
        "cannot change the exposure: \(setting: .exposure) camera leaves it to the camera", reason: .exposureByCamera)
    }
    let isLeftToCamera = options.mode == .camera
    try options.apply(change)
    guard let current else { return options }
    guard let exposure = current.session.parts.exposure else {
      if isLeftToCamera { throw leftToCamera(isStanding: current.isStanding) }
      let camera = current.session.parts.camera.name
      throw CamrecError(.device, CameraControl.exposureTime.absence(on: camera), reason: .notOffered)
    }
    try exposure.check(change)
    if current.isStanding, change == .mode(.camera) {
      throw CamrecError(
        .usage, about: .exposure,
        "cannot give the exposure back to the camera while it runs for the pre-roll; quit camrec, and start"
          + " it with \(setting: .exposure) camera", reason: .exposureMode)
    }
    return options
  }

  private static func leftToCamera(isStanding: Bool) -> CamrecError {
    let sentence: Sentence =
      isStanding
      ? "the camera sets its own exposure while it runs for the pre-roll; quit camrec, and start it with"
        + " \(setting: .exposure) auto"
      : "the camera sets its own exposure in this recording; stop first, or start with \(setting: .exposure) auto"
    return CamrecError(.usage, about: .exposure, sentence, reason: .exposureByCamera)
  }

  // MARK: Camera

  /// - Parameter isExposed: camrec's own exposure sets some of them.
  private static func controls(
    of camera: any CameraControls, isExposed: Bool
  ) throws(CamrecError) -> [ControlDescription] {
    let offers = try camera.offers()
    var controls: [ControlDescription] = []
    for offer in offers {
      let value = try? camera.value(of: offer.control)
      var control = ControlDescription(offer, value: value, camera: camera.name, among: offers)
      if isExposed, CameraSettings.ofExposure.contains(offer.control) {
        control.refusal = ownExposure(offer.control).sentence.plain
      }
      if offer.control == .whiteBalance { control.becomeWhiteBalance(of: camera, offers) }
      controls.append(control)
    }
    if offers.contains(where: { [.autofocus, .focusTrigger].contains($0.control) }) {
      var focus = ControlDescription("focus", .point)
      focus.choices = ["release"]
      controls.append(focus)
    }
    return controls
  }

  static func ownExposure(_ control: CameraControl) -> CamrecError {
    CamrecError(
      .usage, about: .exposure,
      "camrec's own exposure sets \(control.rawValue); use mode, angle, iso and ev, or record with "
        + "\(setting: .exposure) camera", reason: .exposureByRecorder)
  }

  // MARK: Source

  /// Why the source of this film cannot change yet; `nil` if it can.
  static func refusal(toChangeSourceOf session: RecordingSession) -> CamrecError? {
    guard session.state.begin != nil, session.state.firstArrival == nil else { return nil }
    return CamrecError(.usage, "a film waits for its time; stop first", reason: .recording)
  }

  /// Why a camera that is away takes no change, and what to do.
  ///
  /// - Parameter error: why it cannot be opened; `nil` if nobody has tried yet.
  static func cameraIsGone(because error: CamrecError?) -> CamrecError {
    let why: Sentence = if let error { " (\(sentence: error.sentence))" } else { "" }
    return CamrecError(
      .device, about: error?.field,
      "the change was refused, because camrec waits for the camera\(sentence: why); make it when the recording"
        + " continues, or change to another camera now ('camrec ctl camera')",
      cause: error?.cause, reason: .awaitingCamera)
  }

  /// - Parameter ofMode: why the camera takes no change; another camera can be chosen.
  private static func sourceControls(
    _ order: SourceChange, _ current: Current?, _ ofMode: CamrecError?
  ) -> [ControlDescription] {
    let source = current?.source, waiting = current.flatMap { refusal(toChangeSourceOf: $0.session) }
    let size = source.map { "\($0.width)x\($0.height)" } ?? order.size
    let values: [(id: String, member: String?, value: String?)] = [
      ("rate", nil, source?.frameRate ?? order.frameRate?.description),
      ("size", "size", size),
      ("format", nil, source?.pixelFormat ?? order.pixelFormat),
      ("camera", nil, current?.address ?? order.camera),
    ]
    return values.map { id, member, value in
      var control = ControlDescription(
        id, .text, request: member.map { _ in ["do": ControlWord.switchSource.rawValue] }, member: member ?? "value")
      control.value = value.map { .text($0) }
      control.needsNewFilm = true
      if id == "rate" { control.unit = "fps" }
      control.refusal = (waiting ?? (id == "camera" ? nil : ofMode))?.sentence.plain
      return control
    }
  }
}

extension ControlDescription {
  /// The command of this name also takes presets, and switches the automatic off or on.
  fileprivate mutating func becomeWhiteBalance(of camera: any CameraControls, _ offers: [ControlOffer]) {
    let hasAutomatic = offers.contains { $0.control == .autoWhiteBalance }
    let range = (minimum ?? -.infinity)...(maximum ?? .infinity)
    let presets = WhiteBalancePreset.allCases.filter { $0.kelvin.map { range.contains($0) } ?? hasAutomatic }
    choices = (choices ?? []) + presets.map(\.rawValue)
    request = ["do": ControlWord.whiteBalance.rawValue]
    refusal = nil
    if hasAutomatic, case .flag(true)? = try? camera.value(of: .autoWhiteBalance) {
      value = .text(WhiteBalancePreset.auto.rawValue)
    }
  }
}
