import Cameras
import Recorder
import Synchronization

/// A camera that somebody has looked at. Its tap keeps the last frame, even if the camera goes away.
package struct SeenCamera: Sendable {
  let tap: FrameTap
  let view: LiveView
  let name: String
  let format: CameraFormat

  init(_ session: CameraSession, _ view: LiveView) {
    (tap, self.view) = (session.tap, view)
    (name, format) = (session.camera.name, session.camera.format)
  }

  /// The one that somebody has looked at last: after a change of the camera, the former one until somebody has looked
  /// at the new one.
  ///
  /// Thread: any.
  package final class Latest: Sendable {
    private let seen = Mutex<SeenCamera?>(nil)

    package init() {}

    var camera: SeenCamera? { seen.withLock { $0 } }

    func keep(_ camera: SeenCamera) { seen.withLock { $0 = camera } }
  }
}
