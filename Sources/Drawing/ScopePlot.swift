public import Color
import Foundation
public import Frames

/// Draws a frame as on a waveform monitor and a vectorscope.
///
/// The waveform shows the luma of each column, with lines at 0 and 100 % of the nominal range. The vectorscope shows Cb
/// to the right and Cr upwards, with boxes for the 75 % colour bars (SMPTE RP 219).
public enum ScopePlot {
  private static let width = 256, height = 160
  private static let ground: SIMD3<Double> = [0.05, 0.05, 0.06]
  private static let trace: SIMD3<Double> = [0.45, 0.9, 0.6]

  /// 256 × 160 pixels; −10 % to 110 % of the nominal range from below.
  public static func waveform(_ samples: PictureSamples, layout: PixelLayout, range: ColorRange) -> Picture {
    let scale = CodeScale(range: range, bitDepth: layout.bitDepth)
    var counts = [Int](repeating: 0, count: width * height)
    for y in 0..<samples.height {
      for x in 0..<samples.width {
        let value = (Double(samples.luma[y * samples.width + x]) - Double(scale.lumaOffset)) / Double(scale.lumaSpan)
        let row = Int((1.1 - value) / 1.2 * Double(height))
        guard row >= 0, row < height else { continue }
        // At least one column of the plot; several for each column of a narrow frame.
        let first = x * width / samples.width
        for column in first..<max(first + 1, (x + 1) * width / samples.width) { counts[row * width + column] += 1 }
      }
    }
    var picture = Picture(width: width, height: height, ground)
    for level in [0.0, 1.0] {
      let y = (1.1 - level) / 1.2 * Double(height)
      picture.line(0, y, Double(width), y, width: 1, Chart.grid)
    }
    draw(counts, width, height, on: &picture)
    return picture
  }

  /// 160 × 160 pixels; from −0.5 to 0.5 in both.
  public static func vectorscope(_ samples: PictureSamples, layout: PixelLayout, range: ColorRange, matrix: ColorMatrix)
    -> Picture
  {
    let scale = CodeScale(range: range, bitDepth: layout.bitDepth)
    let size = height
    func place(_ cb: Double, _ cr: Double) -> (x: Double, y: Double) {
      ((cb + 0.5) * Double(size), (0.5 - cr) * Double(size))
    }
    var counts = [Int](repeating: 0, count: size * size)
    for index in samples.cb.indices {
      let at = place(
        (Double(samples.cb[index]) - Double(scale.chromaOffset)) / Double(scale.chromaSpan),
        (Double(samples.cr[index]) - Double(scale.chromaOffset)) / Double(scale.chromaSpan))
      guard at.x >= 0, at.y >= 0, Int(at.x) < size, Int(at.y) < size else { continue }
      counts[Int(at.y) * size + Int(at.x)] += 1
    }
    var picture = Picture(width: size, height: size, ground)
    let half = Double(size) / 2
    picture.line(half, 0, half, Double(size), width: 1, Chart.grid)
    picture.line(0, half, Double(size), half, width: 1, Chart.grid)
    for bar in [[1, 1, 0], [0, 1, 1], [0, 1, 0], [1, 0, 1], [1, 0, 0], [0, 0, 1]] as [SIMD3<Double>] {
      let chroma = matrix.yCbCr(0.75 * bar)
      let at = place(chroma.y, chroma.z)
      for (dx, dy) in [(-4.0, -4.0), (4, -4), (4, 4), (-4, 4)] {
        // Each line is a side of the box.
        picture.line(at.x + dx, at.y + dy, at.x - dy, at.y + dx, width: 1, bar * 0.7 + 0.15)
      }
    }
    draw(counts, size, size, on: &picture)
    return picture
  }

  /// Brightness is the logarithm of the number of samples, so that few samples are visible next to many.
  private static func draw(_ counts: [Int], _ width: Int, _ height: Int, on picture: inout Picture) {
    let most = log(Double(1 + (counts.max() ?? 0)))
    guard most > 0 else { return }
    for y in 0..<height {
      for x in 0..<width where counts[y * width + x] > 0 {
        let brightness = 0.35 + 0.65 * log(Double(1 + counts[y * width + x])) / most
        picture.set(x, y, trace * brightness)
      }
    }
  }
}
