package import Frames

/// Puts live frames on the movie's time line. A value without clock or threads of its own.
///
/// While the camera's measured rate is within 1000 ppm of its nominal one, frame n of the camera's count stands at
/// n / rate exactly. From the moment that it is not, frames stand where their capture times say (variable rate). That
/// is known before a frame is half of one off: the frames from a quarter on have to drift as the whole has, which a
/// lasting step of the phase does not.
/// A camera that slows down in the middle (in low light) is known by frames that come later and later, long before the
/// mean says so.
///
/// A camera may skip a frame without counting it (USB cameras do): its capture time is then late by whole frames while
/// its pace is unchanged. Three frames in a row that agree on that count as a gap, and the time line moves on by it.
/// Lateness that grows little by little is no gap but another rate.
package struct Timeline {
  /// Where a frame stands.
  package struct Place: Hashable {
    /// Frames due before this one since the first; grows by at least one.
    package var index: Int64
    /// Movie time in ticks.
    package var ticks: Int64
    /// Frames due between the one before and this one that never came.
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

  // A second-order loop follows capture times: nanoseconds since the origin that the last frame is predicted at.
  private var predicted = 0.0
  private var interval: Double
  private var lateFrames = 0
  private var lateBy: Int64 = 0
  /// How late the last frame was that was not late by a whole one, in nanoseconds.
  private var errorBefore = 0.0
  /// How late the first frame of a late run was.
  private var errorAtFirst = 0.0
  /// Frames in a row that were late by any count.
  private var lateRun = 0
  private var meter: RateMeter
  /// Measures the frames alone that are more than a quarter of a frame off their nominal times.
  private var drift: RateMeter

  /// Measured parts per million off the nominal rate at which times are no longer taken from the count.
  package static let constantRateLimit = 1000.0
  /// Late frames in a row that agree on no gap: the camera's pace has changed.
  private static let lateRunLimit = 8

  package init(rate: FrameRate, timeBase: Rational) {
    self.timeBase = timeBase
    ticksPerFrame = (rate.frameDuration * timeBase.inverse).scaling(1)
    nominalInterval = rate.frameDuration.doubleValue * 1e9
    interval = nominalInterval
    meter = RateMeter(nominalInterval: nominalInterval)
    drift = meter
  }

  /// The camera's rate against its nominal one in parts per million; `nil` until it can be told to 100 ppm.
  package var measuredPartsPerMillion: Double? { meter.partsPerMillion(within: 100) }

  /// True when the camera's rate is off its nominal one by more than `limit` ppm beyond doubt.
  package func isOff(by limit: Double) -> Bool { meter.isOff(by: limit) }

  /// Places the next frame, damaged ones too, in the order of arrival.
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

  /// The movie's clock as this frame leaves it; `nil` before the first.
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

  /// Frames from the last one to this one by the camera's count. Drivers that start again at 0, or never count, are
  /// counted by the clock.
  private func countedStep(sequence: UInt64, captureTime: MonotonicTime) -> Int64 {
    let byClock = max(1, Int64((Double(captureTime - lastTime) / interval).rounded()))
    guard sequence > lastSequence else { return byClock }
    let counted = sequence - lastSequence
    // A count that ran ahead of the clock tenfold is a driver's reset, not a gap.
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
