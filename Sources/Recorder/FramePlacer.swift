import Cameras
import Frames

/// Gives each frame its place: from the time line for live cameras, from its own times for a clip.
struct FramePlacer {
  private let rate: FrameRate
  private var limitFrames: Int64?
  private var limitTicks: Int64?
  private let timeBase: Rational
  private var timeline: Timeline
  private let keepsSourceTimes: Bool
  private var sourceOrigin: SourceTime?
  private var origin: MonotonicTime?
  private var lastSequence: UInt64 = 0
  private var last: Timeline.Place?
  private var lastDuration: Int64
  /// The frames behind the last one are counted.
  private var isClosed = false
  private var warnedStretch = false
  private var warnedVariable = false

  /// - Parameter keepsSourceTimes: the frames of a clip have times of their own.
  init(rate: FrameRate, keepsSourceTimes: Bool, timeBase: Rational, limit: RecordingLimit?) {
    self.rate = rate
    self.timeBase = timeBase
    timeline = Timeline(rate: rate, timeBase: timeBase)
    self.keepsSourceTimes = keepsSourceTimes
    lastDuration = timeline.ticksPerFrame
    switch limit {
    case .frames(let count):
      limitFrames = count
      limitTicks = nil
    case .seconds(let seconds):
      limitFrames = nil
      limitTicks = timeBase.inverse.scaling(seconds)
    case nil:
      limitFrames = nil
      limitTicks = nil
    }
  }

  /// Sets where the film that has just begun ends by itself.
  mutating func ends(_ limit: RecordingLimit?, behind start: FilmStart) {
    switch limit {
    case .frames(let count): limitFrames = start.frame + count
    case .seconds(let seconds): limitTicks = start.ticks + timeBase.inverse.scaling(seconds)
    case nil: break
    }
  }

  /// The place of an intact frame; `nil` for a frame of a clip that is not later than the previous one.
  mutating func place(_ frame: borrowing CapturedFrame) -> Timeline.Place? {
    guard keepsSourceTimes, let source = frame.sourceTime else {
      return timeline.place(sequence: frame.sequence, captureTime: frame.captureTime)
    }
    defer { lastSequence = frame.sequence }
    lastDuration = max(source.duration, 1)
    guard let first = sourceOrigin, let last else {
      sourceOrigin = source
      origin = frame.captureTime
      return Timeline.Place(index: 0, ticks: 0, missing: 0)
    }
    let step = max(1, Int64(frame.sequence) - Int64(lastSequence))
    return Timeline.Place(
      index: last.index + step, ticks: max(source.ticks - first.ticks, last.ticks + 1), missing: Int(step - 1))
  }

  mutating func placeDamaged(sequence: UInt64, captureTime: MonotonicTime) -> Timeline.Place? {
    guard keepsSourceTimes else { return timeline.place(sequence: sequence, captureTime: captureTime) }
    defer { lastSequence = sequence }
    let step = last == nil ? 1 : max(1, Int64(sequence) - Int64(lastSequence))
    // It has no time of its own: the previous frame lasts longer instead.
    return Timeline.Place(index: (last?.index ?? -1) + step, ticks: last?.ticks ?? 0, missing: Int(step - 1))
  }

  /// Skips a damaged frame before the first intact one: it was due but has no place.
  mutating func skipDamaged() { limitFrames? -= 1 }

  /// An intact frame has set time 0.
  var hasBegun: Bool { last != nil }

  mutating func keep(_ place: Timeline.Place) { last = place }

  func isBehindLimit(_ place: Timeline.Place) -> Bool {
    if let limitFrames { return place.index >= limitFrames }
    if let limitTicks { return place.ticks >= limitTicks }
    return false
  }

  /// Called when a frame beyond the limit arrives. Returns the frames still due before the limit; the last frame kept
  /// lasts until there.
  mutating func closeAtLimit() -> Int {
    // The time of a clip's damaged frames is that of the frame before them.
    if let durationAtLimit { lastDuration = max(lastDuration, durationAtLimit) }
    return close(missing: missingBeforeLimit)
  }

  /// Called when the recording ends while the camera is silent. Returns the frames that were due until `now` and before
  /// the limit; the last frame kept lasts until there.
  mutating func closeInSilence(at now: MonotonicTime) -> Int {
    guard !isClosed, !keepsSourceTimes, let last, let due = ticks(at: now) else { return 0 }
    let elapsed = due - last.ticks
    guard !timeline.isVariable else {
      // Nobody knows how many frames were due.
      isClosed = true
      lastDuration = max(lastDuration, min(elapsed, (limitTicks ?? .max) - last.ticks))
      return 0
    }
    let missing = max(0, Int(elapsed / lastDuration) - 1)
    return close(missing: limitFrames == nil && limitTicks == nil ? missing : min(missing, missingBeforeLimit))
  }

  private mutating func close(missing: Int) -> Int {
    isClosed = true
    lastDuration += Int64(missing) * lastDuration
    return missing
  }

  /// Whether a live film has reached its limit by the clock. A camera that is silent delivers no frame that shows it.
  func isPastLimit(at now: MonotonicTime) -> Bool {
    guard !keepsSourceTimes, last != nil, let ticks = ticks(at: now) else { return false }
    if let limitFrames { return !timeline.isVariable && ticks >= limitFrames * timeline.ticksPerFrame }
    return limitTicks.map { ticks >= $0 } ?? false
  }

  /// Movie time in ticks.
  private func ticks(at now: MonotonicTime) -> Int64? {
    timeline.clock.map { Int64(saturating: ($0.movieSeconds(at: now) / timeBase.doubleValue).rounded(.down)) }
  }

  private var missingBeforeLimit: Int {
    guard let last else { return 0 }
    if let limitFrames { return Int(max(0, limitFrames - 1 - last.index)) }
    if let limitTicks, !keepsSourceTimes, !timeline.isVariable {
      return Int(max(0, (limitTicks - 1) / timeline.ticksPerFrame - last.index))
    }
    return 0
  }

  /// Seconds by which a container may round a time down.
  private static let rounding = 0.001

  /// Whether a damaged frame of a clip would show behind the limit. Its place does not tell: it is as late as the frame
  /// before.
  func isBehindLimit(damagedAt captureTime: MonotonicTime) -> Bool {
    guard keepsSourceTimes, let limitTicks, let origin else { return false }
    let limit = Double(limitTicks) * timeBase.doubleValue
    return Double(captureTime - origin) * 1e-9 >= limit - FramePlacer.rounding
  }

  /// No further frame fits before the limit.
  var isAtLimit: Bool {
    if let limitFrames { return (last?.index ?? -1) + 1 >= limitFrames }
    guard let last else { return false }
    if let limitTicks { return last.ticks + lastDuration >= limitTicks }
    return false
  }

  /// The first free place.
  var nextIndex: Int64 { (last?.index ?? -1) + 1 }

  /// The end of the last frame.
  var endTicks: Int64 { last.map { $0.ticks + min(lastDuration, durationAtLimit ?? .max) } ?? 0 }

  /// How long the last frame of a clip lasts if no other follows it before the limit: as long as the frames that would
  /// begin before the limit.
  private var durationAtLimit: Int64? {
    guard keepsSourceTimes, let limitTicks, let last else { return nil }
    let seconds = Double(limitTicks - last.ticks) * timeBase.doubleValue - FramePlacer.rounding
    let frames = max(1, Int64(saturating: (seconds * rate.framesPerSecond).rounded(.up)))
    return (rate.frameDuration * timeBase.inverse).scaling(frames)
  }

  var clock: PictureClock.Reading? {
    guard keepsSourceTimes else { return timeline.clock }
    return origin.map {
      PictureClock.Reading(origin: $0, anchor: $0, movieSeconds: 0, rate: 1, isVariable: true)
    }
  }

  /// Notes the camera's measured rate. Warns once if the audio is stretched to it, and once if the rate is variable.
  mutating func reportRate(to state: SessionState, cameraName: String) {
    guard !keepsSourceTimes else { return }
    let measured = timeline.measuredPartsPerMillion
    state.measured(partsPerMillion: measured, isVariableRate: timeline.isVariable)
    if timeline.isVariable {
      guard !warnedVariable else { return }
      warnedVariable = true
      state.warn(
        "\(cameraName) does not keep to \(rate) fps (more than 0.1 % off); the film gets the measured frame times "
          + "(variable rate)")
    } else if !warnedStretch, let measured, abs(measured) <= Timeline.constantRateLimit, timeline.isOff(by: 200) {
      warnedStretch = true
      state.warn(
        "\(cameraName) runs \(Int(measured.rounded())) ppm off its \(rate) fps; the audio is stretched to match")
    }
  }
}
