package import Frames

/// Decides at which frame a recording continues in the next file. A value that uses no clock and no threads.
package struct SegmentSchedule {
  private let length: SegmentLength?
  private let mostBytes: Int64?
  private let timeBase: Rational
  /// The next file begins with the first frame at this time or later, in ticks.
  package private(set) var boundary = Int64.max
  /// When the first file began: steps count from there.
  private var origin: Int64 = 0
  /// When the present file began.
  private var start: Int64 = 0
  /// The present file does not end before this time because of its size, in ticks.
  private var wholeFrom: Int64 = 0
  /// Steps of `SegmentLength.seconds` up to `boundary`.
  private var step: Int64 = 0
  /// The bitrate of the previous file, in bytes per second of film.
  private var rateBefore = 0.0

  /// Seconds of film before the boundary at which to prepare the next file: opening an encoder takes less.
  private static let lead = 5.0
  /// If the boundary is at most so many seconds of film away, a slow encoder keeps its file until then.
  private static let far = 60.0
  /// Seconds of film on their way into the file and not yet counted in its size: in the encoder and a fragment, with a
  /// margin for a scene that is harder to encode.
  private static let unseen = 3.0
  /// Bytes of the index for each frame, with its sound and its fragment.
  private static let indexBytesPerFrame: Int64 = 64
  /// Bytes of everything else in a file.
  private static let otherBytes: Int64 = 1 << 14
  /// The shortest file, in seconds of film behind its pre-roll, however large it becomes.
  private static let least = 1.0
  /// The shortest file as a share of a clock's step: if the clock runs behind, no file of a few frames is made.
  private static let leastShare = 0.05

  package init(length: SegmentLength?, mostBytes: Int64?, timeBase: Rational) {
    self.length = length
    self.mostBytes = mostBytes
    self.timeBase = timeBase
  }

  /// A file begins with the frame at `ticks`.
  ///
  /// - Parameters:
  ///   - timeOfDay: the wall clock's seconds since midnight at that frame.
  ///   - preRollEnd: in the first file of a recording with a pre-roll, the end of what it has already, in ticks: the
  ///     file goes on for at least a second.
  package mutating func begin(at ticks: Int64, timeOfDay: Double, preRollEnd: Int64? = nil) {
    start = ticks
    if preRollEnd != nil { origin = ticks }
    wholeFrom = (preRollEnd ?? ticks) + self.ticks(in: SegmentSchedule.least)
    let earliest = preRollEnd == nil ? ticks + 1 : wholeFrom
    switch length {
    case nil: boundary = .max
    case .seconds(let seconds):
      repeat { step += 1 } while origin + multiple(of: seconds, step) < earliest
      boundary = origin + multiple(of: seconds, step)
    case .clock(let seconds):
      let period = Double(seconds)
      var wait = period - timeOfDay.truncatingRemainder(dividingBy: period)
      if wait < period * SegmentSchedule.leastShare { wait += period }
      while ticks + self.ticks(in: wait) < earliest { wait += period }
      boundary = ticks + self.ticks(in: wait)
    }
  }

  /// Notes the size of the file that is left.
  package mutating func left(bytes: Int64, at ticks: Int64) {
    let seconds = Double(ticks - start) * timeBase.doubleValue
    if seconds > 0 { rateBefore = Double(bytes) / seconds }
  }

  /// Whether a frame at `ticks` begins the next file.
  package func isDue(_ ticks: Int64) -> Bool { ticks >= boundary }

  /// The next file is not ready yet: this one continues for at least a frame.
  package mutating func postpone(behind ticks: Int64) { boundary = max(boundary, ticks + 1) }

  /// The next file is needed soon: if the boundary is far away, the file begins as soon as it can be ready. Later
  /// boundaries do not move.
  package mutating func hasten(behind ticks: Int64) {
    guard Double(boundary - ticks) * timeBase.doubleValue > SegmentSchedule.far else { return }
    boundary = ticks + self.ticks(in: 2 * SegmentSchedule.lead)
    if case .seconds = length { step -= 1 }
  }

  /// The next file must begin as soon as it is ready, with a frame whose sound is not written yet. Later boundaries do
  /// not move.
  ///
  /// - Parameters:
  ///   - ticks: the time of the frame written last.
  ///   - soundEnd: where the sound written so far ends, in ticks.
  package mutating func partNow(behind ticks: Int64, soundEnd: Int64) {
    let soon = max(ticks + 1, soundEnd)
    guard soon < boundary else { return }
    boundary = soon
    if case .seconds = length { step -= 1 }
  }

  /// No more frames will come.
  package mutating func end() { boundary = .max }

  /// Checks the size: a file that could become too large ends at the next frame whose sound is not written yet.
  ///
  /// - Parameters:
  ///   - bytes: the size of the file so far.
  ///   - frames: the frames in it.
  ///   - ticks: the time of the frame written last.
  ///   - soundEnd: where the sound written so far ends, in ticks.
  package mutating func look(bytes: Int64, frames: Int64, ticks: Int64, soundEnd: Int64) {
    guard room(bytes, frames, ticks) <= 0, ticks >= wholeFrom else { return }
    boundary = min(boundary, max(ticks + 1, soundEnd))
  }

  /// Whether it is time to prepare the next file.
  package func isNear(bytes: Int64, frames: Int64, ticks: Int64) -> Bool {
    let left = Double(boundary - ticks) * timeBase.doubleValue
    let whole = Double(boundary - start) * timeBase.doubleValue
    if boundary < .max, left <= min(SegmentSchedule.lead, whole / 2) { return true }
    return room(bytes, frames, ticks) <= SegmentSchedule.lead * rate(bytes, ticks)
  }

  /// Whether the file must not grow any further, however long the next one takes.
  package func isAtLimit(bytes: Int64, frames: Int64, ticks: Int64) -> Bool {
    room(bytes, frames, ticks) < -0.5 * SegmentSchedule.unseen * rate(bytes, ticks)
  }

  /// Bytes that may still be written before the next file must begin.
  private func room(_ bytes: Int64, _ frames: Int64, _ ticks: Int64) -> Double {
    guard let mostBytes else { return .infinity }
    let index = frames * SegmentSchedule.indexBytesPerFrame + SegmentSchedule.otherBytes
    return Double(mostBytes - bytes - index) - SegmentSchedule.unseen * rate(bytes, ticks)
  }

  /// Bytes per second of film: of this file, or of the previous one if greater.
  private func rate(_ bytes: Int64, _ ticks: Int64) -> Double {
    let seconds = Double(ticks - start) * timeBase.doubleValue
    return max(seconds > 1 ? Double(bytes) / seconds : 0, rateBefore)
  }

  /// So many seconds in ticks, rounded up.
  private func ticks(in seconds: Double) -> Int64 { Int64((seconds * timeBase.inverse.doubleValue).rounded(.up)) }

  /// The first tick at or after `count` times `seconds`.
  private func multiple(of seconds: Rational, _ count: Int64) -> Int64 {
    let ticks = Int128(seconds.numerator) * Int128(timeBase.denominator) * Int128(count)
    let divisor = Int128(seconds.denominator) * Int128(timeBase.numerator)
    return Int64(clamping: (ticks + divisor - 1) / divisor)
  }
}
