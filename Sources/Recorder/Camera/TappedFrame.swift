public import Frames

/// What is known of a frame in a tap.
public struct TappedFrame: Hashable, Sendable {
  /// What its bytes are.
  public enum Content: Hashable, Sendable {
    case frame(FrameFormat)
    /// `stride`: bytes from one row to the next if the encoding has rows, else 0. `decodesAlone`: no other image is
    /// needed to decode this one.
    case encoded(FourCC, byteCount: Int, stride: Int, decodesAlone: Bool)
  }

  public var content: Content
  /// The camera's own count.
  public var sequence: UInt64
  /// The frame's place in its recording, counted in frames due; `nil` in front of the bake.
  public var index: Int64?
  /// When its exposure began.
  public var captureTime: MonotonicTime
  /// When it came into the tap.
  public var tapTime: MonotonicTime
  public var exposure: ExposureRecord?
}
