public import Cameras
public import Frames
import Synchronization

/// A camera's controls, and an account of what was set on them.
public final class WatchedControls: CameraControls {
  private let controls: any CameraControls
  private let log = Mutex<[ControlChange]>([])

  public init(_ controls: any CameraControls) { self.controls = controls }

  /// What was set, in order.
  public var sets: [ControlChange] { log.withLock { $0 } }

  public var name: String { controls.name }
  public var identity: String { controls.identity }
  public var answersAtOnce: Bool { controls.answersAtOnce }
  public var delay: Int? { controls.delay }
  public func offers() throws(CamrecError) -> [ControlOffer] { try controls.offers() }
  public func value(of control: CameraControl) throws(CamrecError) -> ControlValue {
    try controls.value(of: control)
  }
  public func set(_ control: CameraControl, to value: ControlValue) throws(CamrecError) -> ControlValue {
    log.withLock { $0.append(ControlChange(control, value)) }
    return try controls.set(control, to: value)
  }
  public func changes() throws(CamrecError) -> [ControlChange] { try controls.changes() }
  public func restore() { controls.restore() }
}
