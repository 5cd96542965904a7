import Cameras
import Frames

/// The camera, and the mode to request from it.
struct SourceSettings: Hashable, Sendable, Codable {
  /// `nil`: the first V4L2 capture device.
  var camera: CameraAddress?
  /// If the camera lacks the size or frame rate, use the nearest one.
  var nearest = false
  var size: FrameSize?
  var frameRate: FrameRate?
  /// As the command line names it: `auto`, `yuyv`, …; `nil`: auto.
  var pixelFormat: String?

  var request: CameraRequest {
    let format = pixelFormat?.lowercased()
    return CameraRequest(
      width: size?.width, height: size?.height, frameRate: frameRate, pixelFormat: format == "auto" ? nil : format,
      nearest: nearest)
  }
}
