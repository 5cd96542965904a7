extension LookupTable {
  /// What a person wants to know about a table before using it. Title, hash and warnings are in the table itself.
  public struct Facts: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable {
      case curves = "1D"
      case lattice = "3D"
      case curvesAndLattice = "1D + 3D"
    }

    public let kind: Kind
    /// Points per curve.
    public let curveSize: Int?
    /// Points per side of the cube.
    public let latticeSize: Int?
    /// The input that the first stage covers, per channel.
    public let domainMin: SIMD3<Double>
    public let domainMax: SIMD3<Double>
    /// The least and the greatest sample of the last stage, per channel.
    public let minimum: SIMD3<Float>
    public let maximum: SIMD3<Float>
    /// The least neutral input at which a channel comes out darker than for a darker input.
    public let neutralsFallAt: Double?
    /// The greatest difference between the output channels for a neutral input.
    public let neutralSpread: Double

    /// Whether a brighter neutral never makes a channel darker.
    public var neutralsAreMonotonic: Bool { neutralsFallAt == nil }
  }

  /// Measured on the samples and, for neutrals, on a ramp through the tetrahedral interpolation with four steps between
  /// grid points, and at least 256 steps.
  public var facts: Facts {
    let samples = lattice?.samples ?? curves?.samples ?? []
    var minimum = SIMD3<Float>(repeating: .infinity)
    var maximum = SIMD3<Float>(repeating: -.infinity)
    for index in stride(from: 0, to: samples.count, by: 3) {
      let sample = SIMD3(samples[index], samples[index + 1], samples[index + 2])
      minimum.replace(with: sample, where: sample .< minimum)
      maximum.replace(with: sample, where: sample .> maximum)
    }
    let domain =
      curves.map { ($0.domainMin, $0.domainMax) } ?? lattice.map { ($0.domainMin, $0.domainMax) } ?? (.zero, .one)
    let neutrals = neutrals(from: domain.0.min(), to: domain.1.max())
    return Facts(
      kind: curves == nil ? .lattice : lattice == nil ? .curves : .curvesAndLattice,
      curveSize: curves?.size, latticeSize: lattice?.size, domainMin: domain.0, domainMax: domain.1,
      minimum: minimum, maximum: maximum, neutralsFallAt: neutrals.fallAt, neutralSpread: neutrals.spread)
  }

  private func neutrals(from low: Double, to high: Double) -> (fallAt: Double?, spread: Double) {
    let steps = max(256, 4 * ((curves?.size ?? 2) - 1), 4 * ((lattice?.size ?? 2) - 1))
    var fallAt: Double?
    var spread = 0.0
    var last = SIMD3<Double>(repeating: -.infinity)
    for step in 0...steps {
      let input = low + (high - low) * Double(step) / Double(steps)
      let value = evaluate(SIMD3(repeating: input), interpolation: .tetrahedral)
      // The tolerance covers the interpolation's own rounding.
      if fallAt == nil, (value .< last - 1e-9) != SIMDMask(repeating: false) { fallAt = input }
      spread = max(spread, value.max() - value.min())
      last = value
    }
    return (fallAt, spread)
  }
}
