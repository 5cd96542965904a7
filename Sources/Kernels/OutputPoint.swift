import Color
import Frames

/// Turns a table's R'G'B' into Y', Cb, Cr in output codes, without the offsets.
///
/// The conversion from a table's sample to the output's code is linear, so it is done once, when the table is prepared,
/// and not for every pixel.
struct OutputPoint {
  private let matrix: ColorMatrix
  private let spans: SIMD3<Double>
  private let gain: Double
  private let offset: Double

  init(matrix: ColorMatrix, scale: CodeScale, videoRange: Bool) {
    self.matrix = matrix
    spans = SIMD3(Double(scale.lumaSpan), Double(scale.chromaSpan), Double(scale.chromaSpan))
    gain = videoRange ? LookupTable.VideoRange.white / LookupTable.VideoRange.span : 1
    offset = videoRange ? -LookupTable.VideoRange.black / LookupTable.VideoRange.span : 0
  }

  func callAsFunction(_ rgb: SIMD3<Double>) -> SIMD3<Double> { matrix.yCbCr(rgb * gain + offset) * spans }

  /// One channel's part of a colour: the parts of the three channels sum to the colour's point.
  func part(_ value: Double, channel: Int) -> SIMD3<Double> {
    var rgb = SIMD3<Double>.zero
    rgb[channel] = value * gain + offset
    return matrix.yCbCr(rgb) * spans
  }
}
