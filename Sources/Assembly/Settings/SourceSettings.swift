package import Cameras
package import Frames

/// The camera, and the mode to request from it.
package struct SourceSettings: Hashable, Sendable, Codable {
  /// `nil`: the first V4L2 capture device.
  package var camera: CameraAddress?
  /// If the camera lacks the size or frame rate, use the nearest one.
  package var nearest = false
  package var size: FrameSize?
  package var frameRate: FrameRate?
  /// As the command line names it: `auto`, `yuyv`, …; `nil`: auto.
  package var pixelFormat: String?

  package init(
    camera: CameraAddress? = nil, nearest: Bool = false, size: FrameSize? = nil, frameRate: FrameRate? = nil,
    pixelFormat: String? = nil
  ) {
    self.camera = camera
    self.nearest = nearest
    self.size = size
    self.frameRate = frameRate
    self.pixelFormat = pixelFormat
  }

  package var request: CameraRequest {
    let format = pixelFormat?.lowercased()
    return CameraRequest(
      width: size?.width, height: size?.height, frameRate: frameRate, pixelFormat: format == "auto" ? nil : format,
      nearest: nearest)
  }
}
