/// Decides time and gain for the coming frames. A value: its next state and decision depend only on its state and the
/// event, in whole numbers, so that the same events give the same decisions on every machine.
///
/// A frame's reading minus the exposure of the setting that it shows gives the light (`SceneEstimate`). From the light
/// follows the exposure that gives the target brightness. `ExposureMotion` moves there, and `ExposureProgram` turns
/// the exposure into time and gain. Nothing is corrected twice, because the settings on their way through the device
/// are known.
///
/// At 24 fps or more, with a delay of up to five frames, the exposure meets a change of light of up to 6 EV to within
/// 0.1 EV and half a step of gain, after at most a second; in constant light it does not change. A delay that is wrong
/// by a frame, or gains that are wrong by a quarter, cause some overshoot but no instability.
///
/// Thread: one at a time. Allocates nothing for a frame.
public struct ExposureController: Hashable, Sendable {
  /// The state of a lock: after a change of source, rate or angle it seeks the light again before it closes.
  private enum Lock: Hashable { case open, seeking, closed }

  public private(set) var configuration: ExposureConfiguration
  private var program: ExposureProgram
  private var pending: PendingSettings
  private var scene = SceneEstimate()
  private var light = CellLight()
  private var motion = ExposureMotion()
  private var lock: Lock
  /// Nothing from this source has settled yet: the exposure jumps without a fade. A camera that has just started may
  /// show an older setting in its first frames, so this lasts for the delay plus the two frames of a jump.
  private var isFresh = true
  private var firstFrame: Int?
  private var lastFrame: Int?
  /// The newest captured frame when the last frame was read.
  private var newestFrame: Int?
  private var lastDecision: ExposureDecision
  /// For so many nanoseconds the exposure must still rest before a lock may close.
  private var unproven: Int64 = 0

  /// Of a picture that clips, or has no detail in the dark, the meter says only "at least". After a step that it asked
  /// for, the exposure proves itself for a quarter of a second, and for two frames at least: the second one confirms
  /// the first.
  private static let proof: Int64 = 250_000_000

  /// - Parameter current: the device's setting, if known; otherwise the start is the lowest gain, because a dark frame
  ///   can be read and a clipped one cannot.
  public init(_ configuration: ExposureConfiguration, current: ExposureSetting? = nil) {
    self.configuration = configuration
    let program = ExposureProgram(configuration)
    let isLocked = configuration.isLocked && current != nil
    let start = current?.exposureStops ?? program.start
    let setting = isLocked ? current! : program.setting(for: start.clamped(to: program.range))
    self.program = program
    pending = PendingSettings(setting)
    lock = configuration.isLocked ? (isLocked ? .closed : .seeking) : .open
    lastDecision = ExposureDecision(
      setting: setting, isChange: setting != current, frame: 0, state: .moving, deviation: .zero, missing: .zero)
    lastDecision.state = holds ? .held : .moving
  }

  /// The decision for the last event; before the first event, the starting decision.
  public var decision: ExposureDecision { lastDecision }

  /// The frames have borne out the last step, so that a lock may close.
  package var isProven: Bool { unproven == 0 }

  @discardableResult
  public mutating func receive(_ event: ExposureEvent) -> ExposureDecision {
    switch event {
    case .configure(let configuration, let current): configure(configuration, current)
    case .frame(let measurement): measure(measurement)
    case .applied(let setting):
      pending.last = setting
      decide(setting, from: lastDecision.frame)
    }
    return lastDecision
  }

  /// A frame was read.
  @discardableResult
  public mutating func next(_ measurement: ExposureMeasurement) -> ExposureDecision { receive(.frame(measurement)) }

  private var holds: Bool {
    if case .manual = configuration.mode { return true }
    return lock == .closed
  }

  /// The exposure that the light requires; `nil` while the light is unknown.
  private var wanted: Stops? { scene.level.map { configuration.bias - $0 } }

  // MARK: Events

  private mutating func configure(_ new: ExposureConfiguration, _ current: ExposureSetting?) {
    let old = configuration
    guard new.source == old.source else {
      self = ExposureController(new, current: new.isLocked ? nil : current ?? pending.last)
      return
    }
    configuration = new
    program = ExposureProgram(new)
    let isSame = program == ExposureProgram(old)
    if !new.isLocked {
      lock = .open
    } else if !old.isLocked {
      lock = .closed
    } else if !isSame {
      lock = .seeking
    }
    if let current { pending.last = current }
    let before = pending.last
    // At once, and as bright as before: no frame shows the old angle longer than the device needs.
    let setting =
      lock == .closed ? before : program.setting(for: before.exposureStops.clamped(to: program.range))
    if !isSame { motion.rest() }
    if old.bias != new.bias, let wanted, !holds {
      motion.start(from: setting.exposureStops, to: wanted.clamped(to: program.range))
    }
    decide(setting, from: newestFrame.map { $0 + new.delay } ?? 0)
  }

  private mutating func measure(_ measurement: ExposureMeasurement) {
    // The first frame has nothing to be averaged with, and readings 32 frames ago are too old to average.
    let frames = lastFrame.map { max(1, min(measurement.frame - $0, 32)) } ?? 1
    let elapsed = configuration.frameInterval * Int64(frames)
    lastFrame = measurement.frame
    newestFrame = measurement.newest
    if firstFrame == nil { firstFrame = measurement.frame }
    pending.forget(before: measurement.frame)
    let shown = measurement.shown ?? pending.shown(in: measurement.frame)
    scene.take(measurement.reading, exposure: shown.exposureStops, elapsed: elapsed)
    light.take(measurement.reading.cells ?? MeterCells(), exposure: shown.exposureStops, elapsed: elapsed)
    let before = pending.last
    guard !holds, let wanted else {
      decide(before, from: measurement.newest + configuration.delay)
      return
    }
    let goal = wanted.clamped(to: program.range)
    let isStarting = isFresh && measurement.frame - (firstFrame ?? 0) < configuration.delay + 2
    let isSeen = !isStarting && (shown.exposureStops - before.exposureStops).magnitude <= ExposureMotion.deadBand
    let isBlind = measurement.reading.clipped >= SceneEstimate.slightlyClipped
    let setting = follow(goal, from: before, isSeen: isSeen, isBlind: isBlind, elapsed: elapsed)
    if setting != before, scene.hidesBright || scene.hidesDark {
      unproven = Self.proof
    } else if isSeen, motion.isResting, !isFresh, setting == before {
      unproven = max(0, unproven - min(elapsed, Self.proof / 2))
      if lock == .seeking, isProven { lock = .closed }
    }
    decide(setting, from: measurement.newest + configuration.delay)
  }

  private mutating func follow(
    _ goal: Stops, from before: ExposureSetting, isSeen: Bool, isBlind: Bool, elapsed: Int64
  ) -> ExposureSetting {
    let current = before.exposureStops, best = program.setting(for: goal)
    if isFresh {
      guard isSeen, (goal - current).magnitude - (goal - best.exposureStops).magnitude <= ExposureMotion.deadBand else {
        return best
      }
      isFresh = false
      motion.start(from: current, to: goal)
    } else if motion.isResting {
      let lit = motion.goal(by: light)?.clamped(to: program.range)
      motion.startIfDue(
        from: current, to: (goal, best.exposureStops),
        lit: lit.map { ($0, program.setting(for: $0).exposureStops) }, light: light, elapsed: elapsed)
    }
    guard let place = motion.advance(to: goal, elapsed: elapsed, isBlind: isBlind) else { return before }
    let next = program.setting(for: place)
    return motion.isOnward(from: current, to: next.exposureStops) ? next : before
  }

  private mutating func decide(_ setting: ExposureSetting, from frame: Int) {
    let isChange = setting != pending.last
    if isChange { pending.add(setting, from: frame) }
    let deviation = wanted.map { $0 - setting.exposureStops } ?? .zero
    // Where nothing follows the light, all that the picture is off is missing from it.
    func beyond(_ light: Stops) -> Stops {
      light - (holds ? setting.exposureStops : light.clamped(to: program.range))
    }
    var missing = wanted.map(beyond) ?? .zero
    // The light beyond a clipped frame is extrapolated; without it, the light requires more exposure. In the dark, what
    // noise may have taken from the light requires none.
    let unsure = missing > .zero ? scene.unseen - scene.hidden : scene.unseen
    var shown = wanted.map { beyond($0 + unsure) } ?? .zero
    if missing < .zero { shown = min(shown, .zero) }
    if missing > .zero { shown = max(shown, .zero) }
    if missing.magnitude <= ExposureMotion.deadBand { (missing, shown) = (.zero, .zero) }
    let state: ExposureDecision.State =
      if holds { .held } else if isFresh || !motion.isResting { .moving } else if missing != .zero { .limited } else {
        .settled
      }
    lastDecision = ExposureDecision(
      setting: setting, isChange: isChange, frame: isChange ? frame : lastDecision.frame, state: state,
      deviation: deviation, missing: holds ? .zero : missing, shownMissing: shown,
      isMissingLowerBound: missing != .zero && (missing < .zero ? scene.hidesBright : scene.hidesDark))
  }
}
