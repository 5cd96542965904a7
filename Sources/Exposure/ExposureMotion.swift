/// How the exposure moves to its goal: when it starts, how fast it moves, and when it rests.
struct ExposureMotion: Hashable, Sendable {
  /// The exposure rests while the picture is off by no more than this. 0.08 EV is 5.7 % of light, which nobody notices,
  /// and more than smoothed noise of 0.02 EV in the reading reaches in days.
  static let deadBand = Stops(units: 82)
  /// It also rests unless another setting is nearer by more than this. A third-stop gain half-way to the next one stays
  /// until it is 0.045 EV past the middle, which is six deviations of smoothed noise of 0.02 EV, and does not return
  /// before it is as far on the other side. Between finer steps it is less, so that 0.1 EV and half a step hold.
  static let hysteresis = Stops(units: 92)
  /// The exposure has arrived within a quarter of the dead band, so that noise does not start it again.
  static let arrived = Stops(units: 20)
  /// 16 EV/s: fast enough for 6 EV in a second, with a start only after five frames at 24 fps, and slow enough that a
  /// step is a short fade, not a cut.
  static let fastest: Int64 = 16 * 1024
  /// After this rest the exposure checks once more that it rests at the right place: half a second, in which noise is
  /// averaged out. Otherwise an early decision might lie too near to the edge of the dead band.
  static let secondLook: Int64 = 500_000_000
  /// Near the goal, the remaining distance decays with this time constant: 1/16 s, 40 % a frame at 24 fps.
  static let approach: Int64 = 62_500_000
  /// With stepped gain, a start moves the exposure by a whole step. The cause may be something bright that passes; the
  /// parts of the frame tell, because a change of light shows in all of them. A start that moves no more than this is
  /// not checked.
  static let passing = Stops(units: 205)
  /// A larger move of the goal is followed whatever the parts show: an object on 5 % of the frame, in the centre and
  /// before its darkest part, moves it no further (`LuminanceHistogram`: 1.75 EV above against 4 EV below, times
  /// 6.25 %).
  static let mostPassing = Stops(units: 410)
  /// An object that stays longer than this is no longer passing: objects usually cross a frame faster.
  static let patience: Int64 = 5_000_000_000
  /// A clipped picture that is off by more jumps at once: it contains nothing that a fade would preserve.
  static let leap = Stops(units: 1024)

  /// In motion: the exposure between the device's steps, and the direction. `nil` at rest.
  private var place: Stops?
  private var direction = 0
  /// Nanoseconds at rest; `nil` after the second look, and while it moves because of one.
  private var rested: Int64?
  /// The goal and the light when it came to rest; `nil` until then.
  private var origin: Origin?
  /// Nanoseconds for which something other than a change of light has asked for a start.
  private var waited: Int64 = 0

  private struct Origin: Hashable, Sendable {
    var goal: Stops
    var light: CellLight
  }

  var isResting: Bool { place == nil }

  mutating func rest() {
    place = nil
    forget()
  }

  private mutating func forget() { (origin, waited) = (nil, 0) }

  /// The goal from the light alone, without passing objects; `nil` if it is unknown.
  func goal(by light: CellLight) -> Stops? {
    origin.flatMap { origin in light.change(since: origin.light).map { origin.goal - $0 } }
  }

  /// Starts from `current` towards `goal`, however near it is.
  mutating func start(from current: Stops, to goal: Stops) {
    rested = 0
    forget()
    guard current != goal else { return rest() }
    place = current
    direction = (goal - current).units.signum()
  }

  /// Starts if the distance is worth it.
  ///
  /// - Parameters:
  ///   - goal: the goal, and the nearest setting to it.
  ///   - lit: the same from the light alone (`goal(by:)`), if it is known.
  ///   - elapsed: nanoseconds since the last frame.
  mutating func startIfDue(
    from current: Stops, to goal: (place: Stops, best: Stops), lit: (place: Stops, best: Stops)?, light: CellLight,
    elapsed: Int64
  ) {
    if isDue(current, goal) {
      if !mayPass(current, goal, lit, elapsed) { return start(from: current, to: goal.place) }
    } else {
      waited = 0
    }
    lookAgain(current, goal, elapsed)
    // Before the second look the light is still being found.
    if isResting, rested == nil, origin == nil { origin = Origin(goal: goal.place, light: light) }
  }

  private func isDue(_ current: Stops, _ goal: (place: Stops, best: Stops)) -> Bool {
    let now = (goal.place - current).magnitude, then = (goal.place - goal.best).magnitude
    let worth = min(Self.hysteresis, Self.deadBand + Stops(units: then.units / 2))
    return now > Self.deadBand && now - then > worth
  }

  /// Whether the cause of a start may be a passing object rather than a change of light.
  private mutating func mayPass(
    _ current: Stops, _ goal: (place: Stops, best: Stops), _ lit: (place: Stops, best: Stops)?, _ elapsed: Int64
  ) -> Bool {
    guard let origin, let lit, (goal.best - current).magnitude > Self.passing,
      (goal.place - origin.goal).magnitude <= Self.mostPassing
    else { return false }
    let isLit = isDue(current, lit) && (lit.place - current).units.signum() == (goal.place - current).units.signum()
    waited += min(elapsed, Self.patience)
    return !isLit && waited < Self.patience
  }

  private mutating func lookAgain(_ current: Stops, _ goal: (place: Stops, best: Stops), _ elapsed: Int64) {
    guard let rested else { return }
    self.rested = rested + min(elapsed, Self.secondLook)
    guard rested + elapsed >= Self.secondLook else { return }
    if (goal.place - current).magnitude - (goal.place - goal.best).magnitude > Self.arrived {
      start(from: current, to: goal.place)
    }
    self.rested = nil
  }

  /// Advances by one frame; returns the next exposure.
  ///
  /// - Parameters:
  ///   - elapsed: nanoseconds since the last frame.
  ///   - isBlind: the picture is clipped.
  mutating func advance(to goal: Stops, elapsed: Int64, isBlind: Bool) -> Stops? {
    guard let here = place else { return nil }
    let way = goal - here, elapsed = min(elapsed, 1_000_000_000)
    guard way.units * direction > 0, way.magnitude > Self.arrived else {
      rest()
      return way.units * direction > 0 ? goal : here
    }
    if isBlind, way < -Self.leap {
      place = goal
      return goal
    }
    let share = abs(way.units) * Int(elapsed) / Int(elapsed + Self.approach)
    let most = Int(Self.fastest * elapsed / 1_000_000_000)
    let next = here + Stops(units: direction * max(1, min(share, most)))
    place = next
    return next
  }

  /// Whether a setting lies ahead on the way; steps back, which only noise would ask for, do not.
  func isOnward(from current: Stops, to next: Stops) -> Bool { (next - current).units * direction > 0 }
}
