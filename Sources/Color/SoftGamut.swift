import Foundation

/// A soft lower limit for the channels of linear light: in place of a channel below zero, and of the hard clip there, a
/// channel fades towards zero. It moves colours beyond the edge of a gamut inside, and those with a channel below a
/// threshold; all others stay.
///
/// Its form is that of the Reference Gamut Compression of ACES 1.3 (Academy of Motion Picture Arts and Sciences, 2021):
/// each channel has a distance from the achromatic value, in units of that value; up to a threshold the distance stays,
/// and beyond it comes out smaller, never above 1. Two parts are others here, so that a LUT of 65 points, which is
/// linear between them, can follow an encoded channel:
///
/// - The achromatic value is n = Σ cᵢ⁵ / Σ cᵢ⁴ of the channels above zero. ACES has the strongest channel, which turns
///   abruptly where two are equally strong. For neutrals, and for equal channels beside zero, both are the same.
/// - A share s = c / n below the threshold t becomes t · exp(−h), with x = 1 − s / t and h = x + x² / 2 up to x = 0.5,
///   h = 1.5 · x − 0.125 beyond. Value, slope and curvature at t are those of s itself. ACES has a power, which reaches
///   zero at a given distance, where the root in a display's curve is steepest.
public struct SoftGamut: Sendable {
  /// The share below which a channel is lifted.
  let threshold: Double

  /// From here on the logarithm of a share is straight.
  private static let turn = 0.5

  /// - Parameter threshold: a part of the achromatic value, above 0 and below 1.
  public init(threshold: Double) {
    self.threshold = threshold
  }

  /// The light with each channel at 0 or above. Light without a channel above zero becomes black.
  public func lifted(_ light: SIMD3<Double>) -> SIMD3<Double> {
    let strong = light.clamped(lowerBound: .zero, upperBound: SIMD3(repeating: .infinity))
    let squares = strong * strong, fourths = squares * squares
    let weight = fourths.sum()
    guard weight > 0 else { return .zero }
    let achromatic = (fourths * strong).sum() / weight
    let shares = light / achromatic
    return achromatic * SIMD3(share(for: shares.x), share(for: shares.y), share(for: shares.z))
  }

  /// The light in 0…1: lifted, and darkened as a whole if a channel is above 1. That keeps its chromaticity.
  public func held(_ light: SIMD3<Double>) -> SIMD3<Double> {
    let lifted = lifted(light)
    return lifted / max(lifted.max(), 1)
  }

  private func share(for share: Double) -> Double {
    let depth = 1 - share / threshold, turn = Self.turn
    guard depth > 0 else { return share }
    let fall = depth < turn ? depth + depth * depth / 2 : (1 + turn) * depth - turn * turn / 2
    return threshold * exp(-fall)
  }
}
