/// A monotone cubic through points, on one channel of encoded Display P3.
///
/// The tangent of an inner point is the weighted harmonic mean of the slopes on both sides (F. N. Fritsch and J.
/// Butland, "A method for constructing local monotone piecewise cubic interpolants", SIAM Journal on Scientific and
/// Statistical Computing 5, 1984); the tangents at the ends are the slopes of the first and the last interval. No
/// tangent is more than three times a slope beside it, which is sufficient for a rising curve (F. N. Fritsch and R.
/// E. Carlson, "Monotone piecewise cubic interpolation", SIAM Journal on Numerical Analysis 17, 1980).
public struct ToneCurve: Hashable, Sendable {
  public struct Point: Hashable, Sendable {
    /// The signal before the curve, 0…1.
    public let x: Double
    /// The signal after it, 0…1.
    public let y: Double

    public init(_ x: Double, _ y: Double) {
      self.x = x
      self.y = y
    }
  }

  /// Rising in both coordinates, from x = 0 to x = 1.
  public let points: [Point]
  private let tangents: [Double]

  /// How many points a curve may have.
  public static let counts = 2...32

  /// `nil` unless there are 2 to 32 points from x = 0 to x = 1 that rise in both coordinates, with y in 0…1.
  public init?(_ points: [Point]) {
    guard Self.counts.contains(points.count), points.first?.x == 0, points.last?.x == 1,
      zip(points, points.dropFirst()).allSatisfy({ $0.x < $1.x && $0.y < $1.y }),
      points.allSatisfy({ (0...1).contains($0.y) })
    else { return nil }
    self.points = points
    let widths = zip(points, points.dropFirst()).map { $1.x - $0.x }
    let slopes = zip(points, points.dropFirst()).map { ($1.y - $0.y) / ($1.x - $0.x) }
    let inner = slopes.indices.dropFirst().map { index in
      let before = 2 * widths[index] + widths[index - 1], after = widths[index] + 2 * widths[index - 1]
      return (before + after) / (before / slopes[index - 1] + after / slopes[index])
    }
    tangents = [slopes[0]] + inner + [slopes[slopes.count - 1]]
  }

  /// The curve's value, which at a point is exactly its y. Inputs outside 0…1 give the value at the nearer end.
  public func value(at x: Double) -> Double {
    let x = min(max(x, 0), 1)
    var index = points.count - 2
    while points[index].x > x { index -= 1 }
    let low = points[index], high = points[index + 1]
    let width = high.x - low.x, t = (x - low.x) / width, rest = 1 - t
    let ends = (1 + 2 * t) * rest * rest * low.y + t * t * (3 - 2 * t) * high.y
    return ends + width * t * rest * (rest * tangents[index] - t * tangents[index + 1])
  }

  /// Each channel by itself.
  public func value(at color: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(value(at: color.x), value(at: color.y), value(at: color.z))
  }
}
