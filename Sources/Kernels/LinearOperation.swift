import CKernels
import Color
import Frames

/// Makes the integer operations of a bake without a table.
enum LinearOperation {
  /// Converts codes of one scale to codes of another, exactly: for each sum of two codes, the rational result, which
  /// the kernels round half up. With another threshold than a half, as in dithering, a result within 2047·2⁻²⁴ of a
  /// code (a ten-thousandth) below the threshold may cross it.
  ///
  /// With p/d the ratio of the spans over two, the exact result is ⌊(p·sum + q) / d⌋. Rounding p/d and q/d up to 2⁻²⁴
  /// adds less than 2047·2⁻²⁴, which is below 1/d, so that no result crosses a whole number.
  static func rescale(from: (offset: Int, span: Int), to: (offset: Int, span: Int), maximum: Int) -> ck_rescale {
    let one = 1 << CK_RESCALE_SHIFT
    let d = 2 * from.span
    let q = d * (to.offset + CK_RESCALE_BIAS) - 2 * from.offset * to.span
    func scaled(_ n: Int) -> Int { (n * one + d - 1) / d }
    return ck_rescale(mul: UInt32(scaled(to.span)), add: UInt64(scaled(q)), max_code: Int32(maximum))
  }

  /// Converts Y'CbCr of one matrix and scale to Y'CbCr of another, via R'G'B' that is never clamped.
  static func matrix(from: CodeScale, _ fromMatrix: ColorMatrix, to: CodeScale, _ toMatrix: ColorMatrix) -> ck_matrix {
    let shift = CK_MATRIX_SHIFT
    let one = Double(1 << shift)
    /// The contribution of one code of Cb or Cr, in output codes.
    func column(cb: Double, cr: Double) -> SIMD3<Double> {
      let made = toMatrix.yCbCr(fromMatrix.rgb(luma: 0, cb: cb, cr: cr)) / Double(from.chromaSpan)
      return made * SIMD3(Double(to.lumaSpan), Double(to.chromaSpan), Double(to.chromaSpan))
    }
    func fixed(_ value: Double) -> Int { Int((value * one).rounded()) }
    let blue = column(cb: 1, cr: 0), red = column(cb: 0, cr: 1)

    let y = [fixed(Double(to.lumaSpan) / Double(from.lumaSpan)), fixed(blue.x), fixed(red.x)]
    let yCenter = y[0] * from.lumaOffset + (y[1] + y[2]) * from.chromaOffset
    let yAdd = (to.lumaOffset << shift) - yCenter
    let cb = [fixed(blue.y / 2), fixed(red.y / 2)], cr = [fixed(blue.z / 2), fixed(red.z / 2)]
    func add(_ weights: [Int]) -> Int32 {
      let center = 2 * from.chromaOffset * (weights[0] + weights[1])
      return Int32((to.chromaOffset << shift) - center)
    }
    var result = ck_matrix()
    result.y = (Int32(y[0]), Int32(y[1]), Int32(y[2]))
    result.y_add = Int32(yAdd)
    result.cb = (Int32(cb[0]), Int32(cb[1]))
    result.cb_add = add(cb)
    result.cr = (Int32(cr[0]), Int32(cr[1]))
    result.cr_add = add(cr)
    result.max_code = Int32(to.maximum)
    return result
  }
}
