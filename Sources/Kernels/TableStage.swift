import CKernels
import Color
import Frames

/// The table operations of a bake with their memory, in the narrowest integers that are accurate enough.
///
/// For both widths, the table itself gives a bound for the error: 16-bit points with 32-bit sums are used if the bound
/// is at most half a code, else 32-bit points with 64-bit sums if it is below one. A rounded result is then at most one
/// code from the rounded exact one. A table for which neither holds is refused.
struct TableStage {
  private(set) var coordinates = ck_coordinates()
  private(set) var shaper: ck_shaper?
  private(set) var interpolation = CK_CURVES
  private(set) var table = ck_table()
  private(set) var result = ck_output()
  /// Keeps the memory of the operations alive.
  private(set) var memory: [any Sendable] = []
  private let takesCells: Bool
  var path: TablePath { interpolation == CK_TETRAHEDRAL_16 || interpolation == CK_TRILINEAR_16 ? .narrow : .wide }

  /// One side of the bake.
  struct Side {
    let scale: CodeScale
    let matrix: ColorMatrix
  }

  /// - Parameter takesCells: whether the kernels are faster with cells; cells are made if they are small enough to
  ///   help.
  /// - Throws: code `input` for a table that cannot be applied to within one code.
  init(
    lut: LookupTable, interpolation: Interpolation, from: Side, to: Side, takesCells: Bool
  ) throws(CamrecError) {
    self.takesCells = takesCells
    if let curves = lut.curves { try TableStage.check(curves.samples, curves.domainMin, curves.domainMax) }
    if let lattice = lut.lattice { try TableStage.check(lattice.samples, lattice.domainMin, lattice.domainMax) }
    let point = OutputPoint(matrix: to.matrix, scale: to.scale, videoRange: lut.outputIsVideoRange)
    if let lattice = lut.lattice {
      let points = LatticePoints(lattice: lattice, point: point)
      try prepare(points, lut: lut, interpolation: interpolation, from: from, scale: to.scale)
    } else if let curves = lut.curves {
      try prepare(CurvePoints(curves: curves, point: point), lut: lut, from: from, scale: to.scale)
    }
  }

  // MARK: A lattice, with or without curves before it

  private mutating func prepare(
    _ points: LatticePoints, lut: LookupTable, interpolation kind: Interpolation, from: Side, scale: CodeScale
  ) throws(CamrecError) {
    let lattice = points.lattice
    let first = CoordinateMap(first: lut, scale: from.scale, matrix: from.matrix)
    try TableStage.check(fractionBits: first.fractionBits)
    let curves = lut.curves.map {
      ShaperCurves($0, into: lattice, coordinateError: first.error(fractionBits: first.fractionBits))
    }
    /// The greatest error of a result, in addition to the rounding of the sums.
    func error(fractionBits: Int) -> Double {
      let one = first.error(fractionBits: fractionBits)
      return points.error(
        coordinates: curves?.errors(fractionBits: fractionBits) ?? [one, one, one],
        weight: FixedPoint.unit(fractionBits + 1), interpolation: kind)
    }

    var bits = curves?.fractionBits ?? first.fractionBits
    try TableStage.check(fractionBits: bits)
    let narrow = NarrowSums(magnitude: points.magnitude, scale: scale)
    if bits >= NarrowSums.weightBits, narrow.pointBits >= 0,
      narrow.error + error(fractionBits: NarrowSums.weightBits) <= 0.5
    {
      bits = NarrowSums.weightBits
      hold(points.memory(of: Int16.self, fractionBits: narrow.pointBits))
      result = narrow.output
      interpolation = kind == .tetrahedral ? CK_TETRAHEDRAL_16 : CK_TRILINEAR_16
      if takesCells && lattice.size <= TableStage.largestInCells { holdCells(of: table.points, size: lattice.size) }
    } else {
      let wide = WideSums(magnitude: points.magnitude, weightBits: bits, scale: scale)
      try TableStage.check(wide.error + error(fractionBits: bits), wide)
      hold(points.memory(of: Int32.self, fractionBits: wide.pointBits))
      result = wide.output
      interpolation = kind == .tetrahedral ? CK_TETRAHEDRAL_32 : CK_TRILINEAR_32
    }
    table.size = Int32(lattice.size)
    table.fraction_bits = Int32(bits)
    if let curves {
      coordinates = first.operation(fractionBits: first.fractionBits)
      shaper = curves.operation(inputBits: first.fractionBits, fractionBits: bits)
      memory.append(curves.memory)
    } else {
      coordinates = first.operation(fractionBits: bits)
    }
  }

  private mutating func hold<Element>(_ points: TableMemory<Element>) {
    memory.append(points)
    table.points = UnsafeRawPointer(points.address)
  }

  /// The cells of a lattice of 65 points per side take 17 MiB; with 256 points they would take a gigabyte.
  private static let largestInCells = 65

  private mutating func holdCells(of points: UnsafeRawPointer, size: Int) {
    let perCell = 32
    let cells = TableMemory<Int16>(count: perCell * ck_cell_count(Int32(size))) { elements in
      ck_fill_cells(points.assumingMemoryBound(to: Int16.self), Int32(size), elements.baseAddress)
    }
    memory.append(cells)
    table.cells = cells.address
  }

  // MARK: Curves alone

  private mutating func prepare(
    _ points: CurvePoints, lut: LookupTable, from: Side, scale: CodeScale
  ) throws(CamrecError) {
    let first = CoordinateMap(first: lut, scale: from.scale, matrix: from.matrix)
    let bits = first.fractionBits
    try TableStage.check(fractionBits: bits)
    let sums = WideSums(magnitude: points.magnitude, weightBits: bits, scale: scale)
    // Three points are rounded, one for each channel.
    try TableStage.check(3 * sums.error + points.steps.max() * first.error(fractionBits: bits), sums)
    hold(points.memory(fractionBits: sums.pointBits))
    coordinates = first.operation(fractionBits: bits)
    table.size = Int32(points.curves.size)
    table.fraction_bits = Int32(bits)
    result = sums.output
    interpolation = CK_CURVES
  }

  // MARK: Checks

  private static func check(
    _ samples: [Float], _ low: SIMD3<Double>, _ high: SIMD3<Double>
  ) throws(CamrecError) {
    guard samples.allSatisfy({ $0.isFinite }) else {
      throw CamrecError(.input, "the LUT has a value that is not a finite number; repair or re-export it")
    }
    for channel in 0..<3 {
      let width = high[channel] - low[channel]
      guard width.isFinite, width > 0 else {
        throw CamrecError(
          .input, "the LUT's domain runs from \(low[channel]) to \(high[channel]) in "
            + "\(["red", "green", "blue"][channel]); its end must lie above its start")
      }
      // So that a division by it stays finite.
      guard width > 1e-100 else { throw unbakeable }
    }
  }

  private static func check(_ error: Double, _ sums: WideSums) throws(CamrecError) {
    guard error < 1, sums.pointBits >= 0 else { throw unbakeable }
  }

  /// Coordinates in a very narrow domain have no fraction bits left. The error bound does not show that if all samples
  /// are equal.
  private static func check(fractionBits: Int) throws(CamrecError) {
    guard fractionBits >= 0 else { throw unbakeable }
  }

  private static let unbakeable = CamrecError(
    .input,
    "the LUT cannot be applied to within one code value: its values differ too much, or its DOMAIN is too narrow; "
      + "export it again with ordinary values (0 is black, 1 is white)")
}

extension CoordinateMap {
  /// Maps to the grid of the first table.
  init(first lut: LookupTable, scale: CodeScale, matrix: ColorMatrix) {
    let size = lut.curves?.size ?? lut.lattice?.size ?? 2
    self.init(
      scale: scale, matrix: matrix, videoRange: lut.inputIsVideoRange, size: size,
      domainMin: lut.curves?.domainMin ?? lut.lattice?.domainMin ?? .zero,
      domainMax: lut.curves?.domainMax ?? lut.lattice?.domainMax ?? .one)
  }
}
