/// Which of an encoder's presets, from the one that was asked for to the fastest, keeps up. A value without clock or
/// threads of its own.
///
/// A preset is changed with the next file only. So a decision stands until `began` says that a file has begun with it;
/// whatever is lost until then is lost, and accounted.
package struct LoadPolicy: Hashable, Sendable {
  package enum Decision: Hashable, Sendable {
    case keep
    /// So many presets further from the next file on.
    case faster(by: Int)
    /// One preset back from the next file on.
    case slower
    /// There is no faster one: frames go on being lost.
    case exhausted
  }

  /// Presets that are faster than the one that was asked for.
  package let most: Int
  /// What was decided, in presets from that one on.
  package private(set) var step = 0
  /// A file has begun with it.
  private var isTaken = true
  /// Of the last looks, the latest first: frames were lost or about to be; there was little to spare.
  private var bad: UInt16 = 0
  private var tight: UInt16 = 0
  /// When nothing was bad or tight any more.
  private var calmSince: Double?
  private var settlesUntil = -Double.infinity
  private var calm = LoadPolicy.shortestCalm
  /// When a file began with a slower preset last.
  private var lastSlower: Double?
  private var saidExhausted = false

  /// One second may be the system's hiccup; three of ten are the encoder's pace.
  private static let looks: UInt16 = (1 << 10) - 1
  private static let badLooks = 3
  /// The file before is being drained and indexed beside the new one, and the new encoder starts with a key frame.
  private static let settling = 5.0
  /// A preset takes up to about half as long again as the next faster one (x265's documentation, "Presets").
  private static let spare = 1.5
  /// Seconds without a bad second until a slower preset is tried: light and motion in front of a camera change within
  /// minutes, and a try that fails costs frames.
  private static let shortestCalm = 600.0
  /// Doubled with each try that failed, up to a day: what fails every ten minutes would cost as much as never trying is
  /// worth.
  private static let longestCalm = 86_400.0

  /// - Parameter most: presets that are faster than the one that was asked for.
  package init(most: Int) { self.most = most }

  /// About once a second.
  ///
  /// - Parameter seconds: of a clock that only goes forward.
  package mutating func look(_ reading: LoadReading, at seconds: Double) -> Decision {
    guard isTaken, seconds >= settlesUntil else { return .keep }
    let speed = reading.speed ?? .infinity
    let isBad = reading.lost > 0 || reading.isFull && speed < 1
    bad = (bad << 1 | (isBad ? 1 : 0)) & LoadPolicy.looks
    tight = (tight << 1 | (isBad || speed < LoadPolicy.spare ? 1 : 0)) & LoadPolicy.looks
    if bad.nonzeroBitCount >= LoadPolicy.badLooks { return tooSlow(speed, at: seconds) }
    if isBad || tight.nonzeroBitCount >= LoadPolicy.badLooks {
      calmSince = nil
    } else if let since = calmSince {
      if seconds - since >= LoadPolicy.shortestCalm { saidExhausted = false }
      if step > 0, seconds - since >= calm { return decide(step - 1, .slower) }
    } else {
      calmSince = seconds
    }
    return .keep
  }

  /// A file has begun with the preset that was decided on. A new film does so, too.
  package mutating func began(at seconds: Double) {
    guard !isTaken else { return }
    isTaken = true
    settlesUntil = seconds + LoadPolicy.settling
    if isGoingBack { lastSlower = seconds }
    isGoingBack = false
  }

  private var isGoingBack = false

  private mutating func tooSlow(_ speed: Double, at seconds: Double) -> Decision {
    calmSince = nil
    guard step < most else {
      defer { saidExhausted = true }
      return saidExhausted ? .keep : .exhausted
    }
    if let lastSlower, seconds - lastSlower < calm { calm = min(2 * calm, LoadPolicy.longestCalm) }
    lastSlower = nil
    // One preset is worth a third to a half; each file that still falls behind costs frames until its end.
    let by = min(most - step, speed < 0.3 ? most : speed < 0.5 ? 3 : speed < 0.8 ? 2 : 1)
    return decide(step + by, .faster(by: by))
  }

  private mutating func decide(_ step: Int, _ decision: Decision) -> Decision {
    self.step = step
    isTaken = false
    isGoingBack = decision == .slower
    (bad, tight, calmSince) = (0, 0, nil)
    return decision
  }
}
