import CKernels
import Color

/// Sums of 32 bits from 16-bit points, as in `lattice16_c.c` and its counterparts.
struct NarrowSums {
  /// Bits of a weight, and of the coordinates' fractions from which it is calculated.
  static let weightBits = Int(CK_NARROW_BITS)

  /// Fraction bits of the table's points; negative if their magnitude leaves none.
  let pointBits: Int
  private let scale: CodeScale

  /// - Parameter magnitude: the greatest absolute Y', Cb, Cr in codes.
  init(magnitude: SIMD3<Double>, scale: CodeScale) {
    // 31 bits hold four pixels' chroma and the offset's share.
    pointBits = FixedPoint.fractionBits(holding: magnitude.max(), within: 14, atMost: 13 - scale.bitDepth)
    self.scale = scale
  }

  /// The greatest error from the rounding of the points, in codes.
  var error: Double { FixedPoint.unit(pointBits + 1) }

  var output: ck_output {
    let shift = NarrowSums.weightBits + pointBits
    return ck_output(
      y_add: Int64(scale.lumaOffset << shift), y_shift: Int32(shift), chroma_drop: 0,
      chroma_add: Int32(scale.chromaOffset << (shift + 2)), chroma_shift: Int32(shift + 2),
      max_code: Int32(scale.maximum))
  }
}

/// Sums of 64 bits from 32-bit points, as in `wide_c.c` and its counterparts.
struct WideSums {
  /// Fraction bits of the table's points; negative if their magnitude leaves none.
  let pointBits: Int
  private let weightBits: Int
  private let chromaBits: Int
  private let scale: CodeScale

  /// - Parameter magnitude: the greatest absolute Y', Cb, Cr in codes.
  init(magnitude: SIMD3<Double>, weightBits: Int, scale: CodeScale) {
    pointBits = FixedPoint.fractionBits(holding: magnitude.max(), within: 30, atMost: 16)
    self.weightBits = weightBits
    self.scale = scale
    // Four pixels' chroma and the offset's share stay below 2³¹.
    let chroma = max(magnitude.y, magnitude.z) + Double(scale.chromaOffset)
    chromaBits = min(FixedPoint.fractionBits(holding: chroma, within: 29, atMost: 16), weightBits + pointBits)
  }

  /// The greatest error from the rounding of a point and the shortening of chroma sums, in codes.
  var error: Double { FixedPoint.unit(pointBits + 1) + FixedPoint.unit(chromaBits) }

  var output: ck_output {
    let shift = weightBits + pointBits
    return ck_output(
      y_add: Int64(scale.lumaOffset << shift), y_shift: Int32(shift),
      chroma_drop: Int32(shift - chromaBits),
      chroma_add: Int32(scale.chromaOffset << (chromaBits + 2)), chroma_shift: Int32(chromaBits + 2),
      max_code: Int32(scale.maximum))
  }
}
