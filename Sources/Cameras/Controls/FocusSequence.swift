public import Frames

/// Autofocus in two phases: it searches until it has found the focus, then holds it.
///
/// A camera with a trigger reports its progress. A camera with only continuous autofocus (most USB cameras) focuses
/// until its distance is steady; then its autofocus is switched off. This hold is independent of all other locks.
///
/// Thread: one at a time; the owner calls `step` about ten times a second.
public struct FocusSequence: Sendable {
  public enum State: Hashable, Sendable {
    /// Not requested, or released.
    case free
    case searching
    /// Found, and held.
    case held
    /// The camera reported a failure, found nothing in time, or can no longer be asked.
    case failed
  }

  public private(set) var state = State.free

  private var hasTrigger = false
  private var point: ControlValue?
  private var steps = 0
  private var stillSteps = 0
  /// The lens's distance as far as the camera reports it: during continuous autofocus and while the focus is held.
  public private(set) var distance: ControlValue?
  private var camera: String?

  /// Steps without a change after which the distance is steady: one second, longer than a lens pauses while it hunts.
  static let stillness = 10
  /// Steps after which a search has failed: five seconds, more than the slowest lens needs from end to end.
  static let patience = 50

  public init() {}

  /// Starts the search for the focus.
  ///
  /// - Parameter point: the point to focus on, if the camera accepts one; other cameras choose it themselves.
  /// - Throws: as `CameraControls.set`; code `device` if the camera has no autofocus at all.
  public mutating func begin(_ controls: any CameraControls, at point: ControlValue? = nil) throws(CamrecError) {
    let offered = Set(try controls.offers().map(\.control))
    guard offered.contains(.focusTrigger) || offered.contains(.autofocus) else {
      throw CamrecError(.device, CameraControl.autofocus.absence(on: controls.name), reason: .notOffered)
    }
    if offered.contains(.focusLock) { try controls.set(.focusLock, to: .flag(false)) }
    if let point, offered.contains(.focusPoint) { try controls.set(.focusPoint, to: point) }
    hasTrigger = offered.contains(.focusTrigger) && offered.contains(.focusState)
    if hasTrigger {
      // V4L2 does not define what a trigger does during continuous autofocus.
      if offered.contains(.autofocus) { try controls.set(.autofocus, to: .flag(false)) }
      try controls.set(.focusTrigger, to: .none)
    } else if offered.contains(.autofocus) {
      try controls.set(.autofocus, to: .flag(true))
    } else {
      try controls.set(.focusTrigger, to: .none)
    }
    self.point = point
    (state, steps, stillSteps, distance, camera) = (.searching, 0, 0, nil, controls.identity)
  }

  /// Checks the search, and holds the focus once it is found.
  @discardableResult
  public mutating func step(_ controls: any CameraControls) throws(CamrecError) -> State {
    guard state == .searching else { return state }
    steps += 1
    switch try outcome(controls) {
    case .held?: try hold(controls)
    case let ending?: state = ending
    case nil: if steps >= FocusSequence.patience { state = .failed }
    }
    return state
  }

  /// Releases the focus: a continuous autofocus resumes.
  public mutating func release(_ controls: any CameraControls) throws(CamrecError) {
    state = .free
    let offered = Set(try controls.offers().map(\.control))
    if offered.contains(.focusLock) { try controls.set(.focusLock, to: .flag(false)) }
    if offered.contains(.autofocus) { try controls.set(.autofocus, to: .flag(true)) }
  }

  /// Ends a search that can no longer be watched.
  public mutating func giveUp() { if state == .searching { state = .failed } }

  /// Continues after a switch of format or camera: the same camera gets its distance back, another one searches again.
  ///
  /// - Throws: as `begin`; the focus has then failed.
  public mutating func resume(_ controls: any CameraControls) throws(CamrecError) {
    guard state == .held || state == .searching else { return }
    let wasHeld = state == .held
    state = .failed
    let offers = try controls.offers()
    let takesDistance = offers.contains { $0.control == .focusDistance && !$0.isReadOnly }
    guard wasHeld, camera == controls.identity, takesDistance, let distance else {
      return try begin(controls, at: point)
    }
    if offers.contains(where: { $0.control == .autofocus }) { try controls.set(.autofocus, to: .flag(false)) }
    try controls.set(.focusDistance, to: distance)
    try lock(controls, Set(offers.map(\.control)))
    state = .held
  }

  /// `held`, `failed`, or `nil` while the search continues.
  private mutating func outcome(_ controls: any CameraControls) throws(CamrecError) -> State? {
    guard hasTrigger else {
      let now = try? controls.value(of: .focusDistance)
      stillSteps = now == distance ? stillSteps + 1 : 0
      distance = now
      return stillSteps >= FocusSequence.stillness ? .held : nil
    }
    switch try controls.value(of: .focusState) {
    case .choice("reached"): return .held
    case .choice("failed"): return .failed
    default: return nil
    }
  }

  private mutating func hold(_ controls: any CameraControls) throws(CamrecError) {
    let offered = Set(try controls.offers().map(\.control))
    if !hasTrigger, offered.contains(.autofocus) { try controls.set(.autofocus, to: .flag(false)) }
    distance = try? controls.value(of: .focusDistance)
    try lock(controls, offered)
    state = .held
  }

  private func lock(_ controls: any CameraControls, _ offered: Set<CameraControl>) throws(CamrecError) {
    if offered.contains(.focusLock) { try controls.set(.focusLock, to: .flag(true)) }
  }
}
