import Audio
import Frames
public import Movies

/// The size of the buffer in front of the disk: how much film can wait while the disk stalls.
public struct DiskRoom: Hashable, Sendable {
  /// Reserved at the start; what is never filled is never touched.
  public let bytes: Int
  /// Seconds of film that it holds at the rate expected. An estimate: at constant quality, x265 makes up to twice that
  /// of dark, noisy pictures.
  public let seconds: Double

  /// Longer than flash cards usually pause to clear blocks, and shorter than anybody would wait.
  private static let wanted = 8.0
  private static let bounds = (1 << 22)...(1 << 27)

  public init(bytes: Int, seconds: Double) {
    self.bytes = bytes
    self.seconds = seconds
  }

  public init(_ settings: MovieSettings) {
    let rate = DiskRoom.bytesPerSecond(settings)
    let bytes = min(max(Int(rate * DiskRoom.wanted), DiskRoom.bounds.lowerBound), DiskRoom.bounds.upperBound)
    self.init(bytes: bytes, seconds: Double(bytes) / rate)
  }

  /// The encoder's rate for rather difficult frames, and the audio.
  private static func bytesPerSecond(_ settings: MovieSettings) -> Double {
    max(pictureBytesPerSecond(settings) + soundBytesPerSecond(settings), 1)
  }

  static func pictureBytesPerSecond(_ settings: MovieSettings) -> Double {
    let pixels = Double(settings.format.width * settings.format.height) * settings.frameRate.framesPerSecond
    return switch (settings.encoding.codec, settings.encoding.rate) {
    case (_, .bitrate(let bits)?): Double(bits) / 8
    // libx265 makes less of most pictures at CRF 20, but has no upper bound.
    case (.hevc, _): pixels * 0.8 / 8
    case (.prores, _): proResBytes(settings) * settings.frameRate.framesPerSecond
    // Lossless coding does not make noise any smaller.
    case (.ffv1, _): Double(settings.format.byteCount) * settings.frameRate.framesPerSecond
    }
  }

  /// The most that FFmpeg's encoders make of a frame: more than Apple's tables say. They count in macroblocks. In HQ,
  /// prores_aw aims at 1350 bits for each, and allows an eighth more; prores_ks takes up to 1566 at small sizes. Proxy
  /// and LT take less than is said here, at most 300 and 720.
  private static func proResBytes(_ settings: MovieSettings) -> Double {
    let blocks = ((settings.format.width + 15) / 16) * ((settings.format.height + 15) / 16)
    let bits =
      switch settings.encoding.profile {
      case "proxy", "lt": 922
      case "standard": 1050
      case "4444": 2350
      default: 1566
      }
    return Double(blocks * bits) / 8
  }

  static func soundBytesPerSecond(_ settings: MovieSettings) -> Double {
    settings.audio?.storedBytesPerSecond ?? 0
  }
}
