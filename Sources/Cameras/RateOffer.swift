public import Frames

/// The frame rates that a camera offers in one pixel format at one size.
public enum RateOffer: Hashable, Sendable {
  case list([FrameRate])
  /// Frame durations in seconds from `shortest` to `longest`, in steps if `step` is not `nil`.
  case range(shortest: Rational, longest: Rational, step: Rational?)
  /// The driver does not report its rates; setting one shows the result.
  case unknown

  /// The offered rate that is nearest to `rate`, by ratio.
  public func nearest(to rate: FrameRate) -> FrameRate? {
    switch self {
    case .unknown:
      return rate
    case .list(let rates):
      return rates.min { rate.octaves(to: $0) < rate.octaves(to: $1) }
    case .range(let shortest, let longest, let step):
      let duration = rate.frameDuration
      if duration <= shortest { return FrameRate(interval: shortest) }
      if longest <= duration { return FrameRate(interval: longest) }
      guard let step, step.numerator > 0 else { return rate }
      let steps = ((duration.doubleValue - shortest.doubleValue) / step.doubleValue).rounded()
      return RateOffer.sum(shortest, step, times: Int64(steps)).flatMap(FrameRate.init(interval:))
    }
  }

  /// The highest offered rate up to `limit`, or the lowest of all if none is that low.
  func highest(upTo limit: FrameRate) -> FrameRate? {
    guard case .list(let rates) = self else { return nearest(to: limit) }
    return rates.filter { $0 <= limit }.max() ?? rates.min()
  }

  /// `a + b · count`, or `nil` if it does not fit into 64 bits.
  private static func sum(_ a: Rational, _ b: Rational, times count: Int64) -> Rational? {
    let steps = Int128(b.numerator) * Int128(count)
    let numerator = Int128(a.numerator) * Int128(b.denominator) + steps * Int128(a.denominator)
    let denominator = Int128(a.denominator) * Int128(b.denominator)
    var (x, y) = (numerator, denominator)
    while y != 0 { (x, y) = (y, x % y) }
    guard let top = Int64(exactly: numerator / x), let bottom = Int64(exactly: denominator / x) else { return nil }
    return Rational(top, bottom)
  }
}

extension FrameRate {
  /// The rate whose frames last `interval` seconds, as a driver states it.
  ///
  /// USB video counts intervals in units of 100 ns (UVC 1.1, dwFrameInterval), so that 30000/1001 arrives as 333667
  /// units. A whole rate, or a whole rate · 1000/1001, within one unit of the interval is therefore taken as meant.
  ///
  /// - Returns: `nil` for an interval that is not above zero, or is shorter than 1 ms.
  public init?(interval: Rational) {
    guard interval.numerator > 0, let stated = FrameRate(interval.inverse) else { return nil }
    self = stated
    guard stated.rational.denominator > 1 else { return }
    let whole = Int64(stated.framesPerSecond.rounded(.toNearestOrAwayFromZero))
    for candidate in [Rational(max(whole, 1)), Rational(max(whole, 1) * 1000, 1001)] {
      let difference = candidate.inverse.doubleValue - interval.doubleValue
      if abs(difference) < 100e-9, let rate = FrameRate(candidate) {
        self = rate
        return
      }
    }
  }

  /// How far apart two rates are, on a logarithmic scale.
  func octaves(to other: FrameRate) -> Double {
    let ratio = other.framesPerSecond / framesPerSecond
    return ratio >= 1 ? ratio - 1 : 1 / ratio - 1
  }

  /// Whether `other` differs from this rate by at most 0.1 %, as 30 does from 30000/1001.
  public func isNear(_ other: FrameRate) -> Bool {
    abs(other.framesPerSecond / framesPerSecond - 1) <= 0.001 + 1e-9
  }

  /// `24`, or `23.976 (24000/1001)`.
  var spoken: String {
    guard rational.denominator > 1 else { return description }
    let thousandths = Int64((framesPerSecond * 1000).rounded())
    let fraction = String(String(1000 + thousandths % 1000).dropFirst())
    return "\(thousandths / 1000).\(fraction) (\(rational))"
  }
}
