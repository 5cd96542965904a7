import Foundation

/// What rounding to whole codes does to Gaussian noise.
enum RoundedNoise {
  /// Sigma, in codes, of the noise that has sigma `rounded` once it is rounded to whole codes.
  ///
  /// The variance of round(a · n) is 2 Σ (2k − 1) Q((k − ½) / a) over k ≥ 1, with Q the upper tail of the normal
  /// distribution. From about 1 code on, it is a² + 1/12 (Sheppard, 1898).
  static func deviation(giving rounded: Double) -> Double {
    guard rounded > 0 else { return 0 }
    guard rounded < 1 else { return (rounded * rounded - 1.0 / 12).squareRoot() }
    var low = 0.0, high = 1.0
    for _ in 0..<50 {
      let middle = (low + high) / 2
      if variance(middle) < rounded * rounded { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }

  private static func variance(_ deviation: Double) -> Double {
    var sum = 0.0
    for k in 1...8 {
      let edge = (Double(k) - 0.5) / deviation
      sum += Double(2 * k - 1) * erfc(edge / 2.0.squareRoot())
    }
    return sum
  }
}
