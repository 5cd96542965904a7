import CKernels
import Color

/// The constants of a prepared kernel, in plain integers, for another processor that runs the same operations. The
/// structures are those of `CKernels.h`, which explains each number.
public struct BakeConstants: Hashable, Sendable {
  /// The position of one component's samples: the plane, the first sample's byte in a row, bytes from sample to sample.
  public struct Component: Hashable, Sendable {
    public let plane: Int, offset: Int, step: Int
  }

  public struct Layout: Hashable, Sendable {
    public let y: Component, cb: Component, cr: Component
    public let sampleBytes: Int, shift: Int, chromaRows: Int, maximum: Int
  }

  public struct Rescale: Hashable, Sendable {
    public let mul: UInt32, add: UInt64
  }

  public struct Matrix: Hashable, Sendable {
    /// Weights of Y', Cb and Cr, and the addend.
    public let y: [Int32]
    /// Weights of Cb and Cr, and the addend.
    public let cb: [Int32], cr: [Int32]
  }

  /// Coefficients for red, green and blue.
  public struct Coordinates: Hashable, Sendable {
    public let y: [Int64], cb: [Int64], cr: [Int64], add: [Int64]
    public let maximum: Int32
  }

  public struct Shaper: Hashable, Sendable {
    public let fractionBits: Int32, drop: Int32, maximum: Int32
    public let pointsPerCurve: Int
  }

  public enum Interpolation: Hashable, Sendable, CaseIterable {
    case tetrahedral16, trilinear16, tetrahedral32, trilinear32, curves
  }

  public struct Table: Hashable, Sendable {
    public let coordinates: Coordinates
    public let shaper: Shaper?
    public let interpolation: Interpolation
    public let size: Int32, fractionBits: Int32
    public let yAdd: Int64, yShift: Int32
    public let chromaDrop: Int32, chromaAdd: Int32, chromaShift: Int32
    /// Bytes of the points, including the margin.
    public let byteCount: Int
  }

  public enum Operation: Hashable, Sendable {
    /// Only the layout changes.
    case keep
    case rescale(luma: Rescale, chroma: Rescale)
    case matrix(Matrix)
    case table(Table)
  }

  public let input: Layout, output: Layout
  public let operation: Operation
  /// Results are rounded with `Dither.ordered` instead of to the nearest.
  public let isDithered: Bool

  /// Extra fraction bits of the coefficients, compared with the coordinates.
  public static let coordinateShift = Int64(CK_COORDINATE_SHIFT)
}

extension BakeKernel {
  public var constants: BakeConstants {
    withPrepared { bake in
      BakeConstants(
        input: BakeConstants.Layout(bake.input), output: BakeConstants.Layout(bake.output), operation: operation(bake),
        isDithered: dither == .ordered)
    }
  }

  /// The table's points as they are in memory: four int16 or int32 each. Empty without a table.
  public func withTablePoints<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    guard case .table(let table) = constants.operation else {
      return try body(UnsafeRawBufferPointer(start: nil, count: 0))
    }
    return try withPrepared { try body(UnsafeRawBufferPointer(start: $0.table.points, count: table.byteCount)) }
  }

  /// The points of the curves before a lattice, int32: red, then green, then blue. Empty without curves.
  public func withShaperPoints<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    try withPrepared { bake in
      guard bake.operation == CK_TABLE, bake.has_shaper != 0 else {
        return try body(UnsafeRawBufferPointer(start: nil, count: 0))
      }
      let points = BakeConstants.Shaper(bake.shaper).pointsPerCurve
      return try body(UnsafeRawBufferPointer(start: bake.shaper.points.0, count: 3 * 4 * points))
    }
  }

  private func operation(_ bake: ck_bake) -> BakeConstants.Operation {
    switch bake.operation {
    case CK_MATRIX: return .matrix(BakeConstants.Matrix(bake.matrix))
    case CK_TABLE: return .table(BakeConstants.Table(bake))
    default:
      if bake.keeps_codes != 0 { return .keep }
      return .rescale(
        luma: .init(mul: bake.luma.mul, add: bake.luma.add), chroma: .init(mul: bake.chroma.mul, add: bake.chroma.add))
    }
  }
}

extension BakeConstants.Layout {
  fileprivate init(_ layout: ck_layout) {
    func component(_ component: ck_component) -> BakeConstants.Component {
      .init(plane: Int(component.plane), offset: Int(component.offset), step: Int(component.step))
    }
    self.init(
      y: component(layout.y), cb: component(layout.cb), cr: component(layout.cr), sampleBytes: Int(layout.sample_bytes),
      shift: Int(layout.shift), chromaRows: Int(layout.chroma_rows), maximum: Int(layout.max_code))
  }
}

extension BakeConstants.Matrix {
  fileprivate init(_ matrix: ck_matrix) {
    self.init(
      y: [matrix.y.0, matrix.y.1, matrix.y.2, matrix.y_add], cb: [matrix.cb.0, matrix.cb.1, matrix.cb_add],
      cr: [matrix.cr.0, matrix.cr.1, matrix.cr_add])
  }
}

extension BakeConstants.Shaper {
  fileprivate init(_ shaper: ck_shaper) {
    let points = shaper.points.0.flatMap { first in shaper.points.1.map { $0 - first } } ?? 0
    self.init(fractionBits: shaper.fraction_bits, drop: shaper.drop, maximum: shaper.max, pointsPerCurve: points)
  }
}

extension BakeConstants.Table {
  fileprivate init(_ bake: ck_bake) {
    let map = bake.coordinates, size = Int(bake.table.size)
    let kind: BakeConstants.Interpolation =
      switch bake.interpolation {
      case CK_TETRAHEDRAL_16: .tetrahedral16
      case CK_TRILINEAR_16: .trilinear16
      case CK_TETRAHEDRAL_32: .tetrahedral32
      case CK_TRILINEAR_32: .trilinear32
      default: .curves
      }
    let points = kind == .curves ? 3 * (size + 1) : size * size * size + size * size + size + 1
    self.init(
      coordinates: .init(
        y: [map.y.0, map.y.1, map.y.2], cb: [map.cb.0, map.cb.1, map.cb.2], cr: [map.cr.0, map.cr.1, map.cr.2],
        add: [map.add.0, map.add.1, map.add.2], maximum: map.max),
      shaper: bake.has_shaper != 0 ? .init(bake.shaper) : nil, interpolation: kind, size: bake.table.size,
      fractionBits: bake.table.fraction_bits, yAdd: bake.result.y_add, yShift: bake.result.y_shift,
      chromaDrop: bake.result.chroma_drop, chromaAdd: bake.result.chroma_add, chromaShift: bake.result.chroma_shift,
      byteCount: points * (kind == .tetrahedral16 || kind == .trilinear16 ? 8 : 16))
  }
}
