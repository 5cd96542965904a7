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
  /// Frames of the files in which those lie; `nil` if there are none, or if the file of one of them is not known.
  var region: ClosedRange<Int64>? { isAnywhere ? nil : files }
  private var files: ClosedRange<Int64>?
  /// The file of one of them is not known.
  private(set) var isAnywhere = false
  /// When the last of them was lost; `nil` if that is not known.
  public internal(set) var latest: MonotonicTime?

  package init(
    _ reason: LossReason, count: Int64 = 0, frames: ClosedRange<Int64>? = nil, inFileOf file: Int64? = nil,
    latest: MonotonicTime? = nil
  ) {
    self.reason = reason
    self.latest = latest
    self.count = count
    self.frames = frames
    if frames == nil { isSomewhere(count, inFileOf: file) }
  }

  private mutating func isSomewhere(_ count: Int64, inFileOf file: Int64?) {
    guard count > 0 else { return }
    unplaced += count
    guard let file else { return isAnywhere = true }
    files = min(file, files?.lowerBound ?? file)...max(file, files?.upperBound ?? file)
  }

  /// - Parameter file: a frame of the file in which they lie, if their own places are not known.
  mutating func add(frame: Int64?, inFileOf file: Int64? = nil, count: Int64, at time: MonotonicTime) {
    self.count += count
    latest = time
    guard let frame, count > 0 else { return isSomewhere(count, inFileOf: file) }
    frames = min(frame, frames?.lowerBound ?? frame)...max(frame + count - 1, frames?.upperBound ?? frame)
  }
}
