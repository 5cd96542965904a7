package import Frames

/// Makes load readings from what the write thread sees. A value that uses no clock and no threads.
package struct LoadMeter {
  private var since: MonotonicTime?
  private var lostBefore = 0
  private var busy: Int64 = 0
  private var frames = 0

  /// Nanoseconds of a reading.
  private static let period: Int64 = 1_000_000_000
  /// The longest time of a reading beside the encoder's own: after a pause (no camera, a stalled disk) the counts mean
  /// nothing.
  private static let longest: Int64 = 3_000_000_000

  package init() {}

  /// Adds a frame that took the encoder so many nanoseconds; `nil` if it waited for the disk.
  package mutating func add(busy nanoseconds: Int64?) {
    guard let nanoseconds else { return }
    busy += nanoseconds
    frames += 1
  }

  /// Whether a reading is due.
  package func isDue(at now: MonotonicTime) -> Bool { since.map { now - $0 >= LoadMeter.period } ?? true }

  /// The reading of the last second; `nil` before it is over.
  ///
  /// - Parameters:
  ///   - lost: frames lost to overload so far.
  ///   - isFull: the queue before the encoder is full.
  ///   - frameSeconds: seconds from one frame to the next.
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
