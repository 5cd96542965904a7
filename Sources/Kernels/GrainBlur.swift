import CKernels
import Foundation

/// The Gaussian that blurs the grain's noise, along rows and then along columns, in integers.
struct GrainBlur {
  /// From the middle on, in 2^−15. With those on the other side they add up to at most 32767.
  let weights: [Int16]
  /// Sigma of the blurred noise.
  let deviation: Double

  /// Sigma of the noise before the blur: 256 values at equal distances of 128.
  private static let white = 128 * ((256.0 * 256 - 1) / 12).squareRoot()

  /// - Parameter sigma: in pixels, 1…20.
  init(sigma: Double) {
    precondition((1...20).contains(sigma), "a blur of 1 to 20 pixels")
    let radius = Int((3 * sigma).rounded(.up)), unit = exp2(Double(CK_GRAIN_BITS))
    let curve = (0...radius).map { exp(-0.5 * (Double($0) / sigma) * (Double($0) / sigma)) }
    let sum = 2 * curve.reduce(0, +) - curve[0]
    weights = curve.map { Int16($0 / sum * (unit - 1)) }
    let parts = weights.map { Double($0) / unit * (Double($0) / unit) }
    deviation = GrainBlur.white * (2 * parts.reduce(0, +) - parts[0])
  }
}
