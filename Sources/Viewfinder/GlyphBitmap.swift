import Drawing

/// A letter as an image of how much of each pixel it covers.
public struct GlyphBitmap: Hashable, Sendable {
  /// From the place of the letter to the image's upper left corner, in pixels.
  public let left, top: Int
  public let width, height: Int
  /// 0 to 255, row by row.
  public let coverage: [UInt8]

  /// - Parameter height: of capitals in pixels.
  public init(_ letter: Character, height: Int) {
    var strokes: [(start: SIMD2<Double>, way: SIMD2<Double>)] = []
    StrokeFont.strokes(of: String(letter), 0, 0, height: Double(height)) { x0, y0, x1, y1 in
      strokes.append((SIMD2(x0, y0), SIMD2(x1 - x0, y1 - y0)))
    }
    let line = max(1.2, Double(height) / 7.5), rim = Int(line / 2) + 2
    (left, top) = (-rim, -rim)
    width = Int((Double(height) * 4 / 6).rounded(.up)) + 2 * rim
    self.height = Int((Double(height) * 8 / 6).rounded(.up)) + 2 * rim
    var coverage = [UInt8](repeating: 0, count: width * self.height)
    for y in 0..<self.height {
      for x in 0..<width {
        let point = SIMD2(Double(x - rim) + 0.5, Double(y - rim) + 0.5)
        let distance = strokes.map { GlyphBitmap.distance(from: point - $0.start, to: $0.way) }.min() ?? .infinity
        coverage[y * width + x] = UInt8(255 * min(1, max(0, line / 2 + 0.5 - distance)))
      }
    }
    self.coverage = coverage
  }

  private static func distance(from offset: SIMD2<Double>, to way: SIMD2<Double>) -> Double {
    let square = (way * way).sum()
    let share = square > 0 ? max(0, min(1, (offset * way).sum() / square)) : 0
    let rest = offset - way * share
    return (rest * rest).sum().squareRoot()
  }

  /// The column of a letter of a text, in pixels from its beginning.
  ///
  /// - Parameter height: of capitals.
  public static func place(of index: Int, height: Int) -> Int { Int(Double(index) * ViewLayout.letter(height)) }
}
