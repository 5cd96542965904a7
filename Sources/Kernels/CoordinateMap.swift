import CKernels
import Color
import Frames

/// Maps codes to the grid of the first table, in fixed point.
struct CoordinateMap {
  /// The most fraction bits that fit into 31 bits with the largest value that any codes can give.
  let fractionBits: Int
  private let gains: [Gains]
  private let chromaOffset: Int
  private let size: Int

  private struct Gains {
    let y: Double, cb: Double, cr: Double, constant: Double
  }

  init(
    scale: CodeScale, matrix: ColorMatrix, videoRange: Bool, size: Int, domainMin: SIMD3<Double>,
    domainMax: SIMD3<Double>
  ) {
    let gain = videoRange ? LookupTable.VideoRange.span / LookupTable.VideoRange.white : 1
    let offset = videoRange ? LookupTable.VideoRange.black / LookupTable.VideoRange.white : 0
    let blue = matrix.rgb(luma: 0, cb: 1, cr: 0), red = matrix.rgb(luma: 0, cb: 0, cr: 1)
    gains = (0..<3).map { channel in
      let perUnit = Double(size - 1) / (domainMax[channel] - domainMin[channel])
      let slope = gain * perUnit
      return Gains(
        y: slope / Double(scale.lumaSpan), cb: slope * blue[channel] / Double(scale.chromaSpan),
        cr: slope * red[channel] / Double(scale.chromaSpan),
        constant: (offset - domainMin[channel]) * perUnit - slope * Double(scale.lumaOffset) / Double(scale.lumaSpan))
    }
    self.size = size
    chromaOffset = scale.chromaOffset
    let farthest = gains.map {
      $0.y.magnitude * Double(scale.maximum) + ($0.cb.magnitude + $0.cr.magnitude) * Double(scale.chromaOffset)
        + $0.constant.magnitude
    }
    fractionBits = FixedPoint.fractionBits(holding: max(farthest.max()!, Double(size - 1)), within: 30, atMost: 24)
  }

  /// The greatest error of a coordinate with this many fraction bits, in grid steps: from its own rounding and that of
  /// its coefficients (2⁻¹⁶ of the last bit each, times codes that sum to less than 2¹¹).
  func error(fractionBits: Int) -> Double { FixedPoint.unit(fractionBits) * (0.5 + 1 / 32) }

  /// - Parameter fractionBits: of the coordinates; at most this map's `fractionBits`.
  func operation(fractionBits: Int) -> ck_coordinates {
    let shift = Int(CK_COORDINATE_SHIFT)
    let scale = 1 / FixedPoint.unit(fractionBits + shift)
    func fixed(_ value: Double) -> Int64 { Int64((value * scale).rounded()) }
    let half: Int64 = 1 << (shift - 1)
    let y = gains.map { fixed($0.y) }, cb = gains.map { fixed($0.cb) }, cr = gains.map { fixed($0.cr) }
    // The chroma offset is subtracted in integers, so that a grey has the same coordinate in each channel.
    let add = (0..<3).map { fixed(gains[$0].constant) + half - (cb[$0] + cr[$0]) * Int64(chromaOffset) }
    var map = ck_coordinates()
    map.y = (y[0], y[1], y[2])
    map.cb = (cb[0], cb[1], cb[2])
    map.cr = (cr[0], cr[1], cr[2])
    map.add = (add[0], add[1], add[2])
    map.max = Int32((size - 1) << fractionBits)
    return map
  }
}

/// Fraction bits of fixed-point numbers.
enum FixedPoint {
  /// The most fraction bits with which `magnitude` stays below 2 to the power of `bits`; may be negative.
  static func fractionBits(holding magnitude: Double, within bits: Int, atMost most: Int) -> Int {
    guard magnitude > 0 else { return most }
    return min(most, bits - 1 - Int(magnitude.exponent))
  }

  /// 2 to the power of −`bits`.
  static func unit(_ bits: Int) -> Double { Double(sign: .plus, exponent: -bits, significand: 1) }
}
