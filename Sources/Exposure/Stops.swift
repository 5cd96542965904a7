/// A difference in exposure in EV ("stops"), exact to 1/1024 EV.
///
/// Everything between a reading and a decision is calculated in these whole numbers, with operations that give the same
/// result on every machine, so that a recorded trace replays to the same bytes. 1/1024 EV is 0.07 % of light, far finer
/// than a gain or time step of any camera.
public struct Stops: Hashable, Sendable, Comparable, AdditiveArithmetic {
  /// 1/1024 EV.
  public let units: Int

  public static let unitsPerEV = 1024
  /// No scene, sensor or range spans more than ±64 EV; sums of a few of these cannot overflow.
  public static let limit = 64 * unitsPerEV
  public static let zero = Stops(units: 0)

  /// Clamped to ±`limit`.
  public init(units: Int) { self.units = Swift.max(-Stops.limit, Swift.min(units, Stops.limit)) }

  /// Rounded to nearest; a value that is not a number counts as 0.
  public init(_ ev: Double) {
    let scaled = (ev * Double(Stops.unitsPerEV)).rounded()
    self.init(units: scaled.isNaN ? 0 : Int(Swift.max(-1e6, Swift.min(scaled, 1e6))))
  }

  public var ev: Double { Double(units) / Double(Stops.unitsPerEV) }
  public var magnitude: Stops { Stops(units: abs(units)) }

  public func clamped(to range: ClosedRange<Stops>) -> Stops {
    Swift.max(range.lowerBound, Swift.min(self, range.upperBound))
  }

  public static func < (a: Stops, b: Stops) -> Bool { a.units < b.units }
  public static func + (a: Stops, b: Stops) -> Stops { Stops(units: a.units + b.units) }
  public static func - (a: Stops, b: Stops) -> Stops { Stops(units: a.units - b.units) }
  public static prefix func - (a: Stops) -> Stops { Stops(units: -a.units) }
}
