public import Frames

/// The mains frequency of lamps. Their light pulses with every half period, so at twice the mains frequency.
public enum MainsFrequency: String, Hashable, Sendable, CaseIterable, Codable {
  /// Daylight, or lamps that do not pulse.
  case off
  case hz50 = "50"
  case hz60 = "60"

  /// Seconds from one pulse of light to the next; `nil` for `off`.
  public var halfPeriod: Rational? {
    switch self {
    case .off: nil
    case .hz50: Rational(1, 100)
    case .hz60: Rational(1, 120)
    }
  }

  /// Reads `off`, `50`, `60`.
  ///
  /// - Throws: code `usage`.
  public init(parsing text: String) throws(CamrecError) {
    guard let mains = MainsFrequency(rawValue: text) else {
      throw CamrecError(.usage, "the mains frequency is off, 50 or 60 (Hz); this is '\(text)'")
    }
    self = mains
  }

  /// The exposures nearest to a wished one that do not flicker in this light: those of whole half periods, which
  /// collect the same light wherever they begin.
  ///
  /// - Returns: `nil` for `off`, where there is nothing to choose.
  /// - Throws: code `usage` as `ShutterAngle.exposureTime(at:)`.
  public func choice(near wished: ShutterAngle, at rate: FrameRate) throws(CamrecError) -> FlickerChoice? {
    guard let halfPeriod else { return nil }
    let time = try wished.exposureTime(at: rate)
    let below = halfPeriods(within: time)
    let most = halfPeriods(within: rate.frameDuration)
    func safe(_ count: Int64) throws(CamrecError) -> FlickerChoice.Angle? {
      guard count >= 1, count <= most else { return nil }
      let angle = try ShutterAngle(exposureTime: halfPeriod * Rational(count), at: rate)
      return FlickerChoice.Angle(angle: angle, halfPeriods: Int(count), wished: wished)
    }
    return FlickerChoice(
      mains: self, rate: rate, wished: wished, below: try safe(below), above: try safe(below + 1))
  }

  /// The number of half periods in `time`, rounded down.
  private func halfPeriods(within time: Rational) -> Int64 {
    guard let halfPeriod else { return 0 }
    let above = Int128(time.numerator) * Int128(halfPeriod.denominator)
    return Int64(clamping: above / (Int128(time.denominator) * Int128(halfPeriod.numerator)))
  }
}
