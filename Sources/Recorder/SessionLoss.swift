public import Frames

/// Frames that were lost for one reason since that was told last.
public struct SessionLoss: Hashable, Sendable {
  public let reason: LossReason
  public internal(set) var count: Int64 = 0
  /// The first and the last by their place in the film of those whose place is known; those in between need not all be
  /// lost. `nil` where none is known.
  public internal(set) var frames: ClosedRange<Int64>?
  /// How many of them have no known place.
  public internal(set) var unplaced: Int64 = 0

  package init(_ reason: LossReason, count: Int64 = 0, frames: ClosedRange<Int64>? = nil) {
    self.reason = reason
    self.count = count
    self.frames = frames
    unplaced = frames == nil ? count : 0
  }

  mutating func add(frame: Int64?, count: Int64) {
    self.count += count
    guard let frame, count > 0 else {
      unplaced += max(0, count)
      return
    }
    frames = min(frame, frames?.lowerBound ?? frame)...max(frame + count - 1, frames?.upperBound ?? frame)
  }
}
