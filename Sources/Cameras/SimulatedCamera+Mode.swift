import Frames

extension SimulatedCamera {
  static let widths = 64...7680
  static let heights = 36...4320
  static let rates = FrameRate.bounds(1, 240)
  static let mjpeg = "mjpeg"
  /// The names that `--pixel-format` accepts.
  static let pixelFormats = PixelLayout.allCases.filter { $0.chroma != .yuv444 }.map(\.rawValue) + [mjpeg]

  /// The size, rate and format chosen for a request.
  struct Mode {
    var width = 1920
    var height = 1080
    var frameRate = FrameRate.bounds(24, 24).lowerBound
    /// The layout of the frames; with `isEncoded`, of those that the encoder reads.
    var layout = PixelLayout.nv12
    var isEncoded = false
    var warnings: [String] = []

    init(_ request: CameraRequest) throws(CamrecError) {
      try takeFormat(request.pixelFormat)
      try takeSize(request.width ?? width, request.height ?? height, request)
      try takeRate(request.frameRate ?? frameRate, request)
    }

    private mutating func takeFormat(_ name: String?) throws(CamrecError) {
      guard let name, name != "auto" else { return }
      if name == mjpeg {
        (layout, isEncoded) = (.yuv422p, true)
      } else if let known = PixelLayout(rawValue: name) {
        layout = known
      } else {
        throw CamrecError(
          .usage, about: .pixelFormat,
          "the simulated camera has no pixel format '\(name)'; it has \(pixelFormats.joined(separator: ", "))",
          reason: .notOffered)
      }
    }

    private mutating func takeSize(_ wide: Int, _ high: Int, _ request: CameraRequest) throws(CamrecError) {
      width = min(max(wide, widths.lowerBound), widths.upperBound)
      height = min(max(high, heights.lowerBound), heights.upperBound)
      guard wide != width || high != height else { return }
      guard request.nearest else {
        throw CamrecError(
          .usage, about: .size,
          "the simulated camera has no size \(wide)x\(high): 64x36 to 7680x4320 are possible;"
            + " choose \(setting: .size) \(width)x\(height)"
            + request.unlessChange(" or add \(setting: .nearest)"), reason: .notOffered)
      }
      warnings.append("the simulated camera has no size \(wide)x\(high); it takes \(width)x\(height)")
    }

    private mutating func takeRate(_ rate: FrameRate, _ request: CameraRequest) throws(CamrecError) {
      frameRate = min(max(rate, rates.lowerBound), rates.upperBound)
      guard rate != frameRate else { return }
      guard request.nearest else {
        throw CamrecError(
          .usage, about: .fps,
          "the simulated camera has no rate of \(rate) frames per second: 1 to 240 are possible;"
            + " choose \(setting: .fps) \(frameRate)"
            + request.unlessChange(" or add \(setting: .nearest)"), reason: .notOffered)
      }
      warnings.append("the simulated camera has no rate of \(rate) frames per second; it takes \(frameRate)")
    }

    /// The colours of the frames; `mjpeg` is as webcams send it.
    func color(_ options: Options) -> ColorDescription {
      var color = options.color
      if isEncoded { (color.matrix, color.range) = (.rec601, .full) }
      return color
    }
  }
}

extension FrameRate {
  /// Whole rates; both within 1…1000.
  fileprivate static func bounds(_ low: Int64, _ high: Int64) -> ClosedRange<FrameRate> {
    guard let low = FrameRate(Rational(low)), let high = FrameRate(Rational(high)) else {
      preconditionFailure("a bound is not a frame rate")
    }
    return low...high
  }
}
