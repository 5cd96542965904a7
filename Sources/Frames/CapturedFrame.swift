/// A frame as the camera handed it over, with everything known of how it was taken.
public struct CapturedFrame: ~Copyable, Sendable {
  public var image: CapturedImage
  /// The camera's own count, from 0 at its first frame. A jump of n means n − 1 frames that never came.
  public let sequence: UInt64
  /// Start of exposure on the monotonic clock. For a clip: its presentation time on a clock that the clip's camera
  /// and microphone share.
  public let captureTime: MonotonicTime
  /// The clip's own presentation time and duration in ticks of `CameraFormat.timeBase`; `nil` from a live camera.
  public let sourceTime: SourceTime?
  /// What the exposure really was, where the camera knows.
  public var exposure: ExposureRecord?

  public init(
    image: consuming CapturedImage, sequence: UInt64, captureTime: MonotonicTime,
    sourceTime: SourceTime? = nil, exposure: ExposureRecord? = nil
  ) {
    self.image = image
    self.sequence = sequence
    self.captureTime = captureTime
    self.sourceTime = sourceTime
    self.exposure = exposure
  }

  /// The picture alone.
  public consuming func takeImage() -> CapturedImage { image }
}

/// A picture, or the bytes that a converter makes one of.
public enum CapturedImage: ~Copyable, Sendable {
  case frame(Frame)
  case encoded(EncodedImage)
}

/// A presentation time and duration in ticks of a time base that is known from elsewhere.
public struct SourceTime: Hashable, Sendable {
  public let ticks: Int64
  public let duration: Int64
  public init(ticks: Int64, duration: Int64) {
    self.ticks = ticks
    self.duration = duration
  }
}

/// The exposure that a frame was really taken with, and what else of its taking is known.
public struct ExposureRecord: Hashable, Sendable {
  /// Seconds.
  public let exposureTime: Double
  /// ISO speed as the camera's scale has it; 100 is its base.
  public let iso: Double
  /// The camera's own number, where its sensitivity is one.
  public var gain: Double?
  /// Kelvin.
  public var whiteBalance: Double?
  /// −1 (green) … 1 (magenta) around what the colour temperature means.
  public var tint: Double?
  /// The camera's own number, a greater one is nearer.
  public var focusDistance: Double?
  /// EV by which the metered average of the picture lies above 18 % grey.
  public var meteredEV: Double?

  public init(
    exposureTime: Double, iso: Double, gain: Double? = nil, whiteBalance: Double? = nil, tint: Double? = nil,
    focusDistance: Double? = nil, meteredEV: Double? = nil
  ) {
    self.exposureTime = exposureTime
    self.iso = iso
    self.gain = gain
    self.whiteBalance = whiteBalance
    self.tint = tint
    self.focusDistance = focusDistance
    self.meteredEV = meteredEV
  }
}

extension CapturedImage {
  /// The picture, where it is one already.
  public borrowing func withFrame<R>(_ body: (borrowing Frame) -> R) -> R? {
    switch self {
    case .frame(let frame): body(frame)
    case .encoded: nil
    }
  }
}
