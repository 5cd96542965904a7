public import Frames
import RecorderAPI

/// A change to another camera, or to another mode of the same one. `nil` members stay as they are. Begins a new film.
public struct SourceChange: Hashable, Sendable {
  /// As for `--camera`.
  public var camera: String?
  public var frameRate: FrameRate?
  /// As for `--size`: `1920x1080`.
  public var size: String?
  /// As for `--pixel-format`.
  public var pixelFormat: String?

  public init(
    camera: String? = nil, frameRate: FrameRate? = nil, size: String? = nil, pixelFormat: String? = nil
  ) {
    self.camera = camera
    self.frameRate = frameRate
    self.size = size
    self.pixelFormat = pixelFormat
  }

  /// The source already is what the change asks for.
  func isMet(by source: RecorderState.Source) -> Bool {
    camera == nil && (frameRate.map { $0.description == source.frameRate } ?? true)
      && (size.map { $0 == "\(source.width)x\(source.height)" } ?? true)
      && (pixelFormat.map { $0.lowercased() == source.pixelFormat } ?? true)
  }

  /// Both changes; the later one counts. Another camera has its own mode: nothing of the former one's is kept.
  func followed(by later: SourceChange) -> SourceChange {
    guard later.camera == nil else { return later }
    return SourceChange(
      camera: camera, frameRate: later.frameRate ?? frameRate, size: later.size ?? size,
      pixelFormat: later.pixelFormat ?? pixelFormat)
  }
}
