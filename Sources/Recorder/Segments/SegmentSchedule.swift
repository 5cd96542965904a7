package import Frames

/// Says at which frame a recording goes on in the next file. A value without clock or threads of its own.
package struct SegmentSchedule {
  private let length: SegmentLength?
  private let mostBytes: Int64?
  private let timeBase: Rational
  /// The next file begins with the first frame at this time or later, in ticks.
  package private(set) var boundary = Int64.max
  /// When the first file began: steps count from there.
  private var origin: Int64 = 0
  /// When the file that is being written began.
  private var start: Int64 = 0
  /// Steps of `SegmentLength.seconds` to `boundary`.
  private var step: Int64 = 0
  /// The bitrate of the file before, in bytes per second of film.
  private var rateBefore = 0.0

  /// Seconds of film before the boundary at which the next file is made ready: opening an encoder takes less.
  private static let lead = 5.0
  /// Seconds of film that an encoder which is too slow is put up with rather than to begin a file of its own.
  private static let far = 60.0
  /// Seconds of film that are on their way into the file and not counted in its size: in the encoder and a fragment,
  /// with room for a scene that is harder to encode.
  private static let unseen = 3.0
  /// Bytes of the index for each frame, its sound and its fragment, and of what else stands in a file.
  private static let indexBytesPerFrame: Int64 = 64
  private static let otherBytes: Int64 = 1 << 14
  /// Seconds of film that a file lasts, however large it becomes.
  private static let least = 1.0
  /// The least share of a clock's step that a file lasts: where the clock runs behind, no file of a few frames is made.
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
  ///   - isFirst: the recording has run before, and its first file begins there.
  package mutating func begin(at ticks: Int64, timeOfDay: Double, isFirst: Bool = false) {
    start = ticks
    if isFirst { origin = ticks }
    switch length {
    case nil: boundary = .max
    case .seconds(let seconds):
      repeat { step += 1 } while origin + multiple(of: seconds, step) <= ticks
      boundary = origin + multiple(of: seconds, step)
    case .clock(let seconds):
      let period = Double(seconds)
      var wait = period - timeOfDay.truncatingRemainder(dividingBy: period)
      if wait < period * SegmentSchedule.leastShare { wait += period }
      boundary = ticks + max(1, Int64((wait / timeBase.doubleValue).rounded(.up)))
    }
  }

  /// Notes what the file that is left has come to.
  package mutating func left(bytes: Int64, at ticks: Int64) {
    let seconds = Double(ticks - start) * timeBase.doubleValue
    if seconds > 0 { rateBefore = Double(bytes) / seconds }
  }

  /// Whether a frame at `ticks` begins the next file.
  package func isDue(_ ticks: Int64) -> Bool { ticks >= boundary }

  /// The next file is not there yet: this one goes on for at least a frame.
  package mutating func postpone(behind ticks: Int64) { boundary = max(boundary, ticks + 1) }

  /// The next file is wanted soon: it begins as soon as it can have been made ready, where the boundary is far away.
  /// Those behind it stand where they would have stood.
  package mutating func hasten(behind ticks: Int64) {
    guard Double(boundary - ticks) * timeBase.doubleValue > SegmentSchedule.far else { return }
    boundary = ticks + Int64((2 * SegmentSchedule.lead / timeBase.doubleValue).rounded(.up))
    if case .seconds = length { step -= 1 }
  }

  /// The next file is to begin as soon as it is there, with a frame for which no sound is written yet. Those behind it
  /// stand where they would have stood.
  ///
  /// - Parameters:
  ///   - ticks: of the frame that was written last.
  ///   - soundEnd: where the sound that was written ends, in ticks.
  package mutating func partNow(behind ticks: Int64, soundEnd: Int64) {
    let soon = max(ticks + 1, soundEnd)
    guard soon < boundary else { return }
    boundary = soon
    if case .seconds = length { step -= 1 }
  }

  /// No frame will come any more.
  package mutating func end() { boundary = .max }

  /// Looks at the size: a file that could become too large ends with the next frame for which no sound is written.
  ///
  /// - Parameters:
  ///   - bytes: of the file so far.
  ///   - frames: in it.
  ///   - ticks: of the frame that was written last.
  ///   - soundEnd: where the sound that was written ends, in ticks.
  package mutating func look(bytes: Int64, frames: Int64, ticks: Int64, soundEnd: Int64) {
    guard room(bytes, frames, ticks) <= 0, Double(ticks - start) * timeBase.doubleValue >= SegmentSchedule.least else {
      return
    }
    boundary = min(boundary, max(ticks + 1, soundEnd))
  }

  /// Whether the next file is to be made ready.
  package func isNear(bytes: Int64, frames: Int64, ticks: Int64) -> Bool {
    let left = Double(boundary - ticks) * timeBase.doubleValue
    let whole = Double(boundary - start) * timeBase.doubleValue
    if boundary < .max, left <= min(SegmentSchedule.lead, whole / 2) { return true }
    return room(bytes, frames, ticks) <= SegmentSchedule.lead * rate(bytes, ticks)
  }

  /// Whether the file may not grow any further, however long the next one takes.
  package func isAtLimit(bytes: Int64, frames: Int64, ticks: Int64) -> Bool {
    room(bytes, frames, ticks) < -0.5 * SegmentSchedule.unseen * rate(bytes, ticks)
  }

  /// Bytes that may still be written before the next file has to begin.
  private func room(_ bytes: Int64, _ frames: Int64, _ ticks: Int64) -> Double {
    guard let mostBytes else { return .infinity }
    let index = frames * SegmentSchedule.indexBytesPerFrame + SegmentSchedule.otherBytes
    return Double(mostBytes - bytes - index) - SegmentSchedule.unseen * rate(bytes, ticks)
  }

  /// Bytes per second of film: this file's, or that of the one before where it was greater.
  private func rate(_ bytes: Int64, _ ticks: Int64) -> Double {
    let seconds = Double(ticks - start) * timeBase.doubleValue
    return max(seconds > 1 ? Double(bytes) / seconds : 0, rateBefore)
  }

  /// The first tick at or behind `count` times `seconds`.
  private func multiple(of seconds: Rational, _ count: Int64) -> Int64 {
    let ticks = Int128(seconds.numerator) * Int128(timeBase.denominator) * Int128(count)
    let divisor = Int128(seconds.denominator) * Int128(timeBase.numerator)
    return Int64(clamping: (ticks + divisor - 1) / divisor)
  }
}
