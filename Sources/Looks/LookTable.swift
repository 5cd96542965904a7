public import Color
public import Frames

/// A look as one LUT: everything but its grain.
public struct LookTable: Sendable {
  /// How far the LUT is from the look, in code values of 8 bits. Values are held within 0…1 before they are compared,
  /// as they are in a picture.
  public struct Deviation: Hashable, Sendable {
    /// The greatest difference of a channel.
    public let greatest: Double
    /// The mean difference of all channels.
    public let mean: Double
    /// How many colours were measured.
    public let count: Int
  }

  public let chain: LookChain
  /// One lattice for inputs from 0 to 1.
  public let table: LookupTable

  /// Points per side that such a LUT may have.
  public static let sizes = [33, 65]

  /// Samples the chain.
  ///
  /// - Parameters:
  ///   - title: the LUT's title.
  ///   - size: points per side: one of `sizes`.
  ///   - reached: called with the number of points made so far.
  /// - Throws: code `usage` for any other size.
  public init(
    _ chain: LookChain, title: String, size: Int, reached: (Int) -> Void = { _ in }
  ) throws(CamrecError) {
    guard Self.sizes.contains(size) else {
      throw CamrecError(.usage, "a look's LUT has 33 or 65 points per side, not \(size)")
    }
    self.chain = chain
    table = try LookupTable.sampled(size: size, title: title, reached: reached, chain.signal(for:))
  }

  /// Compares the LUT with the chain at colours spread evenly over the input.
  ///
  /// - Parameter count: how many colours.
  public func deviation(count: Int = 32_768) -> Deviation {
    var greatest = 0.0, sum = SIMD3<Double>.zero
    for index in 1...count {
      let color = LookupTable.spread(index)
      let found = Self.held(table.evaluate(color, interpolation: .tetrahedral))
      let difference = found - Self.held(chain.signal(for: color))
      let size = SIMD3(difference.x.magnitude, difference.y.magnitude, difference.z.magnitude)
      greatest = max(greatest, size.max())
      sum += size
    }
    return Deviation(greatest: 255 * greatest, mean: 255 * sum.sum() / Double(3 * count), count: count)
  }

  private static func held(_ value: SIMD3<Double>) -> SIMD3<Double> {
    value.clamped(lowerBound: .zero, upperBound: .one)
  }
}
