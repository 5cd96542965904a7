/// How the exposure gets to where it is to be: when it starts, how fast it goes, and when it rests.
struct ExposureMotion: Hashable, Sendable {
  /// Rests as long as the picture is off by no more. 0.08 EV is 5.7 % of light, which nobody sees come or go, and is
  /// more than noise of 0.02 EV in the reading, smoothed, reaches in days.
  static let deadBand = Stops(units: 82)
  /// And as long as no other setting is nearer by more: a third-stop gain that lies half-way to the next one stays
  /// until it is 0.045 EV past the middle, six deviations of noise smoothed from 0.02 EV, and does not return before
  /// it is as far on the other side. Between finer steps it is less, so that 0.1 EV and half a step are kept.
  static let hysteresis = Stops(units: 92)
  /// There: a quarter of the dead band, so that noise does not start it again.
  static let arrived = Stops(units: 20)
  /// 16 EV/s. As fast as six stops in a second allow that begin only after five frames at 24 fps, and slow enough that
  /// a step is a short fade and no cut.
  static let fastest: Int64 = 16 * 1024
  /// How long it rests before it looks again, once, whether it came to rest where it should have: half a second, after
  /// which noise is averaged out. What was decided in haste would otherwise lie too near to the dead band's edge.
  static let secondLook: Int64 = 500_000_000
  /// Nearer than that speed allows, the rest is taken off with this time constant: 1/16 s, 40 % a frame at 24 fps.
  static let approach: Int64 = 62_500_000
  /// Where gain comes in steps, a start moves the exposure by a whole one. What asks for that may be something bright
  /// that passes, and the parts of the picture tell: light that changes is in all of them. A start that moves no more
  /// than this is not worth the question.
  static let passing = Stops(units: 205)
  /// What moves the goal by more is followed whatever the parts say: something on 5 % of the picture, in its centre and
  /// before its darkest part, gets no further (`LuminanceHistogram`: 1.75 EV above against 4 EV below, times 6.25 %).
  static let mostPassing = Stops(units: 410)
  /// How long something has to stay until it is no longer passing: more than what crosses a picture takes as a rule.
  static let patience: Int64 = 5_000_000_000
  /// A clipped picture that is off by more goes there at once: there is nothing in it that a fade would keep.
  static let leap = Stops(units: 1024)

  /// On the way: the exposure between the device's steps, and the direction. `nil` at rest.
  private var place: Stops?
  private var direction = 0
  /// Nanoseconds at rest; `nil` after the second look, and while it moves on account of one.
  private var rested: Int64?
  /// Where the goal and the light lay when it had come to rest; `nil` until then.
  private var origin: Origin?
  /// Nanoseconds for which something has asked for a start that light does not.
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

  /// Where the goal lies by the light alone, without what passes; `nil` where nothing is known.
  func goal(by light: CellLight) -> Stops? {
    origin.flatMap { origin in light.change(since: origin.light).map { origin.goal - $0 } }
  }

  /// Sets out from `current` for `goal`, however near it lies.
  mutating func start(from current: Stops, to goal: Stops) {
    rested = 0
    forget()
    guard current != goal else { return rest() }
    place = current
    direction = (goal - current).units.signum()
  }

  /// Sets out if it is worth it.
  ///
  /// - Parameters:
  ///   - goal: where it is to be, with the nearest that a setting comes to it.
  ///   - lit: the same by the light alone (`goal(by:)`), where that is known.
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

  /// Whether what asks for a start may be something that passes, rather than light.
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

  /// One frame on: where to go now.
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

  /// Whether a setting lies on the way; what noise would take back is not.
  func isOnward(from current: Stops, to next: Stops) -> Bool { (next - current).units * direction > 0 }
}
