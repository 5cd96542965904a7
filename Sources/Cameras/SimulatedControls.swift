import Foundation
public import Frames
import Synchronization

/// The controls of a simulated camera: a new setting shows in its frames after the number of frames in its options.
///
/// It has an exposure time of any length up to the frame's, a sensitivity of ISO 25 to 12800 as
/// `SimulatedCamera.Options.sensitivity` says, a white balance, a focus that takes half a second, and a torch. A camera
/// whose options fix its shutter or its ISO has neither. The frames show all settings but the focus.
///
/// Thread: any.
public final class SimulatedControls: CameraControls {
  public let name = "simulated camera"
  public let identity: String
  public var answersAtOnce: Bool { true }
  public var delay: Int? { Int(frames) }

  private let sensitivity: SimulatedCamera.Options.Sensitivity
  private let timeStep: Double
  private let frames: UInt64
  private let longest: Double
  private let focusFrames: UInt64
  private let state: Mutex<State>

  private struct State {
    /// The requested settings.
    var settings: SimulatedSettings
    /// The settings before any change.
    let found: SimulatedSettings
    var focus = SimulatedFocus()
    /// The settings of frames from `first` on, in rising order; the first entry applies now.
    var history: [(first: UInt64, settings: SimulatedSettings)]
    /// The number of captured frames.
    var captured: UInt64 = 0
    /// Controls that changed by themselves since the last call of `changes`.
    var changes: [ControlChange] = []
  }

  static let isoRange = 25.0...12800.0
  /// Tenths of a decibel (of amplitude) above ISO 25, up to ISO 12800.
  static let gainRange = 0.0...541.0
  private static let shortestTime = 1e-5
  private static let kelvinRange = 2500.0...10000.0

  init(_ options: SimulatedCamera.Options, exposureTime: Double, iso: Double, frameRate: FrameRate) {
    identity = "simulated-\(options.sensitivity.rawValue)-\(options.controlDelay)"
    sensitivity = options.sensitivity
    timeStep = options.timeStep
    frames = UInt64(options.controlDelay)
    longest = frameRate.frameDuration.doubleValue
    focusFrames = UInt64((frameRate.framesPerSecond / 2).rounded(.up))
    let settings = SimulatedSettings(exposureTime: exposureTime, iso: iso)
    state = Mutex(State(settings: settings, found: settings, history: [(0, settings)]))
  }

  /// The settings of `frame`, which is captured now, and the lens's focus distance.
  func capture(_ frame: UInt64) -> (settings: SimulatedSettings, focusDistance: Double) {
    state.withLock { state in
      state.captured = frame + 1
      while state.history.count > 1, state.history[1].first <= frame { state.history.removeFirst() }
      if let change = state.focus.change(at: frame) { state.changes.append(change) }
      return (state.history[0].settings, state.focus.distance)
    }
  }

  // MARK: CameraControls

  public func offers() -> [ControlOffer] {
    let isBalanced = state.withLock { $0.settings.isBalanced }, isFocused = state.withLock { $0.focus.isAutomatic }
    var offers: [ControlOffer] = []
    if sensitivity != .fixed {
      let shortest = timeStep > 0 ? timeStep : SimulatedControls.shortestTime
      let most = timeStep > 0 ? (longest / timeStep).rounded(.down) * timeStep : longest
      offers.append(ControlOffer(.exposureTime, .number(minimum: shortest, maximum: most, step: timeStep)))
    }
    let iso = SimulatedControls.isoRange, gain = SimulatedControls.gainRange, kelvin = SimulatedControls.kelvinRange
    switch sensitivity {
    case .gain: offers.append(ControlOffer(.gain, .number(minimum: 0, maximum: gain.upperBound, step: 1)))
    case .iso: offers.append(ControlOffer(.iso, .number(minimum: iso.lowerBound, maximum: iso.upperBound, step: 0)))
    case .thirds: offers.append(ControlOffer(.iso, .listed(SimulatedControls.thirds)))
    case .fixed: break
    }
    return offers + [
      ControlOffer(.autoWhiteBalance, .flag, defaultValue: .flag(true)),
      ControlOffer(
        .whiteBalance, .number(minimum: kelvin.lowerBound, maximum: kelvin.upperBound, step: 10),
        defaultValue: .number(5600), isRuled: isBalanced),
      ControlOffer(
        .tint, .number(minimum: -1, maximum: 1, step: 0.05), defaultValue: .number(0), isRuled: isBalanced),
      ControlOffer(.autofocus, .flag, defaultValue: .flag(true)),
      ControlOffer(
        .focusDistance, .number(minimum: 0, maximum: 250, step: 5), defaultValue: .number(0), isRuled: isFocused),
      ControlOffer(.focusTrigger, .trigger),
      ControlOffer(.focusState, .choice(SimulatedFocus.states), isReadOnly: true),
      ControlOffer(.focusPoint, .point, defaultValue: .point(x: 0.5, y: 0.5)),
      ControlOffer(.torch, .choice(["off", "on"]), defaultValue: .choice("off")),
    ]
  }

  public func value(of control: CameraControl) throws(CamrecError) -> ControlValue {
    _ = try offer(control)
    return state.withLock { SimulatedControls.value(of: control, in: $0) }
  }

  @discardableResult
  public func set(_ control: CameraControl, to value: ControlValue) throws(CamrecError) -> ControlValue {
    let offer = try offer(control)
    if offer.isReadOnly { throw CamrecError(.device, ControlSentence.readOnly(control, camera: name)) }
    if offer.isRuled {
      throw CamrecError(.device, ControlSentence.ruled(control, camera: name, ruler: control.ruler))
    }
    try offer.check(value, camera: name)
    let value = offer.rounded(value)
    return state.withLock { state in
      switch (control, value) {
      case (.exposureTime, .number(let seconds)): state.settings.exposureTime = seconds
      case (.iso, .number(let iso)): state.settings.iso = iso
      case (.gain, .number(let gain)): state.settings.iso = SimulatedControls.iso(ofGain: gain)
      case (.autoWhiteBalance, .flag(let isOn)): state.settings.isBalanced = isOn
      case (.whiteBalance, .number(let kelvin)): state.settings.kelvin = kelvin
      case (.tint, .number(let tint)): state.settings.tint = tint
      case (.torch, .choice(let choice)): state.settings.torchIsOn = choice == "on"
      case (.autofocus, .flag(let isOn)): state.focus.isAutomatic = isOn
      case (.focusDistance, .number(let distance)): state.focus.distance = distance
      case (.focusPoint, .point(let x, let y)): state.focus.point = (x, y)
      case (.focusTrigger, _): state.focus.trigger(until: state.captured + focusFrames)
      default: break
      }
      show(state.settings, &state)
      return SimulatedControls.value(of: control, in: state)
    }
  }

  public func changes() -> [ControlChange] {
    state.withLock { state in
      defer { state.changes = [] }
      return state.changes
    }
  }

  public func restore() {
    state.withLock { state in
      state.settings = state.found
      state.focus = SimulatedFocus()
      show(state.settings, &state)
    }
  }

  // MARK: Helpers

  private func offer(_ control: CameraControl) throws(CamrecError) -> ControlOffer {
    if let offer = offers().first(where: { $0.control == control }) { return offer }
    throw CamrecError(.device, control.absence(on: name), reason: .notOffered)
  }

  /// A camera that has captured nothing yet takes its first frame with the new settings.
  private func show(_ settings: SimulatedSettings, _ state: inout State) {
    let first = state.captured == 0 ? 0 : state.captured - 1 + frames
    while let last = state.history.last, last.first >= first { state.history.removeLast() }
    state.history.append((first, settings))
  }

  private static func value(of control: CameraControl, in state: State) -> ControlValue {
    let settings = state.settings, focus = state.focus
    return switch control {
    case .exposureTime: .number(settings.exposureTime)
    case .iso: .number(settings.iso)
    case .gain: .number(gain(ofISO: settings.iso))
    case .autoWhiteBalance: .flag(settings.isBalanced)
    case .whiteBalance: .number(settings.kelvin)
    case .tint: .number(settings.tint)
    case .torch: .choice(settings.torchIsOn ? "on" : "off")
    case .autofocus: .flag(focus.isAutomatic)
    case .focusDistance: .number(focus.distance)
    case .focusPoint: .point(x: focus.point.x, y: focus.point.y)
    case .focusState: .choice(focus.state)
    default: .none
    }
  }

  /// ISO speeds as cameras print them, in thirds.
  private static let thirds: [Double] = {
    let octave = [100.0, 125, 160]
    return [25, 32, 40, 50, 64, 80] + (0..<7).flatMap { stop in octave.map { $0 * Double(1 << stop) } } + [12800]
  }()

  private static func iso(ofGain gain: Double) -> Double { isoRange.lowerBound * pow(10, gain / 200) }
  private static func gain(ofISO iso: Double) -> Double { (200 * log10(iso / isoRange.lowerBound)).rounded() }
}
