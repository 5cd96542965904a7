public import Frames

/// Frames that were lost for one reason since that was told last.
public struct SessionLoss: Hashable, Sendable {
  public let reason: LossReason
  public internal(set) var count: Int64 = 0
  /// The first and the last of them by their place in the film; those in between need not all be lost. `nil` where it
  /// is not known which they are.
  public internal(set) var frames: ClosedRange<Int64>?

  package init(_ reason: LossReason, count: Int64 = 0, frames: ClosedRange<Int64>? = nil) {
    self.reason = reason
    self.count = count
    self.frames = frames
  }

  mutating func add(frame: Int64?, count: Int64) {
    self.count += count
    guard let frame, count > 0 else { return }
    frames = min(frame, frames?.lowerBound ?? frame)...max(frame + count - 1, frames?.upperBound ?? frame)
  }
}
