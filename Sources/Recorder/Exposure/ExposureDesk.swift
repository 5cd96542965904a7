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

  /// The exposure does not fit the light yet.
  var isMoving: Bool { state.withLock { $0.decision.map { $0.state == .moving } ?? true } }

  var isoRange: ClosedRange<Double> { state.withLock { $0.device.sensitivity.isoRange } }

  /// Checks a change against what is known of the device, and leaves it for the thread of the frames.
  func change(_ change: ExposureChange) throws(CamrecError) {
    try state.withLock { (state) throws(CamrecError) in
      try ExposureDesk.refuse(change, in: state)
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

  /// - Throws: code `usage` for a change that does nothing while the exposure is locked.
  func check(_ change: ExposureChange) throws(CamrecError) {
    try state.withLock { (state) throws(CamrecError) in try ExposureDesk.refuse(change, in: state) }
  }

  private static func refuse(_ change: ExposureChange, in state: State) throws(CamrecError) {
    let what: String
    switch change {
    case .bias: what = "an offset in EV"
    case .metering: what = "the metering"
    case .mode, .angle, .iso, .lock: return
    }
    guard state.isLocked else { return }
    guard state.options.locksWhileRecording else {
      throw CamrecError(
        .usage, "\(what) has no effect while the exposure is locked; unlock it first", reason: .exposureMode)
    }
    throw CamrecError(
      .usage, about: .lockExposureWhileRecording,
      "\(what) has no effect now: \(setting: .lockExposureWhileRecording) has locked the exposure",
      reason: .exposureMode)
  }

  /// `status` includes a change, and frames show an angle or ISO that it has set. What follows the light comes later.
  func shows(_ change: ExposureChange) -> Bool {
    state.withLock { state in
      guard !state.isChanged, !state.isTaken else { return false }
      switch change {
      case .angle:
        let time = Stops(nanoseconds: state.shown.nanoseconds) - Stops(nanoseconds: state.setting.nanoseconds)
        return time.magnitude <= ExposureDesk.near
      case .iso: return (state.shown.gainStops - state.setting.gainStops).magnitude <= ExposureDesk.near
      case .mode, .bias, .metering, .lock: return true
      }
    }
  }

  /// EV by which a camera may report another exposure than it was set to.
  private static let near = Stops(0.02)

  var status: ExposureStatus {
    let state = state.withLock { $0 }
    let sensitivity = state.device.sensitivity, shown = state.shown
    return ExposureStatus(
      mode: state.options.mode.rawValue,
      state: state.decision.flatMap { ExposureStatus.State(rawValue: $0.state.rawValue) } ?? .moving,
      exposureTime: shown.exposureTime, shutterAngle: state.options.angle.degrees.doubleValue,
      reachedShutterAngle: ShutterAngle.degrees(ofExposureTime: shown.exposureTime, at: rate),
      iso: sensitivity.iso(of: shown.gainStops), isCalibrated: sensitivity.isCalibrated, gain: shown.gain,
      bias: state.options.bias.ev, metering: state.options.metering.word, isLocked: state.isLocked,
      missingEV: state.decision?.shownMissing.ev ?? 0,
      isMissingEVLowerBound: state.decision?.isMissingLowerBound == true ? true : nil)
  }

  /// A line for people, with every change since the camera was opened; `nil` if the mode no longer fits the camera.
  var summary: String? {
    let state = state.withLock { $0 }
    guard
      var plan = try? ExposurePlan(
        state.options, device: state.device, rate: rate, delay: state.delay, current: state.setting)
    else { return nil }
    plan.reached(state.setting, rate: rate, device: state.device, isLocked: state.isLocked)
    return plan.summary
  }

  // MARK: The thread of the frames

  /// The shutter angle, adapted to the mains frequency.
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
