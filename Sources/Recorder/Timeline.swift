package import Frames

/// Puts live frames on the film's time line. A value that uses no clock and no threads.
///
/// While the camera's measured rate is within 1000 ppm of its nominal rate, frame n of the camera's count lies exactly
/// at n / rate. Once it is not, frames lie at their capture times (variable rate). This is detected before frames are
/// half a frame off: those more than a quarter of a frame off must drift as fast as all frames do, which a lasting step
/// of the phase does not cause. A camera that slows down midway (in low light) is detected by frames that arrive later
/// and later, long before the mean shows it.
///
/// A camera may skip a frame without counting it (USB cameras do): the capture time is then late by whole frames while
/// the pace is unchanged. Three frames in a row that agree on this count as a gap, and the time line moves on by it.
/// Lateness that grows little by little is not a gap but a different rate.
package struct Timeline {
  /// The place of a frame.
  package struct Place: Hashable {
    /// Frames due before this one since the first; grows by at least one.
    package var index: Int64
    /// Movie time in ticks.
    package var ticks: Int64
    /// Frames due between the previous frame and this one that never arrived.
    package var missing: Int

    package init(index: Int64, ticks: Int64, missing: Int) {
      self.index = index
      self.ticks = ticks
      self.missing = missing
    }
  }

  private let timeBase: Rational
  package let ticksPerFrame: Int64
  private let nominalInterval: Double

  package private(set) var isVariable = false
  private var origin: MonotonicTime?
  private var lastSequence: UInt64 = 0
  private var lastIndex: Int64 = 0
  private var lastTicks: Int64 = 0
  private var lastTime = MonotonicTime(nanoseconds: 0)

  // A second-order loop follows the capture times: predicted time of the last frame, in nanoseconds since the origin.
  private var predicted = 0.0
  private var interval: Double
  private var lateFrames = 0
  private var lateBy: Int64 = 0
  /// How late the last frame was that was less than a whole frame late, in nanoseconds.
  private var errorBefore = 0.0
  /// How late the first frame of a late run was.
  private var errorAtFirst = 0.0
  /// Late frames in a row, whatever their lateness.
  private var lateRun = 0
  private var meter: RateMeter
  /// Measures only frames that are more than a quarter of a frame off their nominal times.
  private var drift: RateMeter

  /// Parts per million off the nominal rate beyond which the times no longer come from the count.
  package static let constantRateLimit = 1000.0
  /// After so many late frames in a row that do not agree on a gap, the camera's pace has changed.
  private static let lateRunLimit = 8

  package init(rate: FrameRate, timeBase: Rational) {
    self.timeBase = timeBase
    ticksPerFrame = (rate.frameDuration * timeBase.inverse).scaling(1)
    nominalInterval = rate.frameDuration.doubleValue * 1e9
    interval = nominalInterval
    meter = RateMeter(nominalInterval: nominalInterval)
    drift = meter
  }

  /// The camera's deviation from its nominal rate in parts per million; `nil` until it is known to 100 ppm.
  package var measuredPartsPerMillion: Double? { meter.partsPerMillion(within: 100) }

  /// True if the camera's rate is certainly off its nominal rate by more than `limit` ppm.
  package func isOff(by limit: Double) -> Bool { meter.isOff(by: limit) }

  /// Places the next frame, intact or damaged, in the order of arrival.
  package mutating func place(sequence: UInt64, captureTime: MonotonicTime) -> Place {
    guard let origin else {
      self.origin = captureTime
      lastSequence = sequence
      lastTime = captureTime
      meter.add(index: 0, nanoseconds: 0)
      return Place(index: 0, ticks: 0, missing: 0)
    }
    var step = countedStep(sequence: sequence, captureTime: captureTime)
    let elapsed = Double(captureTime - origin)
    if !isVariable {
      step += follow(elapsed: elapsed, step: step)
      meter.add(index: lastIndex + step, nanoseconds: elapsed)
      let offset = elapsed - Double(lastIndex + step) * nominalInterval
      if abs(offset) > nominalInterval / 4 {
        drift.add(index: lastIndex + step, nanoseconds: elapsed)
        isVariable =
          isVariable
          || meter.isOff(by: Timeline.constantRateLimit) && drift.isOff(by: Timeline.constantRateLimit)
      }
    }
    let missing = Int(step - 1)
    lastSequence = sequence
    lastTime = captureTime
    lastIndex += step
    if isVariable {
      let measured = timeBase.inverse.scaling(Rational(captureTime - origin, 1_000_000_000))
      lastTicks = max(lastTicks + 1, measured)
    } else {
      lastTicks = lastIndex * ticksPerFrame
    }
    return Place(index: lastIndex, ticks: lastTicks, missing: missing)
  }

  /// The film's clock after the latest frame; `nil` before the first.
  package var clock: PictureClock.Reading? {
    guard let origin else { return nil }
    if isVariable {
      return PictureClock.Reading(origin: origin, anchor: origin, movieSeconds: 0, rate: 1, isVariable: true)
    }
    let anchor = origin.advanced(by: Int64(predicted))
    return PictureClock.Reading(
      origin: origin, anchor: anchor, movieSeconds: Double(lastIndex) * nominalInterval * 1e-9,
      rate: nominalInterval / interval, isVariable: false)
  }

  /// Frames from the last one to this one by the camera's count. For drivers that restart at 0, or never count, the
  /// clock decides.
  private func countedStep(sequence: UInt64, captureTime: MonotonicTime) -> Int64 {
    let byClock = max(1, Int64((Double(captureTime - lastTime) / interval).rounded()))
    guard sequence > lastSequence else { return byClock }
    let counted = sequence - lastSequence
    // A count that runs ten times ahead of the clock is a driver's reset, not a gap.
    return counted > 1 && counted > UInt64(byClock) * 10 + 10 ? byClock : Int64(counted)
  }

  /// Follows the capture times; returns whole frames that the camera skipped without counting them.
  private mutating func follow(elapsed: Double, step: Int64) -> Int64 {
    predicted += Double(step) * interval
    let error = elapsed - predicted
    let late = Int64((error / interval).rounded())
    guard late < 1 else {
      lateFrames = late == lateBy || lateFrames == 0 ? lateFrames + 1 : 1
      lateBy = late
      if lateRun == 0 { errorAtFirst = error }
      lateRun += 1
      let jumped = errorAtFirst - errorBefore > 0.6 * interval
      guard lateFrames >= 3, jumped || lateRun >= Timeline.lateRunLimit else {
        if lateRun >= Timeline.lateRunLimit { isVariable = true }
        return 0
      }
      guard jumped || error - errorAtFirst < interval / 4 else {
        isVariable = true
        return 0
      }
      lateFrames = 0
      lateRun = 0
      errorBefore = 0
      predicted += Double(late) * interval
      return late
    }
    lateFrames = 0
    lateRun = 0
    errorBefore = error
    // Time constants of about 16 and 256 frames; one outlier moves the phase by at most a 32nd of a frame.
    let bounded = min(max(error, -interval / 2), interval / 2)
    predicted += bounded / 16
    interval = min(max(interval + bounded / 4096, nominalInterval * 0.998), nominalInterval * 1.002)
    return 0
  }
}
