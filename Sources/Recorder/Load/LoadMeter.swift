package import Frames

/// Makes readings of what the write thread sees. A value without clock or threads of its own.
package struct LoadMeter {
  private var since: MonotonicTime?
  private var lostBefore = 0
  private var busy: Int64 = 0
  private var frames = 0

  /// Nanoseconds of a reading, and the most beside what the encoder took: behind a pause (no camera, a disk that took
  /// nothing) what was counted says nothing.
  private static let period: Int64 = 1_000_000_000
  private static let longest: Int64 = 3_000_000_000

  package init() {}

  /// A frame went to the encoder, which took so many nanoseconds; `nil` where it waited for the disk.
  package mutating func add(busy nanoseconds: Int64?) {
    guard let nanoseconds else { return }
    busy += nanoseconds
    frames += 1
  }

  /// Whether there may be a reading.
  package func isDue(at now: MonotonicTime) -> Bool { since.map { now - $0 >= LoadMeter.period } ?? true }

  /// What the last second came to; `nil` before it is over.
  ///
  /// - Parameters:
  ///   - lost: frames that were lost to overload so far.
  ///   - frameSeconds: from one frame to the next.
  package mutating func read(lost: Int, isFull: Bool, frameSeconds: Double, at now: MonotonicTime) -> LoadReading? {
    guard let begin = since, now - begin - busy <= LoadMeter.longest else {
      restart(lost, now)
      return nil
    }
    guard now - begin >= LoadMeter.period else { return nil }
    defer { restart(lost, now) }
    let speed = busy > 0 ? Double(frames) * frameSeconds / (Double(busy) * 1e-9) : nil
    return LoadReading(lost: max(0, lost - lostBefore), isFull: isFull, speed: speed)
  }

  private mutating func restart(_ lost: Int, _ now: MonotonicTime) {
    (since, lostBefore, busy, frames) = (now, lost, 0, 0)
  }
}
