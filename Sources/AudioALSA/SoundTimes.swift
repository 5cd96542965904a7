package import Frames

/// Where the blocks of a microphone lie in time, and what is missing between them.
///
/// A device stamps the instant at which it had recorded up to its write position; `available` audio frames before that
/// lies the first one that is still to be read.
package struct SoundTimes: Hashable, Sendable {
  private let sampleRate: Int
  private var end: MonotonicTime?
  private var hasOverrun = false

  package init(sampleRate: Int) { self.sampleRate = sampleRate }

  /// The next block begins after a loss.
  package mutating func noteOverrun() { hasOverrun = true }

  /// Places the next block.
  ///
  /// - Parameters:
  ///   - stamp: when the device's write position was where `available` is counted from.
  ///   - available: audio frames that could be read then.
  ///   - count: audio frames that were read.
  /// - Returns: when the first of them was sampled, and how many audio frames are lost right before it: 0 unless an
  ///   overrun was noted, else the time between the blocks.
  package mutating func place(
    stamp: MonotonicTime, available: Int, count: Int
  ) -> (time: MonotonicTime, lostBefore: Int) {
    let time = stamp.advanced(by: -nanoseconds(available))
    var lost = 0
    if hasOverrun, let end {
      lost = max(0, Int((Double(time - end) * 1e-9 * Double(sampleRate)).rounded()))
    }
    hasOverrun = false
    end = time.advanced(by: nanoseconds(count))
    return (time, lost)
  }

  private func nanoseconds(_ frames: Int) -> Int64 {
    Int64((Double(frames) * 1e9 / Double(sampleRate)).rounded())
  }
}
