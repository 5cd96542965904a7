public import Frames

/// A source of frames. Thread: `start`, `next` and `stop` on the capture thread.
public protocol Camera: AnyObject, Sendable {
  /// The camera's name for messages: `/dev/video0 (Logitech BRIO)`.
  var name: String { get }
  var format: CameraFormat { get }
  /// Warnings from opening the camera (a rate within 0.1 %, a size taken by `--nearest`, …).
  var warnings: [String] { get }
  /// The camera's controls; `nil` for a clip.
  var controls: (any CameraControls)? { get }

  /// Starts the stream. Throws code `device`.
  func start() throws(CamrecError)

  /// Waits for the next event, at most about 100 ms.
  ///
  /// - Throws: `CamrecError` of code `device` when the camera has failed for good, `input` for a clip.
  func next() throws(CamrecError) -> CameraEvent

  /// Restarts a stream that no longer delivers, with all settings as they are. Lent frames stay valid. The frame count
  /// continues and includes the frames that were due meanwhile.
  ///
  /// - Returns: false if there is no stream to restart.
  /// - Throws: code `device` if the restart fails.
  func restart() throws(CamrecError) -> Bool

  /// Stops the stream and restores the device to the state in which it was found. Lent frames stay valid.
  func stop()
}

/// A camera's next event.
public enum CameraEvent: ~Copyable, Sendable {
  case frame(CapturedFrame)
  /// The device marked this frame as damaged; its pixels are not delivered.
  case damaged(sequence: UInt64, captureTime: MonotonicTime)
  /// Nothing came in time. The stream continues.
  case nothing
  /// No more frames will come.
  case ended(CameraEnd)
}

public enum CameraEnd: Hashable, Sendable {
  /// A clip or a script has ended.
  case finished
  /// The source changed its format (`V4L2_EVENT_SOURCE_CHANGE`).
  case sourceChanged
  /// The device is gone (ENODEV).
  case unplugged
}

/// The format that an opened camera delivers.
public struct CameraFormat: Hashable, Sendable {
  public let width: Int
  public let height: Int
  /// Raw samples for the bake, or an encoding that a converter must decode first.
  public let image: CameraImageFormat
  /// The nominal rate, exact; `nil` for a camera that delivers frames when it likes: it can be looked at, but not
  /// recorded.
  public let frameRate: FrameRate?
  /// Ticks of `CapturedFrame.sourceTime`, in seconds; `nil` from a live camera.
  public let timeBase: Rational?
  /// Its frames are a clip's, not from a live camera.
  public var isClip: Bool { timeBase != nil }
  /// The colours as the camera or the file describes them; where it says nothing, by V4L2's default rules.
  public let color: ColorDescription
  /// A live camera says neither its colour space nor its transfer function, so `color` is a guess.
  public let isColorGuessed: Bool
  /// From the camera's mounting, or the clip's display matrix.
  public let rotation: Rotation
  /// The ratio of a pixel's width to its height.
  public let pixelAspect: Rational

  public init(
    width: Int, height: Int, image: CameraImageFormat, frameRate: FrameRate?, timeBase: Rational? = nil,
    color: ColorDescription, isColorGuessed: Bool = false, rotation: Rotation = .none,
    pixelAspect: Rational = Rational(1)
  ) {
    self.width = width
    self.height = height
    self.image = image
    self.frameRate = frameRate
    self.timeBase = timeBase
    self.color = color
    self.isColorGuessed = isColorGuessed
    self.rotation = rotation
    self.pixelAspect = pixelAspect
  }
}

public enum CameraImageFormat: Hashable, Sendable {
  case raw(PixelLayout)
  case encoded(FourCC)
}

/// The user's request to a camera; `nil` means the default.
public struct CameraRequest: Hashable, Sendable {
  public var width: Int?
  public var height: Int?
  public var frameRate: FrameRate?
  /// The `--pixel-format` name in lower case (`yuyv`, `nv12`, `mjpeg`, …); `nil` means auto.
  public var pixelFormat: String?
  /// Take the nearest mode that the camera offers, instead of refusing the request.
  public var nearest: Bool
  /// It changes what a running recorder records: such a change cannot accept the nearest mode.
  public var isChange = false

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

  /// A remedy that only a start has.
  func unlessChange(_ remedy: Sentence) -> Sentence { isChange ? "" : remedy }
}

extension Camera {
  public var controls: (any CameraControls)? { nil }

  /// The rate of its films.
  ///
  /// - Throws: code `usage`, reason `notOffered`, for a camera without a frame rate.
  public var filmRate: FrameRate {
    get throws(CamrecError) {
      if let rate = format.frameRate { return rate }
      throw CamrecError(
        .usage, about: .camera,
        "\(name) has no frame rate, so it cannot record films; choose another \(setting: .camera)", reason: .notOffered)
    }
  }

  public func restart() throws(CamrecError) -> Bool { false }
}
