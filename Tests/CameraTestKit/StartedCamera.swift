public import Cameras
public import Frames
import Synchronization

/// Counts how often a camera is started and stopped, and can be unplugged.
public final class StartedCamera: Camera {
  private let camera: any Camera
  private let counts = Mutex((starts: 0, stops: 0))
  private let isAway: @Sendable () -> Bool

  /// - Parameter isAway: whether the camera is unplugged now.
  public init(_ camera: any Camera, isAway: @escaping @Sendable () -> Bool = { false }) {
    self.camera = camera
    self.isAway = isAway
  }

  public var starts: Int { counts.withLock { $0.starts } }
  public var stops: Int { counts.withLock { $0.stops } }

  public var name: String { camera.name }
  public var format: CameraFormat { camera.format }
  public var warnings: [String] { camera.warnings }
  public var controls: (any CameraControls)? { camera.controls }

  public func start() throws(CamrecError) {
    counts.withLock { $0.starts += 1 }
    try camera.start()
  }

  public func stop() {
    counts.withLock { $0.stops += 1 }
    camera.stop()
  }

  public func next() throws(CamrecError) -> CameraEvent {
    if isAway() { return .ended(.unplugged) }
    return try camera.next()
  }

  public func restart() throws(CamrecError) -> Bool { try camera.restart() }
}
