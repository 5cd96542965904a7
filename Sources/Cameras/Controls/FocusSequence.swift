public import Frames

/// Autofocus in two phases: it is begun and watched until it has found something, and then held.
///
/// A camera with a trigger says itself how far it is. One that only focuses all the time (USB cameras) is let do so
/// until its distance stands, and then switched off. The hold is the focus's own: no other lock touches it.
///
/// Thread: one at a time; who owns it calls `step` about ten times a second.
public struct FocusSequence: Sendable {
  public enum State: Hashable, Sendable {
    /// Nothing was asked for, or it was released.
    case free
    case searching
    /// Found, and held.
    case held
    /// The camera says so, or has found nothing for too long, or cannot be asked any more.
    case failed
  }

  public private(set) var state = State.free

  private var hasTrigger = false
  private var point: ControlValue?
  private var steps = 0
  private var stillSteps = 0
  /// Where the lens stands, as far as the camera tells: while it focuses all the time, and when it is held.
  public private(set) var distance: ControlValue?
  private var camera: String?

  /// A distance that is the same for so many steps stands: a second, longer than a lens rests while it hunts.
  static let stillness = 10
  /// Steps after which a search has failed: five seconds, more than the slowest lens takes from end to end.
  static let patience = 50

  public init() {}

  /// Begins to look for the focus.
  ///
  /// - Parameter point: of the picture, where the camera can be told; others look where they like.
  /// - Throws: as `CameraControls.set`; code `device` where the camera has no autofocus at all.
  public mutating func begin(_ controls: any CameraControls, at point: ControlValue? = nil) throws(CamrecError) {
    let offered = Set(try controls.offers().map(\.control))
    guard offered.contains(.focusTrigger) || offered.contains(.autofocus) else {
      throw CamrecError(.device, CameraControl.autofocus.absence(on: controls.name))
    }
    if offered.contains(.focusLock) { try controls.set(.focusLock, to: .flag(false)) }
    if let point, offered.contains(.focusPoint) { try controls.set(.focusPoint, to: point) }
    hasTrigger = offered.contains(.focusTrigger) && offered.contains(.focusState)
    if hasTrigger {
      // What a trigger does under a continuous autofocus V4L2 leaves open.
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

  /// Looks how far it is, and holds what was found.
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

  /// Gives the focus back: a continuous autofocus goes on.
  public mutating func release(_ controls: any CameraControls) throws(CamrecError) {
    state = .free
    let offered = Set(try controls.offers().map(\.control))
    if offered.contains(.focusLock) { try controls.set(.focusLock, to: .flag(false)) }
    if offered.contains(.autofocus) { try controls.set(.autofocus, to: .flag(true)) }
  }

  /// A search that nobody can watch any more.
  public mutating func giveUp() { if state == .searching { state = .failed } }

  /// After a switch of format or camera: the same camera takes its distance again, another one looks anew.
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

  /// `held`, `failed`, or `nil` while it goes on.
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
