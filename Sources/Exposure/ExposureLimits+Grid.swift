public import Frames

extension ExposureLimits {
  /// The limits of a device that counts in units, rounded to the nearest nanosecond, so that a decision's time is
  /// nearest to the intended unit. Times beyond an hour are left out.
  ///
  /// Throws `usage` as `init(times:timeStep:gains:)`.
  public init(grid: ExposureGrid, gains: GainScale) throws(CamrecError) {
    func nanoseconds(_ units: Int64) -> Int64 {
      max(1, min(grid.unit.scaling(Rational(1_000_000_000 * units)), Self.longestTime))
    }
    let step = grid.unit.scaling(Rational(1_000_000_000_000).product(with: Rational(grid.step)) ?? Rational(.max))
    let shortest = nanoseconds(grid.minimum)
    try self.init(
      times: shortest...max(shortest, nanoseconds(grid.maximum)),
      timeStep: max(1, min(step, Self.longestTime * 1000)), gains: gains)
  }
}

extension ShutterAngle {
  /// Thousandths of a degree, rounded to nearest, at least 1: the unit of `ExposureConfiguration`.
  public var thousandths: Int { max(1, Int(degrees.scaling(1000))) }
}
