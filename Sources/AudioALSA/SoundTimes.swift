package import Frames

/// The times of a microphone's blocks, and the audio frames missing between them.
///
/// A device stamps the time at which it had recorded up to its write position; the next audio frame to be read lies
/// `available` audio frames before that.
package struct SoundTimes: Hashable, Sendable {
  private let sampleRate: Int
  private var end: MonotonicTime?
  private var hasOverrun = false

  package init(sampleRate: Int) { self.sampleRate = sampleRate }

  /// The next block begins after a loss.
  package mutating func noteOverrun() { hasOverrun = true }

  /// Determines the time of the next block.
  ///
  /// - Parameters:
  ///   - stamp: the time of the device's write position from which `available` is counted.
  ///   - available: audio frames that could be read then.
  ///   - count: audio frames that were read.
  /// - Returns: the time at which the first of them was sampled, and the number of audio frames lost right before it:
  ///   0, or after an overrun those in the time between the blocks.
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
