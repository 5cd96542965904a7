import Cameras
import Frames
import Platform
import RecorderAPI
import Synchronization

/// The state shared by the callers of a `FocusService` and its thread.
final class FocusSearch: Sendable {
  private struct State {
    var controls: (any CameraControls)?
    var sequence = FocusSequence()
    var hasSaidPoint = false
  }

  struct Status {
    var focus = RecorderState.Focus(phase: .free)
    var failure: String?
  }

  private let state: Mutex<State>
  /// Separate from the state, which stays locked until the camera answers.
  private let told = Mutex(Status())
  private let warn: @Sendable (String) -> Void
  /// Rings when a search begins.
  let bell = BoundedQueue<Bool>(capacity: 1)

  init(_ controls: (any CameraControls)?, warn: @escaping @Sendable (String) -> Void) {
    state = Mutex(State(controls: controls))
    self.warn = warn
  }

  var status: Status { told.withLock { $0 } }

  func begin(at point: (x: Double, y: Double)?) throws(CamrecError) {
    if let point, !(0...1).contains(point.x) || !(0...1).contains(point.y) {
      throw CamrecError(
        .usage, "the focus point \(point.x),\(point.y) lies outside the frame, which goes from 0,0 to 1,1")
    }
    try state.withLock { (state) throws(CamrecError) in
      let controls = try FocusSearch.open(state)
      try state.sequence.begin(controls, at: point.map { .point(x: $0.x, y: $0.y) })
      if point != nil, !state.hasSaidPoint, try !controls.offers().contains(where: { $0.control == .focusPoint }) {
        state.hasSaidPoint = true
        warn(CameraControl.focusPoint.absence(on: controls.name))
      }
      tell(state)
    }
    _ = bell.offer(true)
  }

  func release() throws(CamrecError) {
    try state.withLock { (state) throws(CamrecError) in
      defer { tell(state) }
      try state.sequence.release(try FocusSearch.open(state))
    }
  }

  func pause() { state.withLock { $0.controls = nil } }

  func resume(_ controls: any CameraControls) throws(CamrecError) {
    try state.withLock { (state) throws(CamrecError) in
      state.controls = controls
      do throws(CamrecError) {
        try state.sequence.resume(controls)
        tell(state)
      } catch {
        tell(state, error.message)
        throw error
      }
    }
    _ = bell.offer(true)
  }

  /// Asks the camera about its progress. False if no search is running, or no camera is open.
  func step() -> Bool {
    state.withLock { state in
      guard let controls = state.controls, state.sequence.state == .searching else { return false }
      do throws(CamrecError) {
        let now = try state.sequence.step(controls)
        let sentence =
          "\(controls.name) found no focus; add light, or point it at something with clear edges"
        tell(state, now == .failed ? sentence : nil)
        if now == .failed { warn(sentence) }
      } catch {
        state.sequence.giveUp()
        tell(state, error.message)
        warn("cannot focus: \(error.message)")
      }
      return state.sequence.state == .searching
    }
  }

  private static func open(_ state: State) throws(CamrecError) -> any CameraControls {
    guard let controls = state.controls else {
      throw CamrecError(.usage, "cannot focus: no camera with controls is open; start recording first")
    }
    return controls
  }

  private func tell(_ state: State, _ failure: String? = nil) {
    let phase: RecorderState.Focus.Phase =
      switch state.sequence.state {
      case .free: .free
      case .searching: .searching
      case .held: .held
      case .failed: .failed
      }
    var distance: Double?
    if case .number(let number)? = state.sequence.distance, phase != .free { distance = number }
    let status = Status(focus: RecorderState.Focus(phase: phase, distance: distance), failure: failure)
    told.withLock { $0 = status }
  }
}
