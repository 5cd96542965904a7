public import Cameras
public import Frames
import Synchronization

/// The controls of a camera that does what a test says.
public final class ScriptedCameraControls: CameraControls {
  public let name = "scripted camera"
  public let identity: String

  private struct State {
    var values: [CameraControl: ControlValue]
    var isSilent = false
    var sets: [ControlChange] = []
  }

  private let state: Mutex<State>

  /// - Parameter values: the controls that it has, with their values.
  public init(identity: String = "scripted", _ values: [CameraControl: ControlValue]) {
    self.identity = identity
    state = Mutex(State(values: values))
  }

  public subscript(_ control: CameraControl) -> ControlValue? {
    get { state.withLock { $0.values[control] } }
    set { state.withLock { $0.values[control] = newValue } }
  }

  /// What was set, in order.
  public var sets: [ControlChange] { state.withLock { $0.sets } }

  /// From here on it does not answer.
  public func fallSilent() { state.withLock { $0.isSilent = true } }

  public func offers() throws(CamrecError) -> [ControlOffer] {
    let values = try answer().values
    return CameraControl.allCases.filter { values[$0] != nil }.map {
      ControlOffer($0, ScriptedCameraControls.kind(of: $0))
    }
  }

  public func value(of control: CameraControl) throws(CamrecError) -> ControlValue {
    guard let value = try answer().values[control] else {
      throw CamrecError(.device, control.absence(on: name), reason: .notOffered)
    }
    return value
  }

  public func set(_ control: CameraControl, to value: ControlValue) throws(CamrecError) -> ControlValue {
    _ = try self.value(of: control)
    state.withLock {
      $0.values[control] = value
      $0.sets.append(ControlChange(control, value))
    }
    return value
  }

  public func changes() throws(CamrecError) -> [ControlChange] { [] }
  public func restore() {}

  private func answer() throws(CamrecError) -> State {
    let now = state.withLock { $0 }
    guard !now.isSilent else { throw CamrecError(.device, "\(name) was unplugged") }
    return now
  }

  private static func kind(of control: CameraControl) -> ControlOffer.Kind {
    switch control {
    case .focusDistance: .number(minimum: 0, maximum: 250, step: 1)
    case .exposureTime: .number(minimum: 1e-4, maximum: 0.5, step: 1e-4)
    case .gain: .number(minimum: 0, maximum: 100, step: 1)
    case .whiteBalance: .number(minimum: 2800, maximum: 6500, step: 10)
    case .focusTrigger: .trigger
    case .focusPoint: .point
    case .focusState: .choice(["idle", "busy", "reached", "failed"])
    default: .flag
    }
  }
}
