/// Finds which of an encoder's presets, from the requested one to the fastest, keeps up. A value that uses no clock and
/// no threads.
///
/// A preset changes only with the next file. A decision therefore stands until `began` reports a file that uses it;
/// frames lost until then are lost, and counted.
package struct LoadPolicy: Hashable, Sendable {
  package enum Decision: Hashable, Sendable {
    case keep
    /// So many presets faster from the next file on.
    case faster(by: Int)
    /// One preset slower from the next file on.
    case slower
    /// No preset is faster: frames continue to be lost.
    case exhausted
  }

  /// Presets that are faster than the requested one.
  package let most: Int
  /// The decision: how many presets faster than the requested one.
  package private(set) var step = 0
  /// A file has begun with it.
  private var isTaken = true
  /// One bit for each of the last looks, the latest lowest: frames were lost, or about to be.
  private var bad: UInt16 = 0
  /// The same: there was little time to spare.
  private var tight: UInt16 = 0
  /// Since when nothing has been bad or tight.
  private var calmSince: Double?
  private var settlesUntil = -Double.infinity
  private var calm = LoadPolicy.shortestCalm
  /// When a file last began with a slower preset.
  private var lastSlower: Double?
  private var saidExhausted = false

  /// One bad second may be a hiccup of the system; three of ten mean that the encoder is too slow.
  private static let looks: UInt16 = (1 << 10) - 1
  private static let badLooks = 3
  /// Seconds during which the previous file is finished beside the new one, and the new encoder starts with a keyframe.
  private static let settling = 5.0
  /// A preset takes up to about 1.5 times as long as the next faster one (x265's documentation, "Presets").
  private static let spare = 1.5
  /// Seconds without a bad second before a slower preset is tried: light and motion change within minutes, and a failed
  /// try costs frames.
  private static let shortestCalm = 600.0
  /// The pause doubles with each failed try, up to a day: failing every ten minutes would cost more than a slower
  /// preset is worth.
  private static let longestCalm = 86_400.0

  /// - Parameter most: presets that are faster than the requested one.
  package init(most: Int) { self.most = most }

  /// Call about once a second.
  ///
  /// - Parameter seconds: of a monotonic clock.
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

  /// A file, or a new film, has begun with the chosen preset.
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
    // One preset gains a third to a half; a file that still falls behind loses frames until its end.
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
