public import Cameras
public import Frames
import Synchronization

/// A camera during whose frames somebody does something.
public final class ActingCamera: Camera {
  private let camera: any Camera
  /// The camera's own, or those that stand before them.
  public let controls: (any CameraControls)?
  private let actions: [UInt64: @Sendable (any CameraControls) -> Void]
  private let events = Mutex<UInt64>(0)

  /// - Parameter actions: by the number of the event, from 0, before which they happen, once or more often; without
  ///   faults event n is frame n.
  public init(
    _ camera: any Camera, controls: (any CameraControls)? = nil,
    _ actions: [UInt64: @Sendable (any CameraControls) -> Void] = [:]
  ) {
    self.controls = controls ?? camera.controls
    self.camera = camera
    self.actions = actions
  }

  public var name: String { camera.name }
  public var format: CameraFormat { camera.format }
  public var warnings: [String] { camera.warnings }

  public func start() throws(CamrecError) { try camera.start() }
  public func stop() { camera.stop() }

  public func next() throws(CamrecError) -> CameraEvent {
    if let action = actions[events.withLock { $0 }], let controls { action(controls) }
    let event = try camera.next()
    switch event {
    // A pulled camera that waits for memory is asked again.
    case .nothing: break
    default: events.withLock { $0 += 1 }
    }
    return event
  }
}
