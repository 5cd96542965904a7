/// How the bake rounds a result between two codes when it reduces the bit depth.
public enum Dither: String, Hashable, Sendable, Codable, CaseIterable {
  /// To the nearest code.
  case none
  /// Up or down by a fixed pattern of 8×8 thresholds, so that an area keeps its mean (B. E. Bayer, "An optimum method
  /// for two-level rendition of continuous-tone pictures", IEEE ICC, 1973).
  case ordered

  /// The fraction of a code, in 1/128, that is added before the fraction bits are dropped, for the sample at column `x`
  /// and row `y` of its own component: 64, one half, without a pattern; else the odd numbers 1…127, each once.
  public func threshold(x: Int, y: Int) -> Int {
    guard self == .ordered else { return 64 }
    // The lowest bits of the coordinates become the highest bits of the rank.
    let rank = (0..<3).reduce(0) { rank, bit in
      let column = x >> bit & 1, row = y >> bit & 1
      return rank << 2 | (column ^ row) << 1 | row
    }
    return 2 * rank + 1
  }
}
