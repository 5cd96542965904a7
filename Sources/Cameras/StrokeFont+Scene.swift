import Drawing

extension StrokeFont {
  /// Writes `text` with its first letter's top left corner at (x, y) of the stage; letters are `height` high.
  static func write(
    _ text: String, on canvas: SceneCanvas, _ x: Double, _ y: Double, height: Double, _ color: SIMD4<Float>
  ) {
    strokes(of: text, x, y, height: height) { canvas.line($0, $1, $2, $3, width: height / 8, color) }
  }
}
