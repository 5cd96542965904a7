import Frames

extension Rational {
  /// Reads a decimal number exactly, without a sign: `180`, `172.8`, `0.3`. At most nine digits before the point and
  /// six after it.
  init?(decimal text: some StringProtocol) {
    let halves = text.split(separator: ".", omittingEmptySubsequences: false)
    guard halves.count <= 2, halves.allSatisfy({ !$0.isEmpty && $0.allSatisfy { $0.isASCII && $0.isNumber } }),
      halves[0].count <= 9, let whole = Int64(halves[0])
    else { return nil }
    guard halves.count == 2 else {
      self.init(whole)
      return
    }
    guard halves[1].count <= 6, let fraction = Int64(halves[1]) else { return nil }
    let scale = halves[1].reduce(Int64(1)) { power, _ in power * 10 }
    self.init(whole * scale + fraction, scale)
  }
}
