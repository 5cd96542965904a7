public import Frames
public import RecorderAPI

/// What the window knows of one recorder.
public struct ViewedRecorder: Sendable, Identifiable {
  /// Its name; with its process if others have the same name.
  public let id: String

  /// A picture that the window has.
  public struct Picture: Hashable, Sendable {
    public let header: MonitorHeader
    /// Which part of the frame it shows.
    public let part: PicturePart
    /// When it came, by the window's clock.
    public let time: MonotonicTime

    public init(_ header: MonitorHeader, part: PicturePart = .whole, time: MonotonicTime) {
      self.header = header
      self.part = part
      self.time = time
    }

    /// When the frame was captured, or came.
    var frameTime: MonotonicTime { header.captureTime ?? header.tapTime ?? time }
  }

  public enum Control: Hashable, Sendable {
    /// Nobody has tried yet.
    case unknown
    case allowed
    /// It can only be looked at, for this reason.
    case denied(String)
  }

  /// It runs, as far as is known.
  public var isRunning = true
  public var state: RecorderState?
  public var control = Control.unknown
  public var picture: Picture?
  public var measures: MeasuresPayload?
  /// The size of the frame that was measured, which may be turned.
  public var measured: FrameExtent?
  /// Why there are no pictures, or no new ones; `nil` if they come.
  public var failure: String?

  public init(id: String) { self.id = id }
}
