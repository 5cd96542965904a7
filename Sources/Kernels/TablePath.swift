public import Color
public import Frames

/// The arithmetic that a table is applied in: the narrowest that keeps to the reference within one code.
public enum TablePath: String, Hashable, Sendable {
  /// Points of 16 bits and sums of 32: fast.
  case narrow
  /// Points of 32 bits and sums of 64, for tables that are steep or reach far; curves without a lattice always take it.
  case wide

  /// The path that `lut` takes between frames of `bitDepth` bits, Rec. 709 in limited range.
  ///
  /// - Throws: code `input` for a table that cannot be applied within one code.
  public init(of lut: LookupTable, interpolation: Interpolation = .tetrahedral, bitDepth: Int) throws(CamrecError) {
    let side = TableStage.Side(scale: CodeScale(range: .limited, bitDepth: bitDepth), matrix: .rec709)
    let stage = try TableStage(lut: lut, interpolation: interpolation, from: side, to: side, takesCells: false)
    self = stage.path
  }
}
