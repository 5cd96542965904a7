public import Frames

/// What happens when a frame arrives and no place is free for it.
public enum OverloadPolicy: String, Hashable, Sendable, CaseIterable {
  /// The frame is lost, and accounted as an overload.
  case drop
  /// The recording stops.
  case stop
  /// The camera waits: for sources that are pulled.
  case wait
}

/// Where a recording ends by itself.
public enum RecordingLimit: Hashable, Sendable {
  /// Frames due, lost ones included.
  case frames(Int64)
  /// Movie time.
  case seconds(Rational)
}

/// What a session is told beside its parts.
public struct SessionOptions: Hashable, Sendable {
  public var overload: OverloadPolicy
  public var limit: RecordingLimit?
  /// Nanoseconds that the sound is moved towards later.
  public var audioOffset: Int64
  /// Frames that may wait for the bake: each holds a device's buffer.
  public var capturedQueue: Int
  /// Baked frames that may wait for the encoder.
  public var bakedQueue: Int
  /// Seconds from the capture to the medium that a power cut may cost while the disk keeps up.
  public var lossLimit: Rational
  /// In the place of lost frames the film has the one in front of them again.
  public var fillsGaps = false

  public init(
    overload: OverloadPolicy = .drop, limit: RecordingLimit? = nil, audioOffset: Int64 = 0, capturedQueue: Int = 4,
    bakedQueue: Int = 2, lossLimit: Rational = Rational(1)
  ) {
    self.overload = overload
    self.limit = limit
    self.audioOffset = audioOffset
    self.capturedQueue = capturedQueue
    self.bakedQueue = bakedQueue
    self.lossLimit = lossLimit
  }

  /// Baked frames that may be out at once: those that wait, one being baked, one being encoded.
  public var bakedFrames: Int { bakedQueue + 2 }

  /// Shortens the queues for slow cameras and small losses, so that they hold at most about a quarter of a second, and
  /// of the loss limit.
  public mutating func fitQueues(to rate: FrameRate) {
    let framesPerLimit = rate.framesPerSecond * min(1, lossLimit.doubleValue)
    capturedQueue = max(1, min(capturedQueue, Int(framesPerLimit / 6)))
    bakedQueue = max(1, min(bakedQueue, Int(framesPerLimit / 12)))
  }

  /// Frames that may be on their way to the sink: one being exposed, those that wait, one being baked, one being sent.
  public var framesBeforeSink: Int { capturedQueue + bakedQueue + 3 }

  /// Captured frames that may be out at once: those that wait, one being captured, one being baked.
  public var capturedFrames: Int { capturedQueue + 2 }
}
