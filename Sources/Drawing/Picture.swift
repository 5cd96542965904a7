/// An 8-bit R'G'B' picture to draw on. Coordinates are pixels from the top left, y downwards; edges are antialiased.
public struct Picture: DrawingSurface, Sendable {
  public let width: Int
  public let height: Int
  /// Red, green and blue of each pixel, row by row.
  public private(set) var bytes: [UInt8]

  /// How a drawing combines with the pixels below it.
  enum Blend {
    /// Covers them.
    case over
    /// Keeps the greater value in each channel: red, green and blue lines are white where they meet.
    case lighten
  }

  /// - Precondition: `width` and `height` are at least 1.
  init(width: Int, height: Int, _ color: SIMD3<Double>) {
    precondition(width > 0 && height > 0, "a picture has a size")
    self.width = width
    self.height = height
    bytes = [UInt8](repeating: 0, count: 3 * width * height)
    fill(0, 0, Double(width), Double(height), color)
  }

  /// Replaces a pixel inside the picture; the colour is clamped to 0…1.
  mutating func set(_ x: Int, _ y: Int, _ color: SIMD3<Double>) { blend(x, y, color, coverage: 1, .over) }

  /// A rectangle of whole pixels.
  mutating func fill(_ x0: Double, _ y0: Double, _ x1: Double, _ y1: Double, _ color: SIMD3<Double>) {
    for y in rows(y0, y1) { for x in columns(x0, x1) { set(x, y, color) } }
  }

  /// A line with round ends.
  mutating func line(
    _ x0: Double, _ y0: Double, _ x1: Double, _ y1: Double, width: Double, _ color: SIMD3<Double>, _ blend: Blend
  ) {
    let start = SIMD2(x0, y0), way = SIMD2(x1, y1) - start
    let square = max((way * way).sum(), 1e-12)
    let margin = width / 2 + 1
    for y in rows(min(y0, y1) - margin, max(y0, y1) + margin) {
      for x in columns(min(x0, x1) - margin, max(x0, x1) + margin) {
        let offset = SIMD2(Double(x) + 0.5, Double(y) + 0.5) - start
        let rest = offset - way * max(0, min(1, (offset * way).sum() / square))
        let coverage = width / 2 + 0.5 - (rest * rest).sum().squareRoot()
        if coverage > 0 { self.blend(x, y, color, coverage: min(coverage, 1), blend) }
      }
    }
  }

  mutating func path(_ points: [SIMD2<Double>], width: Double, _ color: SIMD3<Double>, _ blend: Blend) {
    for (from, to) in zip(points, points.dropFirst()) {
      line(from.x, from.y, to.x, to.y, width: width, color, blend)
    }
  }

  /// Text in capitals with its top at `y`; it starts at, ends at or is centred on `x`.
  mutating func write(
    _ text: String, _ x: Double, _ y: Double, height: Double, _ color: SIMD3<Double>, _ place: TextPlace
  ) {
    let capitals = text.uppercased()
    let left = x - StrokeFont.width(of: capitals, height: height) * place.share
    StrokeFont.strokes(of: capitals, left, y, height: height) { line($0, $1, $2, $3, width: height / 8, color) }
  }

  /// - Precondition: it lies inside this one.
  mutating func show(_ picture: Picture, _ x: Int, _ y: Int) {
    for row in 0..<picture.height {
      let from = 3 * row * picture.width, to = 3 * ((y + row) * width + x), count = 3 * picture.width
      bytes.replaceSubrange(to..<to + count, with: picture.bytes[from..<from + count])
    }
  }

  enum TextPlace {
    case starting, around, ending

    fileprivate var share: Double {
      switch self {
      case .starting: 0
      case .around: 0.5
      case .ending: 1
      }
    }
  }

  private mutating func blend(_ x: Int, _ y: Int, _ color: SIMD3<Double>, coverage: Double, _ blend: Blend) {
    let at = 3 * (y * width + x)
    for channel in 0..<3 {
      let old = Double(bytes[at + channel])
      let new = 255 * max(0, min(1, color[channel]))
      let goal = blend == .lighten ? max(old, new) : new
      bytes[at + channel] = UInt8((old + (goal - old) * coverage).rounded())
    }
  }

  private func columns(_ low: Double, _ high: Double) -> Range<Int> { Self.span(low, high, width) }
  private func rows(_ low: Double, _ high: Double) -> Range<Int> { Self.span(low, high, height) }

  private static func span(_ low: Double, _ high: Double, _ limit: Int) -> Range<Int> {
    let first = Int(max(0, min(low.rounded(), Double(limit)))), end = Int(max(0, min(high.rounded(), Double(limit))))
    return first..<max(first, end)
  }
}
