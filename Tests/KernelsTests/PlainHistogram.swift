import Color
import Frames
import Kernels

/// Counts by `ColorMatrix.rgb`, in double precision, pixel by pixel.
struct PlainHistogram {
  let scale: CodeScale
  let matrix: ColorMatrix

  init(_ layout: PixelLayout, _ color: ColorDescription) {
    scale = CodeScale(range: color.range, bitDepth: layout.bitDepth)
    matrix = color.matrix
  }

  /// R'G'B' in full range. Half a code rounds up. An exact half may be 10⁻¹² less here; otherwise, no colour of 8 or 10
  /// bits comes closer to a half than 2 · 10⁻¹⁰ (`ExactChannel.nearMisses`).
  func codes(luma: Int, cb: Int, cr: Int) -> SIMD3<Int> {
    let rgb = matrix.rgb(
      luma: Double(luma - scale.lumaOffset) / Double(scale.lumaSpan),
      cb: Double(cb - scale.chromaOffset) / Double(scale.chromaSpan),
      cr: Double(cr - scale.chromaOffset) / Double(scale.chromaSpan))
    let maximum = Double(scale.maximum)
    func code(_ value: Double) -> Int { Int(min(max((value * maximum + 0.5 + 1e-11).rounded(.down), 0), maximum)) }
    return SIMD3(code(rgb.x), code(rgb.y), code(rgb.z))
  }

  func counts(_ picture: PictureSamples) -> HistogramKernel.Counts {
    var counts = none
    for y in 0..<picture.height {
      for x in 0..<picture.width {
        let block = picture.block(x: x, y: y)
        count(luma: picture.luma[x + y * picture.width], cb: picture.cb[block], cr: picture.cr[block], in: &counts)
      }
    }
    return counts
  }

  /// One pixel of every luma code.
  func counts(cb: Int, cr: Int) -> HistogramKernel.Counts {
    var counts = none
    for luma in 0...scale.maximum { count(luma: luma, cb: cb, cr: cr, in: &counts) }
    return counts
  }

  private var none: HistogramKernel.Counts {
    let none = [UInt32](repeating: 0, count: scale.maximum + 1)
    return HistogramKernel.Counts(luma: none, red: none, green: none, blue: none)
  }

  private func count(luma: Int, cb: Int, cr: Int, in counts: inout HistogramKernel.Counts) {
    let rgb = codes(luma: luma, cb: cb, cr: cr)
    counts.luma[luma] += 1
    counts.red[rgb.x] += 1
    counts.green[rgb.y] += 1
    counts.blue[rgb.z] += 1
  }
}
