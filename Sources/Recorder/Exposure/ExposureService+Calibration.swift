import Cameras
import Exposure
import Foundation
import Frames
import Platform

/// A new camera is calibrated once, before its first frame is recorded, and the result is kept.
extension ExposureService {
  /// True if camrec follows the light, and the gain in EV or the delay of settings is unknown.
  static func isWorthMeasuring(
    _ controls: any CameraControls, _ device: ExposureDevice, _ options: ExposureOptions
  ) -> Bool {
    guard options.followsLight, let control = device.sensitivity.control else { return false }
    return control == .gain || controls.delay == nil
  }

  /// Calibrates the camera, uses the result and reports it. If that fails, the recording continues as before, with a
  /// warning.
  ///
  /// Thread: that of the frames; the camera runs, but its frames are not recorded yet.
  ///
  /// - Parameters:
  ///   - converter: required if the camera's images are encoded.
  ///   - isStopped: asked before each frame; if true, the method returns.
  func calibrate(
    _ camera: any Camera, _ converter: (any ImageConverter)?, isStopped: @escaping () -> Bool, warn: (String) -> Void
  ) {
    lock.lock()
    defer { lock.unlock() }
    guard isUnmeasured else { return }
    isUnmeasured = false
    let start = MonotonicTime.now()
    let found = account.last
    // Nothing else may set the camera meanwhile.
    applier?.close()
    applier = nil
    let stream = ExposedStream(camera, converter, device, delay: delay, isStopped: isStopped)
    var settling = GainCalibrator.settling
    do throws(CamrecError) {
      var measurement = try StartCalibration(controls, device, stream, rate: rate)
      let result = try measurement.measure()
      keep(result.calibration, warn)
      self.measurement = Measurement(calibration: result.calibration)
      _ = try device.apply(found, before: nil)
      try begin(with: result.calibration)
      settling = delay
      let seconds = Double((MonotonicTime.now() - start) / 100_000_000) / 10
      warn(ExposureService.sentence(result, device, controls.name, seconds: seconds))
    } catch {
      self.measurement = Measurement(calibration: nil)
      let answer = try? device.apply(found, before: nil)
      account = ExposureAccount(answer ?? found)
      controller.receive(.applied(account.last))
      trace?.write(.applied(account.last), controller.decision)
      if error.code != .interrupted {
        warn("could not calibrate \(controls.name): \(error.message)" + (gainWarning.map { "; \($0)" } ?? ""))
      }
    }
    // Wait until the last measured setting no longer shows.
    for _ in 0..<settling where (try? stream.reading()) == nil { break }
    if !device.answersAtOnce { applier = ExposureApplier(device, found: account.last) }
  }

  private func keep(_ calibration: GainCalibration, _ warn: (String) -> Void) {
    do throws(CamrecError) {
      try calibration.keep(identity: controls.identity)
    } catch {
      warn("the calibration of \(controls.name) was not saved: \(error.message)")
    }
  }

  /// Starts again with the calibrated device.
  private func begin(with calibration: GainCalibration) throws(CamrecError) {
    let options = desk.options
    guard let known = try ExposureDevice.open(controls, baseISO: options.baseISO, calibration: calibration) else {
      throw CamrecError(.device, "its exposure time can no longer be set")
    }
    let delay = controls.delay ?? calibration.delay
    let plan = try ExposurePlan(
      options, device: known, rate: rate, delay: delay, source: controller.configuration.source + 1)
    controller.receive(.configure(plan.configuration, current: plan.found))
    trace?.write(.configure(plan.configuration, current: plan.found), controller.decision)
    let answer = try known.apply(controller.decision.setting, before: nil)
    if answer != controller.decision.setting {
      controller.receive(.applied(answer))
      trace?.write(.applied(answer), controller.decision)
    }
    device = known
    self.delay = delay
    account = ExposureAccount(answer)
    desk.know(known, delay: delay)
    desk.tell(controller.decision, set: answer, shown: answer, isLocked: false)
  }

  private static func sentence(
    _ result: StartCalibration.Result, _ device: ExposureDevice, _ name: String, seconds: Double
  ) -> String {
    let points = result.calibration.points
    let range = ((points.last?.ev ?? 0) * 10).rounded() / 10
    let gain = device.sensitivity.control == .gain ? "its gain spans \(range) EV, and " : ""
    let delay = result.calibration.delay, frames = "\(delay) frame\(delay == 1 ? "" : "s")"
    return "\(name) was calibrated in \(seconds) s: \(gain)settings show after \(frames)"
      + (result.isWhole
        ? ""
        : "; this light shows only part of the gain, and the rest is extrapolated: 'camrec controls calibrate' "
          + "measures all of it")
  }
}
