public import Color
public import Frames

/// The arithmetic for applying a table: the narrowest that stays within one code of the reference.
public enum TablePath: String, Hashable, Sendable {
  /// Points of 16 bits and sums of 32: fast.
  case narrow
  /// Points of 32 bits and sums of 64, for tables with steep steps or large values; curves without a lattice always use
  /// it.
  case wide

  /// The path of `lut` between frames of `bitDepth` bits; of the colour descriptions, only range and matrix count.
  ///
  /// - Throws: code `input` for a table that cannot be applied to within one code.
  public init(
    of lut: LookupTable, interpolation: Interpolation = .tetrahedral, from: ColorDescription = .rec709,
    to: ColorDescription = .rec709, bitDepth: Int
  ) throws(CamrecError) {
    func side(_ color: ColorDescription) -> TableStage.Side {
      TableStage.Side(scale: CodeScale(range: color.range, bitDepth: bitDepth), matrix: color.matrix)
    }
    let stage = try TableStage(
      lut: lut, interpolation: interpolation, from: side(from), to: side(to), takesCells: false)
    self = stage.path
  }
}
