import Foundation

/// The luma codes of a frame with their weights, and the average of their log2 luminance.
///
/// Three averages of the levels x with their weights w:
///
/// - `mean`: Σ w·x / Σ w.
/// - `bounded`: the level s for which Σ w·ψ(x − s) = 0, where ψ clips at −4 and +1.75 EV: an M-estimator of location
///   (P. J. Huber, "Robust estimation of a location parameter", Annals of Mathematical Statistics 35, 1964), with
///   bounds wide enough that it stays a mean for a scene of two halves. An object of weight ε that covers average parts
///   moves it by at most ε · 1.75 EV / p, where p is the weight within the bounds: by 0.14 EV for a lamp on 5 % of the
///   frame that passes the centre (whose parts weigh 9/7 of the mean) of a scene with 80 % within the bounds.
/// - `byLuminance`: Σ w·2ˣ·x / Σ w·2ˣ.
///
/// Thread: one at a time. Only the initializer allocates.
public struct LuminanceHistogram: Sendable {
  public enum Average: Hashable, Sendable { case mean, bounded, byLuminance }

  /// How far above and below the result a part of the frame counts, in EV. Above: Rec. 709 ends at 2.47, and little but
  /// sky and light sources is brighter. Below: the shadows of a daylight scene. Together they cover the dark and the
  /// bright half of most scenes, between which a narrower mean would be unstable.
  static let bounds = (below: Stops(units: -4 * Stops.unitsPerEV), above: Stops(units: 7 * Stops.unitsPerEV / 4))

  public let curve: MeterCurve
  /// By code.
  private var weights: [Int]
  /// 2^level by code: 256 for grey, 1 for black, and less than 2²⁰ at the top of the highest curve.
  private let luminances: [Int]

  public init(curve: MeterCurve) {
    self.curve = curve
    weights = Array(repeating: 0, count: curve.levels.count)
    luminances = curve.levels.map { Int((exp2($0.ev) * 256).rounded()) }
  }

  public mutating func clear() { for code in weights.indices { weights[code] = 0 } }

  /// Counts a sample. Codes beyond the curve count as its last.
  ///
  /// - Parameter weight: 0 or greater; the sum of all weights is at most 2²⁸.
  public mutating func add(code: Int, weight: Int = 1) { weights[min(code, weights.count - 1)] += weight }

  /// Counts samples, each with its weight.
  mutating func add(_ codes: Span<Int>, weights added: Span<Int>) {
    var weights = weights.mutableSpan
    let last = weights.count - 1
    for index in codes.indices { weights[min(codes[index], last)] += added[index] }
  }

  /// Without any samples, the reading is that of a frame without light.
  public func reading(_ average: Average) -> MeterReading {
    var total = 0, clipped = 0, crushed = 0
    for code in weights.indices {
      total += weights[code]
      if code >= curve.clippedFrom { clipped += weights[code] }
      if curve.levels[code] <= MeterCurve.floor { crushed += weights[code] }
    }
    guard total > 0 else { return MeterReading(level: MeterCurve.floor, crushed: MeterReading.whole) }
    let crushedShare = crushed * MeterReading.whole / total
    let isSeen = crushedShare >= SceneEstimate.slightlyClipped && crushed < total
    return MeterReading(
      level: level(average, from: 0), clipped: clipped * MeterReading.whole / total, crushed: crushedShare,
      spread: percentile(total / 2) - percentile(total * 16 / 100),
      seenLevel: isSeen ? level(average, from: darkestSeen) : nil)
  }

  /// Above the darkest level.
  private var darkestSeen: Int { curve.levels.firstIndex { $0 > MeterCurve.floor } ?? 0 }

  /// - Parameter first: the first code that counts; there are samples from it on.
  private func level(_ average: Average, from first: Int) -> Stops {
    switch average {
    case .mean: mean(from: first)
    case .bounded: bounded(from: first)
    case .byLuminance: meanByLuminance(from: first)
    }
  }

  private func mean(from first: Int) -> Stops {
    var sum = 0, total = 0
    for code in first..<weights.count {
      sum += weights[code] * curve.levels[code].units
      total += weights[code]
    }
    return Stops(units: Self.quotient(sum, total))
  }

  private func meanByLuminance(from first: Int) -> Stops {
    var sum = 0, total = 0
    for code in first..<weights.count where weights[code] > 0 {
      let weight = weights[code] * luminances[code]
      sum += weight * curve.levels[code].units
      total += weight
    }
    return Stops(units: Self.quotient(sum, total))
  }

  /// The least s whose sum is not above 0. The sum falls with s in straight segments, from at least 0 at the frame's
  /// least level to at most 0 at its greatest. Newton's steps search within that bracket, with bisection if they do not
  /// converge.
  private func bounded(from start: Int) -> Stops {
    var first = start, last = weights.count - 1
    while weights[first] == 0 { first += 1 }
    while weights[last] == 0 { last -= 1 }
    var low = curve.levels[first].units, high = curve.levels[last].units
    var guess = (low + high) / 2, steps = 0
    while low < high {
      steps += 1
      let s = steps > 8 ? low + (high - low) / 2 : max(low, min(guess, high - 1))
      let (sum, slope) = influence(s, first...last)
      if sum > 0 { low = s + 1 } else { high = s }
      guess = slope > 0 ? s + (sum > 0 ? (sum + slope - 1) / slope : -((slope - 1 - sum) / slope)) : (low + high) / 2
    }
    return Stops(units: low)
  }

  /// Σ w·ψ(x − s) and its downward slope, which is the weight within the bounds.
  private func influence(_ s: Int, _ codes: ClosedRange<Int>) -> (sum: Int, slope: Int) {
    let weights = weights.span, levels = curve.levels.span
    var sum = 0, slope = 0
    for code in codes {
      let difference = levels[code].units - s
      let held = max(Self.bounds.below.units, min(difference, Self.bounds.above.units))
      sum += weights[code] * held
      if held == difference { slope += weights[code] }
    }
    return (sum, slope)
  }

  /// The level below which `weight` of the samples lies.
  private func percentile(_ weight: Int) -> Stops {
    var sum = 0
    for code in weights.indices {
      sum += weights[code]
      if sum > weight { return curve.levels[code] }
    }
    return curve.levels[curve.levels.count - 1]
  }

  /// Rounded to nearest.
  private static func quotient(_ sum: Int, _ total: Int) -> Int {
    (sum >= 0 ? sum + total / 2 : sum - total / 2) / total
  }
}
