/// How much pre-roll is in memory.
public struct PreRollStatus: Hashable, Sendable, Codable {
  /// From the oldest frame kept to the end of the newest, at most what was asked for.
  public var seconds: Double
  public var bytes: Int
  /// The most that can be kept.
  public var capacityBytes: Int
  /// Frames encoded since the camera started or the last film ended, including those forgotten since.
  public var frames: Int

  public init(seconds: Double = 0, bytes: Int = 0, capacityBytes: Int = 0, frames: Int = 0) {
    self.seconds = seconds
    self.bytes = bytes
    self.capacityBytes = capacityBytes
    self.frames = frames
  }
}
