import CV4L2
import Cameras
import Frames

extension V4L2Device {
  /// The pixel formats in the driver's order, each with the driver's own description.
  func formats() throws(V4L2CallError) -> [(format: V4L2PixelFormat, description: String)] {
    var formats: [(V4L2PixelFormat, String)] = []
    while formats.count < V4L2Device.mostEntries {
      var entry = v4l2_fmtdesc()
      entry.index = UInt32(formats.count)
      entry.type = bufferType
      guard try V4L2Call.offers("VIDIOC_ENUM_FMT", { cv4l2_enum_fmt(descriptor, &entry) }) else { break }
      let words = withUnsafeBytes(of: entry.description) { String(fixedBytes: $0) }
      formats.append((V4L2PixelFormat(code: FourCC(code: entry.pixelformat)), words))
    }
    return formats
  }

  /// The sizes of one format. A driver that does not list them is asked what it would set for `wanted`.
  func sizes(of code: FourCC, wanted: PictureSize) throws(V4L2CallError) -> SizeOffer {
    var sizes: [PictureSize] = []
    while sizes.count < V4L2Device.mostEntries {
      var entry = v4l2_frmsizeenum()
      entry.index = UInt32(sizes.count)
      entry.pixel_format = code.code
      guard try V4L2Call.offers("VIDIOC_ENUM_FRAMESIZES", { cv4l2_enum_framesizes(descriptor, &entry) }) else { break }
      guard entry.type == V4L2_FRMSIZE_TYPE_DISCRETE.rawValue else {
        let steps = entry.stepwise
        return .range(
          smallest: PictureSize(width: Int(steps.min_width), height: Int(steps.min_height)),
          largest: PictureSize(width: Int(steps.max_width), height: Int(steps.max_height)),
          step: entry.type == V4L2_FRMSIZE_TYPE_CONTINUOUS.rawValue
            ? PictureSize(width: 1, height: 1)
            : PictureSize(width: Int(steps.step_width), height: Int(steps.step_height)))
      }
      sizes.append(PictureSize(width: Int(entry.discrete.width), height: Int(entry.discrete.height)))
    }
    guard sizes.isEmpty else { return .list(sizes) }
    var picture = cv4l2_picture()
    picture.width = UInt32(wanted.width)
    picture.height = UInt32(wanted.height)
    picture.pixelformat = code.code
    picture.field = V4L2_FIELD_NONE.rawValue
    guard try V4L2Call.offers("VIDIOC_TRY_FMT", { cv4l2_try_fmt(descriptor, bufferType, &picture) }) else {
      return .list([])
    }
    return .list([PictureSize(width: Int(picture.width), height: Int(picture.height))])
  }

  /// The rates of one format at one size.
  func rates(of code: FourCC, at size: PictureSize) throws(V4L2CallError) -> RateOffer {
    var rates: [FrameRate] = []
    var index: UInt32 = 0
    while index < V4L2Device.mostEntries {
      var entry = v4l2_frmivalenum()
      entry.index = index
      entry.pixel_format = code.code
      entry.width = UInt32(size.width)
      entry.height = UInt32(size.height)
      guard try V4L2Call.offers("VIDIOC_ENUM_FRAMEINTERVALS", { cv4l2_enum_frameintervals(descriptor, &entry) }) else {
        break
      }
      guard entry.type == V4L2_FRMIVAL_TYPE_DISCRETE.rawValue else {
        guard let shortest = Rational(entry.stepwise.min), let longest = Rational(entry.stepwise.max) else { break }
        let isContinuous = entry.type == V4L2_FRMIVAL_TYPE_CONTINUOUS.rawValue
        return .range(shortest: shortest, longest: longest, step: isContinuous ? nil : Rational(entry.stepwise.step))
      }
      if let interval = Rational(entry.discrete), let rate = FrameRate(interval: interval) { rates.append(rate) }
      index += 1
    }
    return rates.isEmpty ? .unknown : .list(rates)
  }

  /// Every mode that may satisfy `request`; of a range of sizes, only the one nearest to it.
  func modes(for request: CameraRequest) throws(V4L2CallError) -> [CameraMode] {
    var modes: [CameraMode] = []
    for (format, _) in try formats() {
      let code = format.offered.code
      for size in try sizes(of: code, wanted: request.size ?? .defaultLimit).candidates(for: request.size) {
        modes.append(CameraMode(format: format.offered, size: size, rates: try rates(of: code, at: size)))
      }
    }
    return modes
  }

  /// The limit for a driver whose enumeration does not end.
  private static let mostEntries = 1024
}

extension Rational {
  /// A driver's fraction; `nil` if it is not above zero.
  init?(_ fraction: v4l2_fract) {
    guard fraction.numerator > 0, fraction.denominator > 0 else { return nil }
    self.init(Int64(fraction.numerator), Int64(fraction.denominator))
  }
}
