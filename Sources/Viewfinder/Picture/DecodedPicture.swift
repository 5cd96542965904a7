public import Frames
public import RecorderAPI

/// A picture of a recorder's monitor, decoded.
public struct DecodedPicture: Sendable {
  public let header: MonitorHeader
  /// Which part of the frame it shows.
  public let part: PicturePart
  /// When it had come.
  public let time: MonotonicTime
  public let width, height: Int
  /// Blue, green, red and an unused byte for each pixel, row by row; there may be more than the picture has.
  public var pixels: [UInt8]
}

/// Decodes JPEG images.
///
/// Thread: one.
public protocol PictureDecoder: AnyObject {
  /// - Parameter pixels: gets blue, green, red and an unused byte for each pixel; made longer if need be.
  /// - Throws: code `input` for what is no JPEG image, or a too large one.
  func decode(_ image: [UInt8], into pixels: inout [UInt8]) throws(CamrecError) -> (width: Int, height: Int)
}
