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
  /// A clipped picture that is off by more goes there at once: there is nothing in it that a fade would keep.
  static let leap = Stops(units: 1024)

  /// On the way: the exposure between the device's steps, and the direction. `nil` at rest.
  private var place: Stops?
  private var direction = 0
  /// Nanoseconds at rest; `nil` after the second look, and while it moves on account of one.
  private var rested: Int64?

  var isResting: Bool { place == nil }

  mutating func rest() { place = nil }

  /// Sets out from `current` for `goal`, however near it lies.
  mutating func start(from current: Stops, to goal: Stops) {
    rested = 0
    guard current != goal else { return rest() }
    place = current
    direction = (goal - current).units.signum()
  }

  /// Sets out if it is worth it.
  ///
  /// - Parameters:
  ///   - best: as near as a setting comes to the goal.
  ///   - elapsed: nanoseconds since the last frame.
  mutating func startIfDue(from current: Stops, to goal: Stops, best: Stops, elapsed: Int64) {
    let now = (goal - current).magnitude, then = (goal - best).magnitude
    let worth = min(Self.hysteresis, Self.deadBand + Stops(units: then.units / 2))
    if now > Self.deadBand, now - then > worth { return start(from: current, to: goal) }
    guard let rested else { return }
    self.rested = rested + min(elapsed, Self.secondLook)
    guard rested + elapsed >= Self.secondLook else { return }
    if now - then > Self.arrived { start(from: current, to: goal) }
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
