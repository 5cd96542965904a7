public import Cameras
public import Exposure
public import Frames
import Foundation
import Synchronization

/// Keeps a camera exposed by rule: reads how bright each frame is, decides (`ExposureController`), and tells the
/// camera.
///
/// Everything that was set is put back by `close`, and by the end of this object.
///
/// Thread: `see` and `close` on one thread at a time, that of the frames; `change`, `options` and `status` on any.
///
/// `@unchecked Sendable`: every `var` is touched by the thread of the frames alone; what others see is `desk`.
public final class ExposureService: @unchecked Sendable {
  /// What there was to say at the start, in sentences.
  public let warnings: [String]
  /// How the recording is exposed, in a line for people.
  public let summary: String

  let desk: ExposureDesk
  let controls: any CameraControls
  var device: ExposureDevice
  var applier: ExposureApplier?
  let rate: FrameRate
  private var meter: Meter?
  private var metering: MeteringMode
  var controller: ExposureController
  let trace: ExposureTraceFile?
  var account: ExposureAccount
  private var shortage: LightShortage
  private var locksWhenMet: Bool
  /// Of a gain that nobody has measured: until this frame the last change has not shown.
  private var careUntil = 0
  var delay: Int
  /// What is said where the gain is not measured either before the recording.
  let gainWarning: String?
  /// Gain or delay is still to be measured.
  var isUnmeasured: Bool
  /// What was found before the first frame, where somebody looked. Read when the thread of the frames has ended.
  public internal(set) var measurement: Measurement?
  /// Frames in which the light may still be met before one is recorded.
  private var framesToMeet = 0
  /// The newest frame that was captured.
  private let newest = Atomic(0)
  private var hasSaidFailure = false
  private var hasSaidOther = false
  private var isClosed = false

  /// Frames until a setting shows, of a camera that nobody has measured: most webcams and sensors.
  static let usualDelay = 2
  /// Of a gain that nobody has measured, this part of the way is gone at a time, and looked at: it comes to rest as
  /// long as no step is more than five times as large as it was guessed to be.
  private static let carefulPart = 3
  /// EV that a film may begin beside its exposure: a little more than what the controller leaves alone.
  private static let met = Stops(0.1)

  /// Sets the camera up, before its first frame.
  ///
  /// - Parameters:
  ///   - options: those of a service before it (`options`) have the changes that were made to it; a lock is taken anew
  ///     once the light has been met.
  ///   - setting: what the same camera was set to before its rate or format changed (`setting`): the first frame is as
  ///     bright as the last one was, with the angle's time at the new rate. `nil` begins with what the camera has.
  ///   - measured: what the service before has found of the same camera (`measurement`): it is not measured again.
  ///   - trace: where the events and decisions are written.
  /// - Returns: no service where the mode is `camera`, or the camera's exposure cannot be set; then `sentence` says so.
  /// - Throws: code `usage` for what the camera cannot be set to, code `device` where it does not answer.
  public static func open(
    _ camera: any Camera, options: ExposureOptions, startingFrom setting: ExposureSetting? = nil,
    measured: Measurement? = nil, trace: ExposureTraceFile? = nil
  ) throws(CamrecError) -> (service: ExposureService?, sentence: String?) {
    guard options.mode != .camera, let controls = camera.controls else { return (nil, nil) }
    let calibration = measured?.calibration ?? GainCalibration.kept(identity: controls.identity)
    let opened: ExposureDevice?
    do throws(CamrecError) {
      opened = try ExposureDevice.open(controls, baseISO: options.baseISO, calibration: calibration)
    } catch {
      // It may be recorded all the same.
      return (nil, "the exposure of \(camera.name) stays as it is: \(error.message)")
    }
    guard let device = opened else { return (nil, try absence(of: controls, on: camera.name)) }
    do throws(CamrecError) {
      let service = try ExposureService(
        controls, device, options: options, rate: camera.format.frameRate,
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

  /// Why a camera's exposure time cannot be set, and what that means.
  private static func absence(of controls: any CameraControls, on name: String) throws(CamrecError) -> String {
    let control = CameraControl.exposureTime
    guard let offer = try controls.offers().first(where: { $0.control == control }), offer.isReadOnly else {
      return control.absence(on: name)
    }
    return ControlSentence.readOnly(control, camera: name)
      + "; its pictures are taken as it exposes them by itself"
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
    // A lock that another source was held by says nothing about this one's light.
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
    shortage = LightShortage(rate: rate, name: controls.name)
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

  /// What a look at the camera before its first frame came to.
  public struct Measurement: Hashable, Sendable {
    /// `nil` where it could not be measured in its light.
    let calibration: GainCalibration?
  }

  deinit { close() }

  /// A frame was captured that is seen later, since it has to be converted first. Any thread.
  public func captured(sequence: UInt64) { newest.store(Int(truncatingIfNeeded: sequence), ordering: .relaxed) }

  /// Reads a frame and sets what follows from it.
  ///
  /// - Parameters:
  ///   - sequence: the camera's own count.
  ///   - told: what the camera says the frame was taken with.
  ///   - warn: is given sentences for people.
  /// - Returns: what the frame was taken with, as far as is known.
  public func see(
    _ frame: borrowing Frame, sequence: UInt64, told: ExposureRecord?, warn: (String) -> Void
  ) -> ExposureRecord {
    trace?.takeSentences().forEach(warn)
    // An answer to a wish that another one has followed is out of date.
    if let answer = applier?.takeAnswer(), answer.wish == account.last { take(answer.result, warn) }
    if meter == nil { meter = Meter(format: frame.format, mode: metering) }
    guard let reading = meter?.read(frame) else { preconditionFailure("a meter was made") }
    let number = Int(truncatingIfNeeded: sequence)
    let shown = told.map {
      ExposureSetting(
        nanoseconds: Int64(saturating: ($0.exposureTime * 1e9).rounded()), gainStops: device.sensitivity.gain(ofISO: $0.iso))
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
    if locksWhenMet, [.settled, .limited].contains(decision.state) { lock() }
    if let options = desk.takeChange() { configure(options, warn) }
    if let sentence = shortage.sentence(controller.decision) { warn(sentence) }
    let known = shown ?? account.setting(of: number)
    if framesToMeet > 0 { framesToMeet = isMet(reading, in: known) ? 0 : framesToMeet - 1 }
    desk.tell(
      controller.decision, set: account.last, shown: known, isLocked: controller.configuration.isLocked)
    var record = told ?? device.record(known)
    record.meteredEV = ExposureRecord.hundredths(reading.level.ev)
    return record
  }

  /// The light is not met yet, for at most half a second of frames: what is seen now is not to be recorded.
  var isMeetingLight: Bool { framesToMeet > 0 }

  /// A frame of that half second could not be read.
  func missedLight() { framesToMeet = max(0, framesToMeet - 1) }

  /// A picture that is as bright as it is to be needs no settling.
  private func isMet(_ reading: MeterReading, in shown: ExposureSetting) -> Bool {
    // What was set last may still be on its way.
    let isShown = (shown.exposureStops - account.last.exposureStops).magnitude <= Stops(0.02)
    return controller.decision.state != .moving && isShown
      || (reading.level - controller.configuration.bias).magnitude <= ExposureService.met
  }

  /// From here on time and gain stay.
  private func lock() {
    locksWhenMet = false
    var configuration = controller.configuration
    configuration.isLocked = true
    let decision = controller.receive(.configure(configuration, current: nil))
    trace?.write(.configure(configuration, current: nil), decision)
  }

  /// Takes on what was changed meanwhile, behind a frame, so that what follows from it shows as late as what follows
  /// from the frame.
  private func configure(_ options: ExposureOptions, _ warn: (String) -> Void) {
    let old = controller.configuration
    if !options.isLocked, !options.locksWhileRecording { locksWhenMet = false }
    // What is to be locked once the light is met is not locked yet.
    let isLocked = !locksWhenMet && (options.isLocked || options.locksWhileRecording)
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
      // It was found right when it was asked for.
      warn("an exposure was not changed: \(error.message)")
    }
  }

  /// Puts everything back.
  public func close() {
    guard !isClosed else { return }
    isClosed = true
    applier?.close()
    controls.restore()
    trace?.close()
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

  /// - Parameter inFull: also what does not differ from the setting before, which another one may have followed
  ///   already.
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

  /// The camera was set to something else than it was asked for, or to nothing.
  private func take(_ answer: Result<ExposureSetting, CamrecError>, _ warn: (String) -> Void) {
    switch answer {
    case .success(let setting):
      if !hasSaidOther, let sentence = ExposureWords.other(setting, than: account.last, device, controls.name) {
        hasSaidOther = true
        warn(sentence)
      }
      correct(setting)
    case .failure(let error):
      // What was not set is tried again with the next decision.
      if !hasSaidFailure { warn("an exposure was not set: \(error.message)") }
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
