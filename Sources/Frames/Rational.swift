/// An exact fraction of two 64-bit integers, kept in lowest terms with a positive denominator.
///
/// Frame rates and time bases are rationals, never floating point: 24000/1001 has no finite binary or decimal form, and
/// editors refuse rates that are only close to it.
public struct Rational: Hashable, Sendable, Comparable, CustomStringConvertible {
  public let numerator: Int64
  public let denominator: Int64

  /// - Precondition: `denominator` is not zero.
  public init(_ numerator: Int64, _ denominator: Int64 = 1) {
    precondition(denominator != 0, "a rational's denominator is not zero")
    let divisor = Rational.greatestCommonDivisor(numerator.magnitude, denominator.magnitude)
    let sign: Int64 = denominator < 0 ? -1 : 1
    self.numerator = sign * (numerator / Int64(divisor))
    self.denominator = sign * (denominator / Int64(divisor))
  }

  public var doubleValue: Double { Double(numerator) / Double(denominator) }
  public var inverse: Rational { Rational(denominator, numerator) }
  public var description: String { denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)" }

  public static func < (a: Rational, b: Rational) -> Bool {
    let left = a.numerator.multipliedFullWidth(by: b.denominator)
    let right = b.numerator.multipliedFullWidth(by: a.denominator)
    return left.high != right.high ? left.high < right.high : left.low < right.low
  }

  public static func * (a: Rational, b: Rational) -> Rational {
    let first = Rational(a.numerator, b.denominator), second = Rational(b.numerator, a.denominator)
    return Rational(first.numerator * second.numerator, first.denominator * second.denominator)
  }

  /// The exact product with `other`, or `nil` if its lowest terms do not fit into 64 bits. For factors of unknown size
  /// (a driver's rate, a typed angle); `*` is for factors that are known to be small.
  public func product(with other: Rational) -> Rational? {
    let first = Rational(numerator, other.denominator), second = Rational(other.numerator, denominator)
    let (above, isAboveTooLarge) = first.numerator.multipliedReportingOverflow(by: second.numerator)
    let (below, isBelowTooLarge) = first.denominator.multipliedReportingOverflow(by: second.denominator)
    return isAboveTooLarge || isBelowTooLarge ? nil : Rational(above, below)
  }

  /// `value · numerator / denominator`, rounded to nearest (ties away from zero), in 128-bit arithmetic.
  public func scaling(_ value: Int64) -> Int64 { scaling(Rational(value)) }

  /// `value · self` as a whole number: rounded to nearest (ties away from zero) in 128-bit arithmetic, and clamped to
  /// 64 bits. The product as a fraction need not fit into a rational.
  public func scaling(_ value: Rational) -> Int64 {
    let product = Int128(value.numerator) * Int128(numerator)
    let divisor = Int128(value.denominator) * Int128(denominator)
    return Int64(clamping: (product >= 0 ? product + divisor / 2 : product - divisor / 2) / divisor)
  }

  private static func greatestCommonDivisor(_ a: UInt64, _ b: UInt64) -> UInt64 {
    var (a, b) = (a, b)
    while b != 0 { (a, b) = (b, a % b) }
    return max(a, 1)
  }
}
