public import Cameras
public import Frames
import Synchronization

/// How often cameras were started and stopped, and how many are open.
public final class CameraCounts: Sendable {
  private let counts = Mutex((starts: 0, stops: 0, open: 0))

  public init() {}

  public var starts: Int { counts.withLock { $0.starts } }
  public var stops: Int { counts.withLock { $0.stops } }
  /// Nobody has let go of them.
  public var open: Int { counts.withLock { $0.open } }

  func add(starts: Int = 0, stops: Int = 0, open: Int = 0) {
    counts.withLock { counts in
      counts.starts += starts
      counts.stops += stops
      counts.open += open
    }
  }
}

/// A camera whose starts and stops are counted, and that can be unplugged.
public final class StartedCamera: Camera {
  public let counts: CameraCounts
  private let camera: any Camera
  private let isAway: @Sendable () -> Bool

  /// - Parameters:
  ///   - counts: may be of several cameras.
  ///   - isAway: whether the camera is unplugged now.
  public init(
    _ camera: any Camera, counts: CameraCounts = CameraCounts(), isAway: @escaping @Sendable () -> Bool = { false }
  ) {
    self.camera = camera
    self.counts = counts
    self.isAway = isAway
    counts.add(open: 1)
  }

  deinit { counts.add(open: -1) }

  public var name: String { camera.name }
  public var format: CameraFormat { camera.format }
  public var warnings: [String] { camera.warnings }
  public var controls: (any CameraControls)? { camera.controls }

  public func start() throws(CamrecError) {
    counts.add(starts: 1)
    try camera.start()
  }

  public func stop() {
    counts.add(stops: 1)
    camera.stop()
  }

  public func next() throws(CamrecError) -> CameraEvent {
    if isAway() { return .ended(.unplugged) }
    return try camera.next()
  }

  public func restart() throws(CamrecError) -> Bool { try camera.restart() }
}
