import Exposure
import Frames
import Synchronization

/// Where others leave their changes for the thread of the frames, and see how the recording is exposed.
///
/// Thread: any; nobody holds it while a device is asked or a frame is read.
final class ExposureDesk: Sendable {
  private struct State {
    /// With every change that was accepted.
    var options: ExposureOptions
    /// The thread of the frames has not taken the last change yet.
    var isChanged = false
    /// It has taken it, and has not told yet what came of it.
    var isTaken = false
    var device: ExposureDevice
    var delay: Int
    /// After the mains.
    var angle: ShutterAngle
    /// What the device was asked for last.
    var setting: ExposureSetting
    var shown: ExposureSetting
    var isLocked = false
    var decision: ExposureDecision?
  }

  private let state: Mutex<State>
  private let rate: FrameRate

  init(
    _ options: ExposureOptions, device: ExposureDevice, rate: FrameRate, delay: Int, setting: ExposureSetting,
    angle: ShutterAngle
  ) {
    self.rate = rate
    state = Mutex(
      State(options: options, device: device, delay: delay, angle: angle, setting: setting, shown: setting))
  }

  // MARK: Others

  var options: ExposureOptions { state.withLock(\.options) }

  var setting: ExposureSetting { state.withLock(\.setting) }

  /// Checks a change against the device as it is known, and leaves it.
  func change(_ change: ExposureChange) throws(CamrecError) {
    try state.withLock { (state) throws(CamrecError) in
      var options = state.options
      if case .mode(let mode) = change, mode != options.mode, mode == .camera {
        throw CamrecError(
          .usage, "the exposure cannot be given back to the camera while it is recorded; stop, and start with "
            + "--exposure camera")
      }
      try options.apply(change)
      _ = try ExposurePlan(
        options, device: state.device, rate: rate, delay: state.delay, current: state.setting,
        isLocked: options.isLocked)
      state.options = options
      state.isChanged = true
    }
  }

  /// The last change does not show in `status` yet.
  var isBehind: Bool { state.withLock { $0.isChanged || $0.isTaken } }

  var status: ExposureStatus {
    let state = state.withLock { $0 }
    let sensitivity = state.device.sensitivity, shown = state.shown
    return ExposureStatus(
      mode: state.options.mode.rawValue,
      state: state.decision.flatMap { ExposureStatus.State(rawValue: $0.state.rawValue) } ?? .moving,
      exposureTime: shown.exposureTime, shutterAngle: state.angle.degrees.doubleValue,
      reachedShutterAngle: ShutterAngle.degrees(ofExposureTime: shown.exposureTime, at: rate),
      iso: sensitivity.iso(of: shown.gainStops), isCalibrated: sensitivity.isCalibrated, gain: shown.gain,
      bias: state.options.bias.ev, metering: state.options.metering.word, isLocked: state.isLocked,
      missingEV: state.decision?.missing.ev ?? 0)
  }

  // MARK: The thread of the frames

  /// After the mains; what the status says.
  var angle: ShutterAngle {
    get { state.withLock(\.angle) }
    set { state.withLock { $0.angle = newValue } }
  }

  /// The device is known better now.
  func know(_ device: ExposureDevice, delay: Int) {
    state.withLock { state in
      state.device = device
      state.delay = delay
    }
  }

  /// The options where they have changed since.
  func takeChange() -> ExposureOptions? {
    state.withLock { state in
      guard state.isChanged else { return nil }
      state.isChanged = false
      state.isTaken = true
      return state.options
    }
  }

  func tell(_ decision: ExposureDecision, set: ExposureSetting, shown: ExposureSetting, isLocked: Bool) {
    state.withLock { state in
      state.isTaken = false
      state.decision = decision
      state.setting = set
      state.shown = shown
      state.isLocked = isLocked
    }
  }
}
