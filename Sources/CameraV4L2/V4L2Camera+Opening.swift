import CV4L2
public import Cameras
public import Frames

extension V4L2Camera {
  /// Opens a camera and sets the mode that `request` means (`ModeSelection`). It claims the camera's buffers: from here
  /// on, no other program can stream from it.
  ///
  /// - Parameters:
  ///   - path: the video node, or a link to it (`/dev/v4l/by-id/…`).
  ///   - buffers: to request from the driver: for the frames that may be lent at once, and two that it fills meanwhile.
  /// - Throws: code `device` for a node that is missing, busy, forbidden or not a camera, `usage` for a mode that it
  ///   does not offer.
  public static func open(path: String, request: CameraRequest, buffers: Int = 8) throws(CamrecError) -> V4L2Camera {
    let device = try V4L2Device.open(path: path)
    try device.refuseUnlessCamera()
    let choice = try ModeSelection(
      from: try device.explained { () throws(V4L2CallError) in try device.modes(for: request) }, request: request,
      camera: device.name)
    var warnings = choice.warnings
    let format = V4L2PixelFormat(code: choice.format.code)
    let picture = try device.setPicture(format, choice.size, request, &warnings)
    let rate = try device.setRate(choice.rate, request, &warnings)
    let told = V4L2Color(
      colorspace: picture.colorspace, encoding: picture.ycbcr_enc, quantization: picture.quantization,
      transfer: picture.xfer_func)
    let color = told.description(of: format)
    let shape = try PictureShape(
      .init(
        width: Int(picture.width), height: Int(picture.height),
        rowBytes: [picture.bytesperline.0, picture.bytesperline.1, picture.bytesperline.2]
          .prefix(max(1, Int(picture.planes))).map { Int($0) }),
      format: format, color: color, camera: device.name)
    let rotation = try device.explained { () throws(V4L2CallError) in
      try device.subscribeSourceChange()
      return try DeviceControls(device).rotation()
    }
    let controls = openControls(path: path, &warnings)
    let stream = DeviceStream(device, controls: controls)
    let claimed = try device.claimBuffers(buffers, shape, stream)
    if !claimed.isMonotonic {
      warnings.append(
        "\(device.name) does not stamp its frames on the monotonic clock; camrec uses their time of arrival instead")
    }
    var converter: VendorConverter?
    if format.offered.route == .vendor {
      // Two more than may be lent: one that is being filled, and one that an encoder is slow to release.
      converter = VendorConverter(device: device, picture: picture, color: color, frames: buffers + 2)
      guard converter != nil else {
        throw CamrecError(
          .device, about: .size,
          "libv4l cannot convert \(format.offered.name) at \(choice.size) from \(device.name); choose an even "
            + "\(setting: .size)")
      }
    }
    return V4L2Camera(
      name: device.name,
      format: CameraFormat(
        width: shape.width, height: shape.height, image: converter.map { .raw($0.outputFormat.layout) } ?? shape.image,
        frameRate: rate, color: converter?.outputFormat.color ?? color, isColorGuessed: told.isUnknown,
        rotation: rotation),
      warnings: warnings, shape: shape, port: stream, buffers: claimed.buffers, converter: converter,
      controls: controls)
  }

  /// Checks that a camera offers a mode for `request`, even while another program streams from it. Sets nothing.
  ///
  /// - Throws: as `open`, for a node that is missing, forbidden or not a camera, and for a mode that it does not offer.
  public static func check(path: String, request: CameraRequest) throws(CamrecError) {
    let device = try V4L2Device.open(path: path)
    try device.refuseUnlessCamera()
    _ = try ModeSelection(
      from: try device.explained { () throws(V4L2CallError) in try device.modes(for: request) }, request: request,
      camera: device.name)
  }

  /// If the driver allows no second opening besides the stream, the camera is recorded as it is set.
  private static func openControls(path: String, _ warnings: inout [String]) -> V4L2Controls? {
    do throws(CamrecError) {
      let controls = try V4L2Controls.open(path: path, keeping: .untilRestored)
      warnings += controls.warnings
      return controls
    } catch {
      warnings.append("the camera's controls cannot be opened and stay as they are: \(error.message)")
      return nil
    }
  }
}
