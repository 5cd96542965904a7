import Frames

extension Rational {
  /// Reads a decimal number without a sign, smaller than a thousand million: `180`, `172.8`, `0.3333333333333333`,
  /// `1e-05`. It is exact up to six digits after the point, and rounded to a millionth beyond.
  init?(decimal text: some StringProtocol) {
    let halves = text.split(separator: "e", omittingEmptySubsequences: false)
    // `Double` reads signs, hexadecimal numbers and words, too.
    guard halves.count <= 2, halves.dropFirst().allSatisfy({ $0.hasPrefix("-") }),
      let first = text.first, let last = text.last, first.isDecimalDigit, last.isDecimalDigit,
      text.allSatisfy({ $0.isDecimalDigit || ".e-".contains($0) }), let value = Double(String(text)), value < 1e9
    else { return nil }
    // Up to there a double is exact to a quarter of a millionth.
    self.init(Int64((value * 1e6).rounded()), 1_000_000)
  }
}

extension Character {
  fileprivate var isDecimalDigit: Bool { isASCII && isNumber }
}
