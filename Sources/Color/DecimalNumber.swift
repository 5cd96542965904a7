/// A decimal number in a text, read byte by byte and rounded correctly.
///
/// Grammar: `[+-] digits [. digits] [e [+-] digits]` with at least one digit before the exponent. No `nan`, no `inf`,
/// no hexadecimal.
struct DecimalNumber {
  /// The first 19 significant digits.
  private var digits: UInt64 = 0
  /// The power of ten that `digits` counts.
  private var exponent = 0
  private var isNegative = false
  /// More than 19 significant digits.
  private var isCut = false
  /// The position of the number in its line.
  private let start: Int

  /// Reads from `position` and moves it past the number; `nil` if there is no number.
  @inline(__always)
  init?(_ bytes: Span<UInt8>, at position: inout Int) {
    let end = bytes.count
    var index = position
    start = index
    if index < end, bytes[index] == UInt8(ascii: "-") || bytes[index] == UInt8(ascii: "+") {
      isNegative = bytes[index] == UInt8(ascii: "-")
      index += 1
    }
    let mantissa = index
    var count = Self.take(bytes, &index, into: &digits)
    if index < end, bytes[index] == UInt8(ascii: ".") {
      index += 1
      let places = Self.take(bytes, &index, into: &digits)
      exponent = -places
      count += places
    }
    guard count > 0 else { return nil }
    if count > Self.exactDigits { cut(bytes, from: mantissa, to: index) }
    if index < end, bytes[index] | 0x20 == UInt8(ascii: "e") {
      guard let power = Self.power(bytes, at: &index) else { return nil }
      exponent += power
    }
    position = index
  }

  /// Appends digits to those in `value`, which wraps around above 19 of them; returns how many.
  @inline(__always)
  private static func take(_ bytes: Span<UInt8>, _ index: inout Int, into value: inout UInt64) -> Int {
    let start = index
    while index < bytes.count {
      let digit = bytes[index] &- UInt8(ascii: "0")
      guard digit < 10 else { break }
      value = value &* 10 &+ UInt64(digit)
      index += 1
    }
    return index - start
  }

  /// Takes the first 19 significant digits of a mantissa of any length; leading zeros do not count.
  private mutating func cut(_ bytes: Span<UInt8>, from start: Int, to end: Int) {
    digits = 0
    exponent = 0
    var significant = 0
    var isFraction = false
    for index in start..<end {
      let digit = bytes[index] &- UInt8(ascii: "0")
      guard digit < 10 else {
        isFraction = true
        continue
      }
      if significant < Self.exactDigits {
        digits = digits * 10 + UInt64(digit)
        if digits != 0 { significant += 1 }
        if isFraction { exponent -= 1 }
      } else {
        isCut = true
        if !isFraction { exponent += 1 }
      }
    }
  }

  /// The number of digits that always fit into 64 bits.
  private static let exactDigits = 19

  /// The nearest `Double`, ties to even; infinite beyond its range.
  func double(in bytes: Span<UInt8>, upTo end: Int) -> Double {
    exactDouble ?? Double(text(bytes, end)) ?? .nan
  }

  /// The nearest `Float`, ties to even; infinite beyond its range.
  ///
  /// One exact operation on doubles gives the correctly rounded double. Rounding that again to a float is correct too,
  /// except half-way between two floats, where the first rounding may have come from either side, and below the normal
  /// floats. The library converts those few.
  @inline(__always)
  func float(in bytes: Span<UInt8>, upTo end: Int) -> Float {
    if let exact = exactDouble {
      let isHalfway = exact.bitPattern & 0x1FFF_FFFF == 0x1000_0000
      if exact == 0 || !isHalfway && abs(exact) >= Double(Float.leastNormalMagnitude) { return Float(exact) }
    }
    return Float(text(bytes, end)) ?? .nan
  }

  /// `digits` × 10^`exponent` if both are exact as doubles, so that only one operation rounds (W. Clinger, "How to read
  /// floating point numbers accurately", 1990).
  @inline(__always)
  private var exactDouble: Double? {
    guard !isCut, digits <= 1 << 53, exponent >= -22, exponent <= 22 else { return digits == 0 ? signed(0) : nil }
    return signed(exponent < 0 ? Double(digits) / Self.powers[-exponent] : Double(digits) * Self.powers[exponent])
  }

  @inline(__always)
  private func signed(_ magnitude: Double) -> Double { isNegative ? -magnitude : magnitude }

  private func text(_ bytes: Span<UInt8>, _ end: Int) -> String {
    var characters: [UInt8] = []
    for index in start..<end { characters.append(bytes[index]) }
    return String(decoding: characters, as: UTF8.self)
  }

  /// The exponent after an `e`, clamped to ±100 000; `nil` without digits.
  private static func power(_ bytes: Span<UInt8>, at index: inout Int) -> Int? {
    index += 1
    var isNegative = false
    if index < bytes.count, bytes[index] == UInt8(ascii: "-") || bytes[index] == UInt8(ascii: "+") {
      isNegative = bytes[index] == UInt8(ascii: "-")
      index += 1
    }
    let first = index
    var power = 0
    while index < bytes.count, bytes[index] &- UInt8(ascii: "0") < 10 {
      power = min(power * 10 + Int(bytes[index] - UInt8(ascii: "0")), 100_000)
      index += 1
    }
    guard index > first else { return nil }
    return isNegative ? -power : power
  }

  /// Every power of ten that a double holds exactly.
  private static let powers: [23 of Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
    1e20, 1e21, 1e22,
  ]
}
