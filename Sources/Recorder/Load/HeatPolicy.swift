/// How far a recorder reduces its effort so that the machine does not throttle itself. A value that uses no clock and
/// no threads.
///
/// A step takes time to show its effect, down or up. The policy waits for that, so that it does not oscillate.
package struct HeatPolicy: Hashable, Sendable {
  /// The number of steps.
  package static let most = 3

  package private(set) var step = 0
  private var hotLooks = 0
  private var lastChange: Double?
  private var coolSince: Double?

  /// Degrees below the limit at which each step is taken. Processor sensors jump by 3 to 5 °C under load, so the first
  /// step comes before such a jump reaches the limit.
  private static let distances = [8.0, 5.0, 2.0]
  /// Additional degrees below the limit before a step is taken back.
  private static let hysteresis = 5.0
  /// A single reading may be wrong.
  private static let looks = 2
  /// Seconds that a heat sink takes to show the effect of a step.
  private static let settling = 20.0
  /// Seconds of cool readings before a step is taken back: a case warms up for minutes.
  private static let calm = 120.0

  package init() {}

  /// Call every few seconds.
  ///
  /// - Parameters:
  ///   - distance: degrees left to the limit, in the zone nearest to its limit; `nil` if no zone reports a temperature.
  ///   - seconds: of a monotonic clock.
  /// - Returns: the step that applies from now on, 0 to `most`.
  package mutating func look(distance: Double?, at seconds: Double) -> Int {
    guard let distance else {
      // Without a sensor the temperature is unknown: keep the present step.
      (hotLooks, coolSince) = (0, nil)
      return step
    }
    if step < HeatPolicy.most, distance <= HeatPolicy.distances[step] {
      (hotLooks, coolSince) = (hotLooks + 1, nil)
      // At the limit itself, do not wait.
      let isSettled = lastChange.map { seconds - $0 >= HeatPolicy.settling } ?? true
      if hotLooks >= HeatPolicy.looks, isSettled || distance <= 0 { change(by: 1, at: seconds) }
      return step
    }
    hotLooks = 0
    guard step > 0, distance >= HeatPolicy.distances[step - 1] + HeatPolicy.hysteresis else {
      coolSince = nil
      return step
    }
    let since = coolSince ?? seconds
    coolSince = since
    if seconds - since >= HeatPolicy.calm { change(by: -1, at: seconds) }
    return step
  }

  private mutating func change(by steps: Int, at seconds: Double) {
    step += steps
    lastChange = seconds
    (hotLooks, coolSince) = (0, nil)
  }
}
