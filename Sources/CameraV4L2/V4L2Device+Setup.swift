import CV4L2
import Cameras
import Frames

extension V4L2Device {
  static func open(path: String) throws(CamrecError) -> V4L2Device {
    do throws(V4L2CallError) {
      return try V4L2Device(path: path)
    } catch {
      throw error.explained(device: path)
    }
  }

  /// Runs calls to this device and turns a failure into a message.
  @discardableResult
  func explained<R>(_ calls: () throws(V4L2CallError) -> R) throws(CamrecError) -> R {
    do throws(V4L2CallError) {
      return try calls()
    } catch {
      throw error.explained(device: name)
    }
  }

  /// Refuses nodes that do not capture, tuners and analog television, and inputs without a signal.
  func refuseUnlessCamera() throws(CamrecError) {
    guard capability.isCapture, capability.streams else {
      throw CamrecError(
        .device, "\(name) does not capture video by streaming; `camrec devices` lists the cameras")
    }
    guard let input = try explained({ () throws(V4L2CallError) in try self.input() }) else { return }
    let inputName = withUnsafeBytes(of: input.name) { String(fixedBytes: $0) }
    if input.type == V4L2_INPUT_TYPE_TUNER || input.std != 0 {
      throw CamrecError(
        .device,
        "input \(inputName) of \(name) is a TV input, which is not supported; choose a camera or an HDMI input")
    }
    if input.status & UInt32(V4L2_IN_ST_NO_POWER | V4L2_IN_ST_NO_SIGNAL) != 0 {
      throw CamrecError(.device, "input \(inputName) of \(name) has no signal; switch its source on and start again")
    }
  }

  /// Sets format and size, and reads back the result.
  func setPicture(
    _ format: V4L2PixelFormat, _ size: PictureSize, _ request: CameraRequest, _ warnings: inout [String]
  ) throws(CamrecError) -> cv4l2_picture {
    var picture = cv4l2_picture()
    picture.width = UInt32(size.width)
    picture.height = UInt32(size.height)
    picture.pixelformat = format.offered.code.code
    picture.field = V4L2_FIELD_NONE.rawValue
    try explained { () throws(V4L2CallError) in
      try V4L2Call.perform("VIDIOC_S_FMT") { cv4l2_s_fmt(descriptor, bufferType, &picture) }
    }
    guard picture.field == V4L2_FIELD_NONE.rawValue || picture.field == V4L2_FIELD_ANY.rawValue else {
      throw CamrecError(
        .device, "\(name) delivers interlaced fields, which are not supported; choose a progressive mode or source")
    }
    let set = PictureSize(width: Int(picture.width), height: Int(picture.height))
    guard picture.pixelformat == format.offered.code.code else {
      throw CamrecError(
        .device, about: .size,
        "\(name) offers \(format.offered.name) at \(size) but sets \(FourCC(code: picture.pixelformat)) at \(set); "
          + "use \(setting: .size) \(set) or another \(setting: .pixelFormat)", reason: .notOffered)
    }
    if let warning = try ModeSelection.judge(
      size: set, chosen: size, isAsked: request.size != nil, nearest: request.nearest, format: format.offered.name,
      camera: name)
    { warnings.append(warning) }
    return picture
  }

  /// Sets the rate, and reads back the result; a driver without rates keeps its own.
  func setRate(
    _ rate: FrameRate, _ request: CameraRequest, _ warnings: inout [String]
  ) throws(CamrecError) -> FrameRate {
    let wanted = rate.frameDuration
    var interval = v4l2_fract(
      numerator: UInt32(clamping: wanted.numerator), denominator: UInt32(clamping: wanted.denominator))
    var capability: UInt32 = 0
    let isKept = try explained { () throws(V4L2CallError) in
      try V4L2Call.offers("VIDIOC_S_PARM") { cv4l2_s_parm(descriptor, bufferType, &interval, &capability) }
    }
    guard isKept, let set = Rational(interval).flatMap(FrameRate.init(interval:)) else {
      warnings.append("\(name) does not report its frame rate; assuming \(rate) frames per second")
      return rate
    }
    if let warning = try ModeSelection.judge(
      rate: set, asked: request.frameRate == nil ? nil : rate, size: request.size, nearest: request.nearest,
      isChange: request.isChange, camera: name)
    { warnings.append(warning) }
    return set
  }
}
