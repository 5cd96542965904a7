public import Frames

extension Stops {
  /// The largest exposure offset, brighter or darker, in EV.
  public static let biasLimit = 16

  /// Reads an exposure offset in EV: `0.5`, `+1/3`, `-1 2/3`.
  ///
  /// - Throws: code `usage` if it is not a number, or beyond ±16 EV.
  public init(parsingBias text: String) throws(CamrecError) {
    guard let ev = Stops.number(text), abs(ev) <= Double(Stops.biasLimit) else {
      throw CamrecError(
        .usage,
        "an exposure offset is -\(Stops.biasLimit) to \(Stops.biasLimit) EV, as in 0.5 or +1/3; this is '\(text)'")
    }
    self.init(ev)
  }

  private static func number(_ text: String) -> Double? {
    let isSigned = text.hasPrefix("+") || text.hasPrefix("-")
    let parts = (isSigned ? text.dropFirst() : text[...]).split(separator: " ", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), let last = parts.last else { return nil }
    let isMixed = parts.count == 2
    guard let whole = isMixed ? Rational(decimal: parts[0])?.doubleValue : 0,
      let rest = isMixed || last.contains("/") ? fraction(last) : Rational(decimal: last)?.doubleValue
    else { return nil }
    return text.hasPrefix("-") ? -(whole + rest) : whole + rest
  }

  /// `1/3`.
  private static func fraction(_ text: Substring) -> Double? {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let above = Rational(decimal: parts[0]), let below = Rational(decimal: parts[1]),
      below > Rational(0)
    else { return nil }
    return above.doubleValue / below.doubleValue
  }
}
