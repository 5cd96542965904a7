import Color
import Frames
import Kernels

/// A view of a frame written down once more, pixel by pixel: every pixel gets its chroma, the part is cut out and
/// turned, and each sample of the result is the mean of the pixels that it covers, in fractions.
struct PlainView {
  private let view: PictureKernel.View
  private let scale: CodeScale
  private let matrix: ColorMatrix
  /// Of luma, Cb and Cr: the turned part, row by row.
  private let pixels: [[SIMD3<Int>]]

  init(_ samples: PictureSamples, _ format: FrameFormat, _ view: PictureKernel.View) {
    self.view = view
    scale = CodeScale(range: format.color.range, bitDepth: format.layout.bitDepth)
    matrix = format.color.matrix
    func pixel(_ x: Int, _ y: Int) -> SIMD3<Int> {
      let at = samples.block(x: view.left + x, y: view.top + y)
      return SIMD3(samples.luma[view.left + x + (view.top + y) * samples.width], samples.cb[at], samples.cr[at])
    }
    let (columns, rows) = (view.columns, view.rows)
    switch view.rotation {
    case .none: pixels = (0..<rows).map { y in (0..<columns).map { pixel($0, y) } }
    case .quarter: pixels = (0..<columns).map { x in (0..<rows).map { pixel(x, rows - 1 - $0) } }
    case .half: pixels = (0..<rows).map { y in (0..<columns).map { pixel(columns - 1 - $0, rows - 1 - y) } }
    case .threeQuarters: pixels = (0..<columns).map { x in (0..<rows).map { pixel(columns - 1 - x, $0) } }
    }
  }

  /// The mean of the pixels under some of the result's, rounded, halves up.
  ///
  /// - Returns: `nil` where the kernels' weights of 20 bits may round it otherwise.
  private func mean(_ component: Int, _ columns: Range<Int>, _ rows: Range<Int>) -> Int? {
    let across = Self.covered(columns, of: view.width, pixels[0].count)
    let down = Self.covered(rows, of: view.height, pixels.count)
    var sum = 0
    for (y, tall) in down { for (x, wide) in across { sum += pixels[y][x][component] * wide * tall } }
    let (length, depth) = (across.reduce(0) { $0 + $1.1 }, down.reduce(0) { $0 + $1.1 })
    let whole = length * depth
    let isExact = across.allSatisfy { ($0.1 << 20) % length == 0 } && down.allSatisfy { ($0.1 << 20) % depth == 0 }
    let beside = abs(Double(sum % whole) / Double(whole) - 0.5)
    return isExact || beside > 0.01 ? (2 * sum + whole) / (2 * whole) : nil
  }

  /// The pixels of the source under some of the result's, and how much of each.
  private static func covered(_ range: Range<Int>, of result: Int, _ source: Int) -> [(Int, Int)] {
    let (begin, end) = (range.lowerBound * source, range.upperBound * source)
    return (begin / result...(end - 1) / result).map { ($0, min(($0 + 1) * result, end) - max($0 * result, begin)) }
  }

  /// R'G'B' of codes, 0…1 inside the nominal range.
  private func signal(_ luma: Int, _ cb: Int, _ cr: Int) -> SIMD3<Double> {
    matrix.rgb(
      luma: (Double(luma) - Double(scale.lumaOffset)) / Double(scale.lumaSpan),
      cb: (Double(cb) - Double(scale.chromaOffset)) / Double(scale.chromaSpan),
      cr: (Double(cr) - Double(scale.chromaOffset)) / Double(scale.chromaSpan))
  }

  /// What the kernels may be away from a colour, in codes of 8 bits: their R'G'B' has 16 bits, and light that is far
  /// above white depends on each of them.
  private func shown(_ signal: SIMD3<Double>, _ transform: DisplayTransform) -> (SIMD3<Double>, slack: Double) {
    let made = transform.sRGB(signal)
    var slack = 0.1
    for channel in 0..<3 {
      var beside = signal
      beside[channel] += 1 / 65535
      let higher = transform.sRGB(beside) - made
      beside[channel] -= 2 / 65535
      let lower = transform.sRGB(beside) - made
      slack += 255 * max(higher.max(), -higher.min(), lower.max(), -lower.min())
    }
    return (made, slack)
  }

  /// A pixel's R'G'B' in the picture, 0…1, and what codes of 8 bits may be away from it beside their rounding; `nil` as
  /// of `mean`.
  func rgb(_ x: Int, _ y: Int, _ transform: DisplayTransform?) -> (SIMD3<Double>, slack: Double)? {
    guard let luma = mean(0, x..<x + 1, y..<y + 1), let cb = mean(1, x..<x + 1, y..<y + 1),
      let cr = mean(2, x..<x + 1, y..<y + 1)
    else { return nil }
    let made = signal(luma, cb, cr)
    return transform.map { shown(made, $0) } ?? (made.clamped(lowerBound: .zero, upperBound: .one), 0.02)
  }

  /// Y'CbCr of a block of 2×2 pixels, in codes of 8 bits that are not rounded yet: luma by row and column. The slack is
  /// that of `rgb`.
  func block(_ x: Int, _ y: Int, _ color: ColorDescription, _ transform: DisplayTransform?)
    -> (luma: [[Double]], cb: Double, cr: Double, slack: Double)?
  {
    let columns = 2 * x..<min(2 * x + 2, view.width), rows = 2 * y..<min(2 * y + 2, view.height)
    guard let cb = mean(1, columns, rows), let cr = mean(2, columns, rows) else { return nil }
    let to = CodeScale(range: color.range, bitDepth: 8)
    var luma: [[Double]] = [], chroma = SIMD2<Double>(), slack = 0.02
    for row in rows {
      luma.append([])
      for column in columns {
        guard let code = mean(0, column..<column + 1, row..<row + 1) else { return nil }
        var made = signal(code, cb, cr)
        if let transform {
          let found = shown(made, transform)
          made = found.0
          slack = max(slack, found.slack)
        }
        let yCbCr = color.matrix.yCbCr(made)
        luma[luma.count - 1].append(Double(to.lumaOffset) + Double(to.lumaSpan) * yCbCr.x)
        chroma += SIMD2(yCbCr.y, yCbCr.z)
      }
    }
    let means = Double(to.chromaOffset) + Double(to.chromaSpan) * chroma / Double(rows.count * columns.count)
    return (luma, means.x, means.y, slack)
  }
}
