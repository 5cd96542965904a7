/// Frames per second as an exact rational, greater than zero and at most 1000.
public struct FrameRate: Hashable, Sendable, Comparable, CustomStringConvertible {
  public let rational: Rational

  public static let limit: Int64 = 1000

  public init?(_ rational: Rational) {
    guard rational.numerator > 0, rational <= Rational(FrameRate.limit) else { return nil }
    self.rational = rational
  }

  /// Reads `24`, `24000/1001`, `23.976`, `12.5`, `23.976023976023978`.
  ///
  /// The decimal forms of the NTSC rates (23.976, 23.98, 29.97, 47.95, 47.952, 59.94, 119.88) mean the
  /// exact N·1000/1001 rate; any other decimal with up to nine digits behind the point is exact. One with more is a
  /// quotient that a program has computed: it is the N·1000/1001 rate that it agrees with to a thousand-millionth, or
  /// rounded to that.
  public init?(parsing text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    if parts.count == 2, let n = Int64(parts[0]), let d = Int64(parts[1]), d > 0, n > 0 {
      self.init(Rational(n, d))
      return
    }
    guard parts.count == 1 else { return nil }
    if let ntsc = FrameRate.ntscDecimals[text] {
      self.init(Rational(ntsc * 1000, 1001))
      return
    }
    let halves = text.split(separator: ".", omittingEmptySubsequences: false)
    guard halves.count <= 2, halves.allSatisfy({ !$0.isEmpty && $0.allSatisfy { $0.isASCII && $0.isNumber } }),
      let whole = Int64(halves[0]), whole <= FrameRate.limit
    else { return nil }
    guard halves.count == 2 else {
      self.init(Rational(whole))
      return
    }
    guard halves[1].count <= 9 else {
      var digits = halves[1]
      while digits.last == "0" { digits.removeLast() }
      guard digits.count == halves[1].count else {
        self.init(parsing: digits.isEmpty ? String(halves[0]) : "\(halves[0]).\(digits)")
        return
      }
      guard let value = Double(text) else { return nil }
      self.init(FrameRate.computed(value))
      return
    }
    guard let fraction = Int64(halves[1]) else { return nil }
    let scale = halves[1].reduce(Int64(1)) { power, _ in power * 10 }
    self.init(Rational(whole * scale + fraction, scale))
  }

  /// - Parameter value: at most one more than `limit`.
  private static func computed(_ value: Double) -> Rational {
    let ntsc = Rational(Int64((value * 1.001).rounded()) * 1000, 1001)
    if abs(ntsc.doubleValue - value) < 1e-9 { return ntsc }
    return Rational(Int64((value * 1e9).rounded()), 1_000_000_000)
  }

  private static let ntscDecimals: [String: Int64] = [
    "23.976": 24, "23.98": 24, "29.97": 30, "47.95": 48, "47.952": 48, "59.94": 60, "119.88": 120,
  ]

  /// The duration of one frame in seconds, exact.
  public var frameDuration: Rational { rational.inverse }
  public var framesPerSecond: Double { rational.doubleValue }

  /// The whole number of frames that a timecode counts per second: the nearest one, 24 for 24000/1001 and 8 for 25/3,
  /// as FFmpeg writes it into a film. At least 1.
  public var timecodeBase: Int {
    max(1, Int((rational.numerator + rational.denominator / 2) / rational.denominator))
  }

  /// The difference from `other`, in parts per million of `other`.
  public func partsPerMillion(from other: FrameRate) -> Double {
    (framesPerSecond / other.framesPerSecond - 1) * 1e6
  }

  public static func < (a: FrameRate, b: FrameRate) -> Bool { a.rational < b.rational }
  public var description: String { rational.description }
}
