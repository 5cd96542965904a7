public import Cameras
public import Exposure
public import Frames
import Foundation
import Synchronization

/// Controls a camera's exposure: meters each frame, decides (`ExposureController`), and sets the camera.
///
/// `close`, or the end of this object, restores everything that was set.
///
/// Thread: any. Frames are seen on the camera's thread, or where they are decoded; a film that is being finished may
/// see its last ones while the next film sees its first.
///
/// `@unchecked Sendable`: after the start, every `var` is used under `lock`; those who only ask use `desk`.
public final class ExposureService: @unchecked Sendable {
  /// Warnings of the start, as sentences.
  public let warnings: [String]
  /// A line for people about the exposure of the recording.
  public let summary: String

  let desk: ExposureDesk
  let controls: any CameraControls
  var device: ExposureDevice
  var applier: ExposureApplier?
  let rate: FrameRate
  private var meter: Meter?
  private var metering: MeteringMode
  var controller: ExposureController
  package private(set) var trace: ExposureTraceFile?
  var account: ExposureAccount
  private var shortage: LightShortage
  private var locksWhenMet: Bool
  /// With an uncalibrated gain: the last change shows only after this frame.
  private var careUntil = 0
  var delay: Int
  /// The warning if the gain is not calibrated before the recording either.
  let gainWarning: String?
  /// Gain or delay must still be measured.
  var isUnmeasured: Bool
  /// The calibration made before the first frame, if any. Read it after the thread of the frames has ended.
  public internal(set) var measurement: Measurement? {
    get { measured.withLock { $0 } }
    set { measured.withLock { $0 = newValue } }
  }
  private let measured = Mutex<Measurement?>(nil)
  /// Frames left to adapt to the light before one is recorded.
  private var framesToMeet = 0
  /// The newest captured frame.
  private let newest = Atomic(0)
  /// The last frame that was metered.
  private var latest = Int.min
  /// A film is recorded; a pre-roll is none yet.
  private var isRecorded = true
  /// Recursive: who calibrates asks about films, and a film tells the exposure that it is recorded.
  let lock = NSRecursiveLock()
  private var hasSaidFailure = false
  private var hasSaidOther = false
  private var isClosed = false

  /// Frames until a setting shows, for an uncalibrated camera: true of most webcams and sensors.
  static let usualDelay = 2
  /// With an uncalibrated gain, each change covers only a third of the way. This settles as long as no step is more
  /// than five times as large as guessed.
  private static let carefulPart = 3
  /// EV by which a film's first frame may be off: slightly more than the controller tolerates.
  private static let met = Stops(0.1)

  /// Sets the camera up, before its first frame.
  ///
  /// - Parameters:
  ///   - options: the `options` of a previous service include its changes; a lock is taken again once the exposure fits
  ///     the light.
  ///   - setting: the `setting` of the same camera before its rate or format changed: the first frame is as bright as
  ///     the last one was, with the angle's time at the new rate. `nil` begins with the camera's present setting.
  ///   - measured: the previous service's `measurement` of the same camera, which is then not measured again.
  ///   - trace: the file for events and decisions.
  /// - Returns: no service if the mode is `camera`, if the camera has no frame rate, or if its exposure cannot be set;
  ///   `sentence` then says so.
  /// - Throws: code `usage` for a setting that the camera does not have, code `device` if it does not answer.
  public static func open(
    _ camera: any Camera, options: ExposureOptions, startingFrom setting: ExposureSetting? = nil,
    measured: Measurement? = nil, trace: ExposureTraceFile? = nil
  ) throws(CamrecError) -> (service: ExposureService?, sentence: String?) {
    guard options.mode != .camera, let controls = camera.controls, let rate = camera.format.frameRate else {
      return (nil, nil)
    }
    let calibration = measured?.calibration ?? GainCalibration.kept(identity: controls.identity)
    let opened: ExposureDevice?
    do throws(CamrecError) {
      opened = try ExposureDevice.open(controls, baseISO: options.baseISO, calibration: calibration)
    } catch {
      // The camera can still be recorded.
      return (nil, "the exposure of \(camera.name) stays as it is: \(error.message)")
    }
    guard let device = opened else { return (nil, try absence(of: controls, on: camera.name)) }
    do throws(CamrecError) {
      let service = try ExposureService(
        controls, device, options: options, rate: rate,
        delay: controls.delay ?? calibration?.delay ?? usualDelay,
        isUnmeasured: calibration == nil && measured == nil && isWorthMeasuring(controls, device, options),
        startingFrom: setting, trace: trace)
      service.measurement = measured
      return (service, nil)
    } catch {
      controls.restore()
      throw error
    }
  }

  /// Why a camera's exposure time cannot be set, and the consequence.
  private static func absence(of controls: any CameraControls, on name: String) throws(CamrecError) -> String {
    let control = CameraControl.exposureTime
    guard let offer = try controls.offers().first(where: { $0.control == control }), offer.isReadOnly else {
      return control.absence(on: name)
    }
    return ControlSentence.readOnly(control, camera: name)
      + "; the camera sets its own exposure"
  }

  private init(
    _ controls: any CameraControls, _ device: ExposureDevice, options: ExposureOptions, rate: FrameRate,
    delay: Int, isUnmeasured: Bool, startingFrom setting: ExposureSetting?, trace: ExposureTraceFile?
  ) throws(CamrecError) {
    self.controls = controls
    self.device = device
    self.rate = rate
    self.trace = trace
    self.delay = delay
    metering = options.metering
    var plan = try ExposurePlan(options, device: device, rate: rate, delay: delay, current: setting)
    // Another source's lock does not fit this source's light.
    locksWhenMet = options.locksWhileRecording || options.isLocked
    controller = ExposureController(plan.configuration, current: plan.found)
    trace?.write(.configure(plan.configuration, current: plan.found), controller.decision)
    // The first frame already has the angle's time, and is as bright as before.
    let answer = try device.apply(controller.decision.setting, before: nil)
    if answer != controller.decision.setting {
      controller.receive(.applied(answer))
      trace?.write(.applied(answer), controller.decision)
    }
    account = ExposureAccount(answer)
    shortage = LightShortage(rate: rate, name: controls.name, hasGain: device.sensitivity.control != nil)
    plan.reached(answer, rate: rate, device: device)
    self.isUnmeasured = isUnmeasured
    gainWarning = plan.gainWarning
    warnings = plan.warnings + (isUnmeasured ? [] : plan.gainWarning.map { [$0] } ?? [])
    summary = plan.summary
    applier = device.answersAtOnce ? nil : ExposureApplier(device, found: answer)
    if options.followsLight, device.sensitivity.control != nil { framesToMeet = Int(rate.framesPerSecond / 2) }
    desk = ExposureDesk(options, device: device, rate: rate, delay: delay, setting: answer, angle: plan.angle)
    desk.tell(controller.decision, set: answer, shown: answer, isLocked: false)
  }

  /// The result of calibrating the camera before its first frame.
  public struct Measurement: Hashable, Sendable {
    /// `nil` if it could not be calibrated in this light.
    let calibration: GainCalibration?
  }

  deinit { close() }

  /// Notes a captured frame that must be converted before it is seen. Any thread.
  public func captured(sequence: UInt64) { newest.store(Int(truncatingIfNeeded: sequence), ordering: .relaxed) }

  /// Meters a frame and sets the exposure accordingly.
  ///
  /// - Parameters:
  ///   - sequence: the camera's own count.
  ///   - told: the frame's exposure as the camera reports it.
  ///   - warn: called with sentences for people.
  /// - Returns: the frame's exposure, as far as it is known.
  public func see(
    _ frame: borrowing Frame, sequence: UInt64, told: ExposureRecord?, warn: (String) -> Void
  ) -> ExposureRecord {
    lock.lock()
    defer { lock.unlock() }
    let number = Int(truncatingIfNeeded: sequence)
    // A film that is being finished may come late with its last frames.
    guard !isClosed, number > latest else { return told ?? device.record(account.setting(of: number)) }
    latest = number
    // What comes behind the last frame of its film is asked for at its end.
    if isRecorded { trace?.takeSentences().forEach(warn) }
    // An answer to an older wish is out of date.
    if let answer = applier?.takeAnswer(), answer.wish == account.last { take(answer.result, warn) }
    if meter == nil { meter = Meter(format: frame.format, mode: metering) }
    guard let reading = meter?.read(frame) else { preconditionFailure("a meter was made") }
    let shown = told.map {
      ExposureSetting(
        nanoseconds: Int64(saturating: ($0.exposureTime * 1e9).rounded()),
        gainStops: device.sensitivity.gain(ofISO: $0.iso))
    }
    let newest = max(number, newest.load(ordering: .relaxed))
    let measurement = ExposureMeasurement(frame: number, newest: newest, reading: reading, shown: shown)
    let decision = controller.next(measurement)
    trace?.write(.frame(measurement), decision)
    if decision.isChange {
      if device.sensitivity.isCalibrated {
        apply(decision, warn)
      } else {
        applyCarefully(decision, in: number, newest: newest, warn)
      }
    }
    if locksWhenMet, controller.isProven, [.settled, .limited].contains(decision.state) { lockSetting() }
    if let options = desk.takeChange() { configure(options, warn) }
    let isTimeFree = controller.configuration.mode == .auto
    if let sentence = shortage.sentence(controller.decision, isTimeFree: isTimeFree) { warn(sentence.withOptions) }
    let known = shown ?? account.setting(of: number)
    if framesToMeet > 0 { framesToMeet = isMet(reading, in: known) ? 0 : framesToMeet - 1 }
    desk.tell(
      controller.decision, set: account.last, shown: known, isLocked: controller.configuration.isLocked)
    var record = told ?? device.record(known)
    record.meteredEV = ExposureRecord.hundredths(reading.level.ev)
    return record
  }

  /// The exposure does not fit the light yet, for at most half a second of frames: the present frames must not be
  /// recorded.
  var isMeetingLight: Bool { framesToMeet > 0 }

  /// A frame of that half second could not be read.
  func missedLight() { framesToMeet = max(0, framesToMeet - 1) }

  /// Whether the exposure fits the light: it has settled, or the frame has the right brightness already.
  private func isMet(_ reading: MeterReading, in shown: ExposureSetting) -> Bool {
    // The last setting may not show yet.
    let isShown = (shown.exposureStops - account.last.exposureStops).magnitude <= Stops(0.02)
    return controller.decision.state != .moving && isShown
      || (reading.level - controller.configuration.bias).magnitude <= ExposureService.met
  }

  /// Locks time and gain from here on.
  private func lockSetting() {
    locksWhenMet = false
    var configuration = controller.configuration
    configuration.isLocked = true
    let decision = controller.receive(.configure(configuration, current: nil))
    trace?.write(.configure(configuration, current: nil), decision)
  }

  /// Applies changed options after a frame, so that their effect shows with the same delay as the frame's own.
  private func configure(_ options: ExposureOptions, _ warn: (String) -> Void) {
    let old = controller.configuration
    if !isLockAsked(options) { locksWhenMet = false }
    // A lock that waits for the exposure to fit the light is not in force yet.
    let isLocked = !locksWhenMet && isLockAsked(options)
    do throws(CamrecError) {
      let plan = try ExposurePlan(
        options, device: device, rate: rate, delay: delay, current: account.last, isLocked: isLocked)
      if metering != options.metering { meter?.mode = options.metering }
      metering = options.metering
      if plan.angle != desk.angle, let sentence = plan.flickerWarning { warn(sentence) }
      desk.angle = plan.angle
      guard plan.configuration != old else { return }
      let decision = controller.receive(.configure(plan.configuration, current: nil))
      trace?.write(.configure(plan.configuration, current: nil), decision)
      if decision.isChange { apply(decision, inFull: true, warn) }
    } catch {
      // Unexpected: the change was checked when it was requested.
      warn("cannot change the exposure: \(error.message)")
    }
  }

  private func isLockAsked(_ options: ExposureOptions) -> Bool {
    options.isLocked || options.locksWhileRecording && isRecorded
  }

  /// Restores all settings. Frames seen later set nothing.
  public func close() {
    let isFirst = lock.withLock {
      defer { isClosed = true }
      return !isClosed
    }
    guard isFirst else { return }
    applier?.close()
    controls.restore()
    trace?.close()
  }

  // MARK: Films

  /// Nobody records, until `recorded`: the exposure follows the light although it is to be locked while recording.
  func unrecorded() {
    lock.withLock {
      guard isRecorded else { return }
      isRecorded = false
      guard desk.options.locksWhileRecording, !desk.options.isLocked else { return }
      locksWhenMet = false
      var configuration = controller.configuration
      guard configuration.isLocked else { return }
      configuration.isLocked = false
      let decision = controller.receive(.configure(configuration, current: nil))
      trace?.write(.configure(configuration, current: nil), decision)
    }
  }

  /// A film begins.
  func recorded() {
    lock.withLock {
      guard !isRecorded else { return }
      isRecorded = true
      if desk.options.locksWhileRecording, !controller.configuration.isLocked { locksWhenMet = true }
    }
  }

  /// Ends a film's trace, unless the next film has begun one. Waits for its disk.
  func endRecord(_ old: ExposureTraceFile) {
    let isCurrent = lock.withLock {
      guard trace === old else { return false }
      trace = nil
      return true
    }
    if isCurrent { old.close() }
  }

  /// Writes what happens from here on to another file. Waits for the disk of the one before.
  ///
  /// A trace begins with a state that its reader can have, too: the controller begins again from the camera's present
  /// setting, which changes nothing where the exposure fits the light.
  func record(_ new: ExposureTraceFile) {
    let old = lock.withLock {
      let old = trace
      trace = new
      let configuration = controller.configuration, present = account.last
      controller = ExposureController(configuration, current: present)
      new.write(.configure(configuration, current: present), controller.decision)
      if controller.decision.setting != present {
        controller.receive(.applied(present))
        new.write(.applied(present), controller.decision)
      }
      return old
    }
    old?.close()
  }

  private func applyCarefully(_ decision: ExposureDecision, in frame: Int, newest: Int, _ warn: (String) -> Void) {
    let before = account.last
    guard frame >= careUntil else {
      correct(before)
      return
    }
    var careful = decision
    let way = (decision.setting.gainStops - before.gainStops).units
    // At least one step of the gain.
    let part = abs(way) < ExposureService.carefulPart ? way : way / ExposureService.carefulPart
    careful.setting.gainStops = device.sensitivity.scale.nearest(to: before.gainStops + Stops(units: part))
    if careful.setting.gainStops == before.gainStops { careful.setting = decision.setting }
    careUntil = newest + delay + 1
    controller.receive(.applied(careful.setting))
    trace?.write(.applied(careful.setting), controller.decision)
    apply(careful, warn)
  }

  /// - Parameter inFull: sets everything, even what does not differ from the previous setting.
  private func apply(_ decision: ExposureDecision, inFull: Bool = false, _ warn: (String) -> Void) {
    account.add(decision.setting, from: decision.frame)
    if let applier {
      applier.ask(decision.setting)
      return
    }
    do throws(CamrecError) {
      let answer = try device.apply(decision.setting, before: inFull ? nil : account.before)
      if answer != decision.setting { take(.success(answer), warn) }
    } catch {
      take(.failure(error), warn)
    }
  }

  /// Handles an answer of the camera that differs from the request, or a failure.
  private func take(_ answer: Result<ExposureSetting, CamrecError>, _ warn: (String) -> Void) {
    switch answer {
    case .success(let setting):
      if !hasSaidOther, let sentence = ExposureWords.other(setting, than: account.last, device, controls.name) {
        hasSaidOther = true
        warn(sentence)
      }
      correct(setting)
    case .failure(let error):
      // The next decision tries again.
      if !hasSaidFailure { warn("cannot set the exposure: \(error.message)") }
      hasSaidFailure = true
      correct(account.before)
    }
  }

  private func correct(_ setting: ExposureSetting) {
    controller.receive(.applied(setting))
    trace?.write(.applied(setting), controller.decision)
    account.correct(setting)
  }
}
