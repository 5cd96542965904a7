/// What plots are drawn on: pixels (`Picture`) or the text of an SVG file (`VectorPicture`).
///
/// Coordinates are pixels from the top left, y downwards. Colours are R'G'B', clamped to 0…1.
protocol DrawingSurface {
  /// A rectangle of whole pixels.
  mutating func fill(_ x0: Double, _ y0: Double, _ x1: Double, _ y1: Double, _ color: SIMD3<Double>)

  /// A line with round ends; a disc if both ends are the same.
  mutating func line(
    _ x0: Double, _ y0: Double, _ x1: Double, _ y1: Double, width: Double, _ color: SIMD3<Double>,
    _ blend: Picture.Blend)

  /// Lines from each point to the next.
  mutating func path(_ points: [SIMD2<Double>], width: Double, _ color: SIMD3<Double>, _ blend: Picture.Blend)

  /// Text whose capitals have this height, with its top at `y`; it starts at, ends at or is centred on `x`.
  mutating func write(
    _ text: String, _ x: Double, _ y: Double, height: Double, _ color: SIMD3<Double>, _ place: Picture.TextPlace)

  /// A picture, pixel by pixel, with its top left corner at (x, y).
  mutating func show(_ picture: Picture, _ x: Int, _ y: Int)
}

extension DrawingSurface {
  mutating func line(
    _ x0: Double, _ y0: Double, _ x1: Double, _ y1: Double, width: Double, _ color: SIMD3<Double>
  ) {
    line(x0, y0, x1, y1, width: width, color, .over)
  }

  mutating func write(_ text: String, _ x: Double, _ y: Double, height: Double, _ color: SIMD3<Double>) {
    write(text, x, y, height: height, color, .starting)
  }

  mutating func disc(_ center: SIMD2<Double>, width: Double, _ color: SIMD3<Double>) {
    line(center.x, center.y, center.x, center.y, width: width, color, .over)
  }
}
