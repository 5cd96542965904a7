public import Frames

/// Frames lost for one reason since the last report.
public struct SessionLoss: Hashable, Sendable {
  public let reason: LossReason
  public internal(set) var count: Int64 = 0
  /// The first and the last lost frame whose place in the film is known; not all frames in between need be lost. `nil`
  /// if no place is known.
  public internal(set) var frames: ClosedRange<Int64>?
  /// How many lost frames have no known place.
  public internal(set) var unplaced: Int64 = 0
  /// When the last of them was lost; `nil` if that is not known.
  public internal(set) var latest: MonotonicTime?

  package init(
    _ reason: LossReason, count: Int64 = 0, frames: ClosedRange<Int64>? = nil, latest: MonotonicTime? = nil
  ) {
    self.reason = reason
    self.latest = latest
    self.count = count
    self.frames = frames
    unplaced = frames == nil ? count : 0
  }

  mutating func add(frame: Int64?, count: Int64, at time: MonotonicTime) {
    self.count += count
    latest = time
    guard let frame, count > 0 else {
      unplaced += max(0, count)
      return
    }
    frames = min(frame, frames?.lowerBound ?? frame)...max(frame + count - 1, frames?.upperBound ?? frame)
  }
}
