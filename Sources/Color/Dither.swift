/// How a result between two codes is rounded where the bake makes fewer bits of more.
public enum Dither: String, Hashable, Sendable, CaseIterable {
  /// To the nearest code.
  case none
  /// Up or down by a fixed pattern of 8×8 thresholds, so that an area keeps the mean of what it was (B. E. Bayer, "An
  /// optimum method for two-level rendition of continuous-tone pictures", IEEE ICC, 1973).
  case ordered

  /// The share of a code, in 1/128, that is added before what is below the point is dropped, for the sample at column
  /// `x` and row `y` of its own component: 64, one half, without a pattern; else the odd numbers 1…127, each once.
  public func threshold(x: Int, y: Int) -> Int {
    guard self == .ordered else { return 64 }
    // Bits of the coordinates, the lowest ones first, become bits of the rank, the highest ones first.
    let rank = (0..<3).reduce(0) { rank, bit in
      let column = x >> bit & 1, row = y >> bit & 1
      return rank << 2 | (column ^ row) << 1 | row
    }
    return 2 * rank + 1
  }
}
