package import Cameras
package import Frames
import Recorder

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

  /// These settings with a change that is made at run time.
  ///
  /// - Parameters:
  ///   - address: the camera that the change names, or the one before.
  ///   - provider: that camera's.
  /// - Throws: code `usage` if the camera cannot take the change.
  func changed(
    _ change: SourceChange, to address: CameraAddress, of provider: any CameraProvider
  ) throws(CamrecError) -> SourceSettings {
    var camera = self
    camera.camera = address
    try provider.refuseUnlessRecordable()
    if let refusal = SourceSettings.modeRefusal(of: provider) {
      guard change.frameRate == nil, change.size == nil, change.pixelFormat == nil else { throw refusal }
      // Those of the command line were for the camera before it.
      if change.camera != nil { (camera.size, camera.frameRate) = (nil, nil) }
    }
    if let rate = change.frameRate { camera.frameRate = rate }
    if let size = change.size { camera.size = try FrameSize(parsing: size) }
    if change.camera != nil || change.pixelFormat != nil { camera.pixelFormat = change.pixelFormat }
    return camera
  }

  /// Why a camera takes no other size, rate or pixel format at run time; `nil` if it takes them.
  static func modeRefusal(of provider: any CameraProvider) -> CamrecError? {
    guard provider.traits.hasOwnMode else { return nil }
    return CamrecError(
      .usage,
      "\(provider.noun) has its own size, rate and pixel format; to choose them, change to a camera"
        + " ('camrec ctl camera')")
  }
}
