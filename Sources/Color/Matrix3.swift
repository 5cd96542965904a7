/// A 3×3 matrix of doubles that multiplies column vectors.
public struct Matrix3: Hashable, Sendable {
  /// The rows, from the top.
  public let rows: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)

  public init(rows first: SIMD3<Double>, _ second: SIMD3<Double>, _ third: SIMD3<Double>) {
    rows = (first, second, third)
  }

  public init(diagonal: SIMD3<Double>) {
    self.init(rows: [diagonal.x, 0, 0], [0, diagonal.y, 0], [0, 0, diagonal.z])
  }

  public static let identity = Matrix3(diagonal: .one)

  public var transposed: Matrix3 {
    Matrix3(
      rows: [rows.0.x, rows.1.x, rows.2.x], [rows.0.y, rows.1.y, rows.2.y], [rows.0.z, rows.1.z, rows.2.z])
  }

  /// By cofactors. The matrix must not be singular: the matrices of colour spaces never are.
  public var inverse: Matrix3 {
    let cross0 = Self.cross(rows.1, rows.2)
    let cross1 = Self.cross(rows.2, rows.0)
    let cross2 = Self.cross(rows.0, rows.1)
    let determinant = (rows.0 * cross0).sum()
    precondition(determinant != 0, "a singular matrix has no inverse")
    return Matrix3(rows: cross0 / determinant, cross1 / determinant, cross2 / determinant).transposed
  }

  public static func * (matrix: Matrix3, vector: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3((matrix.rows.0 * vector).sum(), (matrix.rows.1 * vector).sum(), (matrix.rows.2 * vector).sum())
  }

  /// First `right`, then `left`.
  public static func * (left: Matrix3, right: Matrix3) -> Matrix3 {
    let columns = right.transposed.rows
    return Matrix3(rows: left * columns.0, left * columns.1, left * columns.2).transposed
  }

  public static func == (left: Matrix3, right: Matrix3) -> Bool { left.rows == right.rows }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(rows.0)
    hasher.combine(rows.1)
    hasher.combine(rows.2)
  }

  private static func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
  }
}
