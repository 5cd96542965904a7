import Drawing

extension StrokeFont {
  /// Writes `text` in letters of `height`, with the first letter's top left corner at (x, y) on the stage.
  static func write(
    _ text: String, on canvas: SceneCanvas, _ x: Double, _ y: Double, height: Double, _ color: SIMD4<Float>
  ) {
    strokes(of: text, x, y, height: height) { canvas.line($0, $1, $2, $3, width: height / 8, color) }
  }
}
