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
  /// Frames that may wait between capture and bake, and between bake and encoder.
  public var queueFrames: Int

  public init(overload: OverloadPolicy = .drop, limit: RecordingLimit? = nil, audioOffset: Int64 = 0, queueFrames: Int = 4) {
    self.overload = overload
    self.limit = limit
    self.audioOffset = audioOffset
    self.queueFrames = queueFrames
  }

  /// Baked frames that may be out at once: those that wait, one being baked, one being encoded.
  public var bakedFrames: Int { queueFrames + 2 }
}
