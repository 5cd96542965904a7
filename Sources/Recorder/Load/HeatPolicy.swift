/// How far a recorder goes down so that the machine does not slow itself down. A value without clock or threads of its
/// own.
///
/// A step down takes time to be felt, and one back, too: the policy waits for that, so that it does not swing.
package struct HeatPolicy: Hashable, Sendable {
  /// Steps that there are.
  package static let most = 3

  package private(set) var step = 0
  private var hotLooks = 0
  private var lastChange: Double?
  private var coolSince: Double?

  /// Degrees in front of the limit at which each step is taken: sensors of processors jump by 3 to 5 °C with a load, so
  /// that the first one comes before that reaches the limit.
  private static let distances = [8.0, 5.0, 2.0]
  /// Degrees further away before a step is taken back.
  private static let hysteresis = 5.0
  /// A single reading may be wrong.
  private static let looks = 2
  /// Seconds that a heat sink takes to show what a step has done.
  private static let settling = 20.0
  /// Seconds that it stays cool before a step is taken back: a case warms for minutes.
  private static let calm = 120.0

  package init() {}

  /// Every few seconds.
  ///
  /// - Parameters:
  ///   - distance: degrees that are left to the limit, of the zone with the fewest; `nil` where no zone tells.
  ///   - seconds: of a clock that only goes forward.
  /// - Returns: the step that holds from now on, 0 to `most`.
  package mutating func look(distance: Double?, at seconds: Double) -> Int {
    guard let distance else {
      // A sensor that is gone says nothing of the temperature: what holds goes on to hold.
      (hotLooks, coolSince) = (0, nil)
      return step
    }
    if step < HeatPolicy.most, distance <= HeatPolicy.distances[step] {
      (hotLooks, coolSince) = (hotLooks + 1, nil)
      // At the limit itself nothing is waited for.
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
