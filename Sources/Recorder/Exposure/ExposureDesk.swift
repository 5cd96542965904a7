import Exposure
import Frames
import RecorderAPI
import Synchronization

/// Passes changes to the thread of the frames, and the present exposure to everybody else.
///
/// Thread: any; never locked while a device is asked or a frame is read.
final class ExposureDesk: Sendable {
  private struct State {
    /// The options with every accepted change.
    var options: ExposureOptions
    /// The thread of the frames has not taken the last change yet.
    var isChanged = false
    /// It has taken the change, but not reported the result yet.
    var isTaken = false
    var device: ExposureDevice
    var delay: Int
    /// The shutter angle, adapted to the mains frequency.
    var angle: ShutterAngle
    /// The setting last requested from the device.
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

  var isoRange: ClosedRange<Double> { state.withLock { $0.device.sensitivity.isoRange } }

  /// Checks a change against what is known of the device, and leaves it for the thread of the frames.
  func change(_ change: ExposureChange) throws(CamrecError) {
    try state.withLock { (state) throws(CamrecError) in
      var options = state.options
      if case .mode(let mode) = change, mode != options.mode, mode == .camera {
        throw CamrecError(
          .usage, about: .exposure,
          "cannot give the exposure back to the camera while recording; stop, and start with "
            + "\(setting: .exposure) camera", reason: .exposureMode)
      }
      try options.apply(change)
      _ = try ExposurePlan(
        options, device: state.device, rate: rate, delay: state.delay, current: state.setting,
        isLocked: options.isLocked)
      state.options = options
      state.isChanged = true
    }
  }

  /// `status` does not include the last change yet.
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

  /// The shutter angle for the status, adapted to the mains frequency.
  var angle: ShutterAngle {
    get { state.withLock(\.angle) }
    set { state.withLock { $0.angle = newValue } }
  }

  /// Takes up what has been learnt about the device.
  func know(_ device: ExposureDevice, delay: Int) {
    state.withLock { state in
      state.device = device
      state.delay = delay
    }
  }

  /// The options, if they have changed since the last call.
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
