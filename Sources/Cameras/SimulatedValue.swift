/// Numbers as written in the options and fault scripts of the simulated devices.
enum SimulatedValue {
  /// A decimal number without a sign: `12`, `0.25`.
  static func number(_ text: String) -> Double? {
    let digits = text.allSatisfy { ($0.isASCII && $0.isNumber) || $0 == "." }
    guard digits, text.count <= 20, let value = Double(text) else { return nil }
    return value
  }

  /// A decimal number with or without a sign.
  static func signedNumber(_ text: String) -> Double? {
    guard let sign = text.first, sign == "-" || sign == "+" else { return number(text) }
    return number(String(text.dropFirst())).map { sign == "-" ? -$0 : $0 }
  }

  /// A duration in seconds: `2.5s`, `20ms`, `300us`.
  static func seconds(_ text: String) -> Double? {
    for (unit, scale) in [("ms", 1e-3), ("us", 1e-6), ("s", 1)] where text.hasSuffix(unit) {
      return number(String(text.dropLast(unit.count))).map { $0 * scale }
    }
    return nil
  }
}
