public import Frames

/// Another camera, or another mode of the same: what is `nil` stays as it is. It begins a new film.
public struct SourceChange: Hashable, Sendable {
  /// As `--camera` says it.
  public var camera: String?
  public var frameRate: FrameRate?
  /// As `--size` says it: `1920x1080`.
  public var size: String?
  /// As `--pixel-format` says it.
  public var pixelFormat: String?

  public init(
    camera: String? = nil, frameRate: FrameRate? = nil, size: String? = nil, pixelFormat: String? = nil
  ) {
    self.camera = camera
    self.frameRate = frameRate
    self.size = size
    self.pixelFormat = pixelFormat
  }

  /// The source is what it asks for already.
  func isMet(by source: RecorderState.Source) -> Bool {
    camera == nil && (frameRate.map { $0.description == source.frameRate } ?? true)
      && (size.map { $0 == "\(source.width)x\(source.height)" } ?? true)
      && (pixelFormat.map { $0.lowercased() == source.pixelFormat } ?? true)
  }

  /// Both; the later one counts. Another camera brings a mode of its own: nothing of the former's is kept.
  func followed(by later: SourceChange) -> SourceChange {
    guard later.camera == nil else { return later }
    return SourceChange(
      camera: camera, frameRate: later.frameRate ?? frameRate, size: later.size ?? size,
      pixelFormat: later.pixelFormat ?? pixelFormat)
  }
}
