public import Cameras
import Exposure
public import Frames
import Foundation

/// Keeps a camera exposed by rule: reads how bright each frame is, decides (`ExposureController`), and tells the camera.
///
/// Everything that was set is put back by `close`, and by the end of this object.
///
/// Thread: `see` and `close` on one thread at a time, that of the frames.
///
/// `@unchecked Sendable`: every `var` is touched by that thread alone.
public final class ExposureService: @unchecked Sendable {
  /// What there was to say at the start, in sentences.
  public let warnings: [String]
  /// How the recording is exposed, in a line for people.
  public let summary: String

  private let controls: any CameraControls
  private let device: ExposureDevice
  private let applier: ExposureApplier?
  private var meter: Meter?
  private let metering: MeteringMode
  private var controller: ExposureController
  private let trace: ExposureTraceFile?
  private var account: ExposureAccount
  private var shortage: LightShortage
  private var locksWhenMet: Bool
  /// Of a gain that nobody has measured: until this frame the last change has not shown.
  private var careUntil = 0
  private let delay: Int
  private var hasSaidFailure = false
  private var isClosed = false

  /// Frames until a setting shows, of a camera that nobody has measured: most webcams and sensors.
  static let usualDelay = 2
  /// Of a gain that nobody has measured, this part of the way is gone at a time, and looked at: it comes to rest as long
  /// as no step is more than five times as large as it was guessed to be.
  private static let carefulPart = 3

  /// Sets the camera up, before its first frame.
  ///
  /// - Parameter trace: where the events and decisions are written.
  /// - Returns: no service where the mode is `camera`, or the camera's exposure cannot be set; then `sentence` says so.
  /// - Throws: code `usage` for what the camera cannot be set to, code `device` where it does not answer.
  public static func open(
    _ camera: any Camera, options: ExposureOptions, trace: ExposureTraceFile? = nil
  ) throws(CamrecError) -> (service: ExposureService?, sentence: String?) {
    guard options.mode != .camera, let controls = camera.controls else { return (nil, nil) }
    let calibration = GainCalibration.kept(identity: controls.identity)
    let opened: ExposureDevice?
    do throws(CamrecError) {
      opened = try ExposureDevice.open(controls, baseISO: options.baseISO, calibration: calibration)
    } catch {
      // It may be recorded all the same.
      return (nil, "the exposure of \(camera.name) stays as it is: \(error.message)")
    }
    guard let device = opened else { return (nil, CameraControl.exposureTime.absence(on: camera.name)) }
    do throws(CamrecError) {
      let service = try ExposureService(
        controls, device, options: options, rate: camera.format.frameRate,
        delay: controls.delay ?? calibration?.delay ?? usualDelay, trace: trace)
      return (service, nil)
    } catch {
      controls.restore()
      throw error
    }
  }

  private init(
    _ controls: any CameraControls, _ device: ExposureDevice, options: ExposureOptions, rate: FrameRate,
    delay: Int, trace: ExposureTraceFile?
  ) throws(CamrecError) {
    self.controls = controls
    self.device = device
    self.trace = trace
    metering = options.metering
    var plan = try ExposurePlan(options, device: device, rate: rate, delay: delay)
    locksWhenMet = options.locksWhileRecording
    self.delay = delay
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
    warnings = plan.warnings
    summary = plan.summary
    applier = device.answersAtOnce ? nil : ExposureApplier(device, found: answer)
  }

  deinit { close() }

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
    // An answer to a wish that another one has followed is out of date.
    if let answer = applier?.takeAnswer(), answer.wish == account.last { take(answer.result, warn) }
    if meter == nil { meter = Meter(format: frame.format, mode: metering) }
    guard let reading = meter?.read(frame) else { preconditionFailure("a meter was made") }
    let number = Int(truncatingIfNeeded: sequence)
    let shown = told.map {
      ExposureSetting(
        nanoseconds: Int64(($0.exposureTime * 1e9).rounded()), gainStops: device.sensitivity.gain(ofISO: $0.iso))
    }
    let measurement = ExposureMeasurement(frame: number, reading: reading, shown: shown)
    let decision = controller.next(measurement)
    trace?.write(.frame(measurement), decision)
    if decision.isChange {
      if device.sensitivity.isCalibrated { apply(decision, warn) } else { applyCarefully(decision, in: number, warn) }
    }
    if locksWhenMet, [.settled, .limited].contains(decision.state) { lock() }
    if let sentence = shortage.sentence(decision) { warn(sentence) }
    var record = told ?? device.record(account.setting(of: number))
    // Hundredths are more than a plot shows, and a record of what does not change costs nothing.
    record.meteredEV = (reading.level.ev * 100).rounded() / 100
    return record
  }

  /// From here on time and gain stay.
  private func lock() {
    locksWhenMet = false
    var configuration = controller.configuration
    configuration.isLocked = true
    let decision = controller.receive(.configure(configuration, current: nil))
    trace?.write(.configure(configuration, current: nil), decision)
  }

  /// Puts everything back.
  public func close() {
    guard !isClosed else { return }
    isClosed = true
    applier?.close()
    controls.restore()
    trace?.close()
  }

  private func applyCarefully(_ decision: ExposureDecision, in frame: Int, _ warn: (String) -> Void) {
    let before = account.last
    guard frame >= careUntil else {
      take(.success(before), warn)
      return
    }
    var careful = decision
    let way = (decision.setting.gainStops - before.gainStops).units
    // At least one step of the gain.
    let part = abs(way) < ExposureService.carefulPart ? way : way / ExposureService.carefulPart
    careful.setting.gainStops = device.sensitivity.scale.nearest(to: before.gainStops + Stops(units: part))
    if careful.setting.gainStops == before.gainStops { careful.setting = decision.setting }
    careUntil = frame + delay + 1
    controller.receive(.applied(careful.setting))
    trace?.write(.applied(careful.setting), controller.decision)
    apply(careful, warn)
  }

  private func apply(_ decision: ExposureDecision, _ warn: (String) -> Void) {
    account.add(decision.setting, from: decision.frame)
    if let applier {
      applier.ask(decision.setting)
      return
    }
    do throws(CamrecError) {
      let answer = try device.apply(decision.setting, before: account.before)
      if answer != decision.setting { take(.success(answer), warn) }
    } catch {
      take(.failure(error), warn)
    }
  }

  /// The camera was set to something else than it was asked for, or to nothing.
  private func take(_ answer: Result<ExposureSetting, CamrecError>, _ warn: (String) -> Void) {
    switch answer {
    case .success(let setting):
      controller.receive(.applied(setting))
      trace?.write(.applied(setting), controller.decision)
      account.correct(setting)
    case .failure(let error):
      // What was not set is tried again with the next decision.
      if !hasSaidFailure { warn("an exposure was not set: \(error.message)") }
      hasSaidFailure = true
      take(.success(account.before), warn)
    }
  }
}
