import Foundation

/// What blurred noise is multiplied by, in integers.
struct GrainAmplitudes {
  /// In 2^−`shift`.
  let values: [UInt16]
  let shift: Int

  /// - Parameters:
  ///   - lumas: the luma that each value is for, as a part of the signal.
  ///   - span: codes from black to white.
  ///   - step: what results are rounded to, in codes.
  init(_ settings: GrainKernel.Settings, blur: GrainBlur, lumas: [Double], span: Double, step: Double = 1) {
    // The greatest shift for which the greatest amplitude has 16 bits.
    let greatest = settings.deviation(luma: 1 - exp(-0.5)) * span
    let shift = greatest > 0 ? min(24, Int(log2(65535 * blur.deviation / greatest))) : 24
    self.shift = shift
    values = lumas.map { luma in
      let deviation = step * RoundedNoise.deviation(giving: settings.deviation(luma: luma) * span / step)
      return UInt16(min((deviation / blur.deviation * exp2(Double(shift))).rounded(), 65535))
    }
  }
}
