/// A frame as the camera delivered it, with everything known about how it was taken.
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
  /// The camera's other settings for this frame.
  public var controls: ControlRecord?

  public init(
    image: consuming CapturedImage, sequence: UInt64, captureTime: MonotonicTime,
    sourceTime: SourceTime? = nil, exposure: ExposureRecord? = nil, controls: ControlRecord? = nil
  ) {
    self.image = image
    self.sequence = sequence
    self.captureTime = captureTime
    self.sourceTime = sourceTime
    self.exposure = exposure
    self.controls = controls
  }

  /// The image alone.
  public consuming func takeImage() -> CapturedImage { image }
}

/// A frame, or encoded bytes that a converter turns into one.
public enum CapturedImage: ~Copyable, Sendable {
  case frame(Frame)
  case encoded(EncodedImage)
}

/// A presentation time and duration in ticks; the time base is stored elsewhere.
public struct SourceTime: Hashable, Sendable {
  public let ticks: Int64
  public let duration: Int64
  public init(ticks: Int64, duration: Int64) {
    self.ticks = ticks
    self.duration = duration
  }
}

extension CapturedImage {
  /// Calls `body` with the frame; returns `nil` if the image is still encoded.
  public borrowing func withFrame<R>(_ body: (borrowing Frame) -> R) -> R? {
    switch self {
    case .frame(let frame): body(frame)
    case .encoded: nil
    }
  }
}
