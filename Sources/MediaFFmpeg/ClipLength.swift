import CFFmpeg
public import Frames

/// A clip's length, from its header alone.
public struct ClipLength: Hashable, Sendable {
  public let seconds: Double
  public let frameRate: FrameRate

  /// `nil` for a file that cannot be read, has no video, or does not state its length. Thread: any.
  public init?(ofFile path: String) {
    guard let reader = try? ClipReader(path: path, kind: AVMEDIA_TYPE_VIDEO), let end = reader.promisedEnd else {
      return nil
    }
    let seconds = Double(end.subtractingSaturated(reader.start ?? 0)) * reader.timeBase.doubleValue
    guard seconds > 0, seconds < 1e9 else { return nil }
    self.seconds = seconds
    frameRate = reader.frameRate
  }
}
