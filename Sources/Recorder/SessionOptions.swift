public import Frames

/// What happens when a frame arrives and finds no free place.
public enum OverloadPolicy: String, Hashable, Sendable, Codable, CaseIterable {
  /// The frame is lost, and counted as an overload.
  case drop
  /// The recording stops.
  case stop
  /// The camera waits: for sources that are pulled.
  case wait
}

/// When a recording ends by itself.
public enum RecordingLimit: Hashable, Sendable {
  /// After so many frames, lost ones included; of a clip, after so many of its own.
  case frames(Int64)
  /// After so much movie time.
  case seconds(Rational)
}

/// The options of a session.
public struct SessionOptions: Hashable, Sendable {
  public var overload: OverloadPolicy
  public var limit: RecordingLimit?
  /// Nanoseconds by which the audio is delayed; negative advances it.
  public var audioOffset: Int64
  /// Frames that may wait for the bake: each holds a device's buffer.
  public var capturedQueue: Int
  /// Baked frames that may wait for the encoder.
  public var bakedQueue: Int
  /// Seconds, from capture to medium, that a power cut may cost while the disk keeps up.
  public var lossLimit: Rational
  /// Fill gaps by repeating the frame before them.
  public var fillsGaps = false
  /// The longest gap that is filled, in seconds. Nobody would watch a still frame for longer.
  public static let longestFilledGap = 10.0

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

  /// Baked frames in use at once: those that wait, one being baked, one being encoded.
  public var bakedFrames: Int { bakedQueue + 2 }

  /// Shortens the queues for slow cameras and small loss limits, so that they hold at most about a quarter of a second,
  /// and a quarter of the loss limit.
  public mutating func fitQueues(to rate: FrameRate) {
    let framesPerLimit = rate.framesPerSecond * min(1, lossLimit.doubleValue)
    capturedQueue = max(1, min(capturedQueue, Int(framesPerLimit / 6)))
    bakedQueue = max(1, min(bakedQueue, Int(framesPerLimit / 12)))
  }

  /// Frames that may be on their way to the sink: one being exposed, those that wait, one being baked, one being sent.
  public var framesBeforeSink: Int { capturedQueue + bakedQueue + 3 }

  /// Captured frames in use at once: those that wait, one being captured, one being baked.
  public var capturedFrames: Int { capturedQueue + 2 }
}
