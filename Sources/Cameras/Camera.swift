public import Frames

/// A source of frames. Thread: `start`, `next` and `stop` on the capture thread.
public protocol Camera: AnyObject, Sendable {
  /// What to call it in messages: `/dev/video0 (Logitech BRIO)`.
  var name: String { get }
  var format: CameraFormat { get }
  /// Sentences that the opening had to say (a rate within 0.1 %, a size taken by `--nearest`, …).
  var warnings: [String] { get }
  /// What can be set on it; `nil` for a clip.
  var controls: (any CameraControls)? { get }

  /// Starts the stream. Throws code `device`.
  func start() throws(CamrecError)

  /// Waits for what comes next, at most about 100 ms.
  ///
  /// - Throws: `CamrecError` of code `device` when the camera has failed for good, `input` for a clip.
  func next() throws(CamrecError) -> CameraEvent

  /// Starts a stream again that delivers nothing any more, with everything set as it is. Frames that are out stay
  /// valid; the count of frames goes on, those included that were due meanwhile.
  ///
  /// - Returns: false where there is no stream to be started again.
  /// - Throws: code `device` where it cannot be done.
  func restart() throws(CamrecError) -> Bool

  /// Stops the stream and gives the device back as it was found. Frames that are out stay valid.
  func stop()
}

/// What a camera says next.
public enum CameraEvent: ~Copyable, Sendable {
  case frame(CapturedFrame)
  /// The device marked this frame as damaged; its pixels are not handed out.
  case damaged(sequence: UInt64, captureTime: MonotonicTime)
  /// Nothing came in time. The stream goes on.
  case nothing
  /// No more frames will come.
  case ended(CameraEnd)
}

public enum CameraEnd: Hashable, Sendable {
  /// A clip or a script has run out.
  case finished
  /// The source changed its format (`V4L2_EVENT_SOURCE_CHANGE`).
  case sourceChanged
  /// The device is gone (ENODEV).
  case unplugged
}

/// What an opened camera delivers.
public struct CameraFormat: Hashable, Sendable {
  public let width: Int
  public let height: Int
  /// Raw samples that the bake reads, or an encoding that a converter reads first.
  public let image: CameraImageFormat
  /// The nominal rate, exact.
  public let frameRate: FrameRate
  /// Ticks of `CapturedFrame.sourceTime`, in seconds; `nil` from a live camera.
  public let timeBase: Rational?
  /// What the camera or the file says about its colours, by V4L2's default rules where it says nothing.
  public let color: ColorDescription
  /// The camera's mounting, or the clip's display matrix.
  public let rotation: Rotation
  /// Width of a pixel to its height.
  public let pixelAspect: Rational

  public init(
    width: Int, height: Int, image: CameraImageFormat, frameRate: FrameRate, timeBase: Rational? = nil,
    color: ColorDescription, rotation: Rotation = .none,
    pixelAspect: Rational = Rational(1)
  ) {
    self.width = width
    self.height = height
    self.image = image
    self.frameRate = frameRate
    self.timeBase = timeBase
    self.color = color
    self.rotation = rotation
    self.pixelAspect = pixelAspect
  }
}

public enum CameraImageFormat: Hashable, Sendable {
  case raw(PixelLayout)
  case encoded(FourCC)
}

/// What the user asked a camera for; `nil` leaves it to the defaults.
public struct CameraRequest: Hashable, Sendable {
  public var width: Int?
  public var height: Int?
  public var frameRate: FrameRate?
  /// The `--pixel-format` name in lower case (`yuyv`, `nv12`, `mjpeg`, …); `nil` is auto.
  public var pixelFormat: String?
  /// Take the nearest mode that the camera offers instead of refusing.
  public var nearest: Bool

  public init(
    width: Int? = nil, height: Int? = nil, frameRate: FrameRate? = nil, pixelFormat: String? = nil,
    nearest: Bool = false
  ) {
    self.width = width
    self.height = height
    self.frameRate = frameRate
    self.pixelFormat = pixelFormat
    self.nearest = nearest
  }
}

extension Camera {
  public var controls: (any CameraControls)? { nil }

  public func restart() throws(CamrecError) -> Bool { false }
}
