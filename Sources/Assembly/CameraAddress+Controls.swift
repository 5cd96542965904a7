package import Cameras
import CameraV4L2
package import Frames
import MediaFFmpeg

extension CameraAddress {
  /// Opens the controls of the camera that `--camera` names (`nil`: the first V4L2 camera), even while it records. A
  /// simulated camera is created anew, and its settings are lost when it closes.
  ///
  /// - Parameter keeping: whether changes stay when the controls are closed.
  /// - Throws: code `device` for a camera that is missing or forbidden, `usage` for one that has no controls.
  package static func openControls(
    _ address: CameraAddress?, keeping: ControlKeeping
  ) throws(CamrecError) -> any CameraControls {
    switch address {
    case .device(let path)?: return try V4L2Controls.open(path: path, keeping: keeping)
    case nil: return try V4L2Controls.open(path: try V4L2Devices.firstCapture(), keeping: keeping)
    case .simulated(let text)?:
      let camera = try SimulatedCamera(
        SimulatedCamera.Options(parsing: text), request: CameraRequest(), clock: SimulatedClock(pace: .pulled),
        frames: 1
      ) { (format) throws(CamrecError) in try JPEGEncoder(format: format) }
      guard let controls = camera.controls else {
        throw CamrecError(.usage, "the simulated camera has no controls with these options")
      }
      return controls
    case .clip?:
      throw CamrecError(.usage, about: .camera, "a clip has no controls; give \(setting: .camera) /dev/videoN")
    }
  }
}
