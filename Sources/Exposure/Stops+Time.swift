/// Exposure times in EV: log2 of seconds, calculated in whole numbers only.
extension Stops {
  /// log2 of an exposure time in seconds.
  ///
  /// - Parameter nanoseconds: at least 1.
  public init(nanoseconds: Int64) {
    self.init(units: Stops.log2(UInt64(Swift.max(1, nanoseconds))) - Stops.secondInNanoseconds)
  }

  /// The exposure time this many EV above 1 s, in nanoseconds: rounded to nearest, at least 1, at most 2⁶² ns.
  public var nanoseconds: Int64 {
    let octave = units >> 10
    var factor: UInt64 = 1 << 63
    for (bit, root) in Stops.roots.enumerated() where units >> (9 - bit) & 1 == 1 {
      factor = factor.multipliedFullWidth(by: root).high << 1
    }
    // 10⁹ · factor has at most 93 bits and its point 63 − octave places from the right.
    let product = UInt128(1_000_000_000) * UInt128(factor)
    let places = 63 - octave
    guard places > 31 else { return 1 << 62 }
    guard places < 127 else { return 1 }
    return Int64(Swift.max(1, (product + (1 << UInt128(places - 1))) >> UInt128(places)))
  }

  /// log2 of a whole number, 1 or greater, in 1/1024, rounded to nearest: squaring the mantissa gives one bit at a
  /// time.
  private static func log2(_ value: UInt64) -> Int {
    var result = 63 - value.leadingZeroBitCount
    var mantissa = value << UInt64(value.leadingZeroBitCount)
    for _ in 0..<11 {
      let square = mantissa.multipliedFullWidth(by: mantissa).high
      result = result << 1 | Int(square >> 63)
      mantissa = square >> 63 == 1 ? square : square << 1
    }
    return (result + 1) >> 1
  }

  /// log2(10⁹) in 1/1024.
  private static let secondInNanoseconds = log2(1_000_000_000)

  /// 2^(1/2), 2^(1/4), … 2^(1/1024), times 2⁶³.
  private static let roots: [UInt64] = [
    0xb504_f333_f9de_6484, 0x9837_f051_8db8_a96f, 0x8b95_c1e3_ea8b_d6e7, 0x85aa_c367_cc48_7b15,
    0x82cd_8698_ac2b_a1d7, 0x8164_d1f3_bc03_0773, 0x80b1_ed4f_d999_ab6c, 0x8058_d7d2_d5e5_f6b1,
    0x802c_6436_d0e0_4f51, 0x8016_302f_1746_7628,
  ]
}
