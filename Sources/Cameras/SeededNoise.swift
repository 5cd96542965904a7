import Foundation

/// Noise that depends only on a seed and a position: the same on every machine, in any order, on any thread.
enum SeededNoise {
  /// 64 well-mixed bits of a key and a counter: the output function of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
  @inline(__always) static func hash(_ key: UInt64, _ counter: UInt64) -> UInt64 {
    var z = key &+ (counter &+ 1) &* 0x9E37_79B9_7F4A_7C15
    z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
    return z ^ z >> 31
  }

  /// A number from 0 up to 1.
  @inline(__always) static func uniform(_ key: UInt64, _ counter: UInt64) -> Float {
    Float(hash(key, counter) >> 40) * 0x1p-24
  }

  /// Standard normal values, indexed by 12 uniform bits: the middles of 4096 slices of equal probability.
  static let gaussian: [Float] = (0..<4096).map { Float(quantile((Double($0) + 0.5) / 4096)) }

  /// The inverse of the standard normal distribution function, by bisection of `erfc`.
  private static func quantile(_ probability: Double) -> Double {
    var (low, high) = (-6.0, 6.0)
    for _ in 0..<48 {
      let middle = (low + high) / 2
      if 0.5 * erfc(-middle / 2.0.squareRoot()) < probability { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }
}
