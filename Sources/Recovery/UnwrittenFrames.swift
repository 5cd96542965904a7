import Frames
import Sidecar

/// Frames without a record, though losses behind them have one: they waited to be written when the recording was cut
/// off.
struct UnwrittenFrames {
  /// The number behind the last frame with a record.
  private var next: Int64 = 0
  /// Lost frames that may be behind it.
  private var losses: [Range<Int64>] = []
  private var mostLosses = 64
  /// The account has all frames.
  private var hasAccount = false

  mutating func add(_ record: SidecarRecord) {
    switch record {
    case .frame(let frame): next = max(next, frame.index.addingSaturated(1))
    case .frameLoss(_, let frame?, let count):
      let begin = max(frame, next), end = frame.addingSaturated(count)
      guard end > begin else { return }
      losses.append(begin..<end)
      // A long film may have many losses, and few of them are behind its newest frame.
      guard losses.count > mostLosses else { return }
      let written = next
      losses.removeAll { $0.upperBound <= written }
      mostLosses = max(64, 2 * losses.count)
    case .end: hasAccount = true
    default: break
    }
  }

  /// - Parameter unlisted: frames of the film behind the last one with a record.
  func count(unlisted: Int64) -> Int64 {
    guard !hasAccount else { return 0 }
    var count: Int64 = 0, begin = next
    for loss in losses.sorted(by: { $0.lowerBound < $1.lowerBound }) where loss.upperBound > begin {
      if loss.lowerBound > begin { count = count.addingSaturated(loss.lowerBound - begin) }
      begin = loss.upperBound
    }
    return max(0, count.subtractingSaturated(unlisted))
  }
}
