import Color

/// Draws reflectances into a linear picture, in the coordinates of a stage of 1920×1080, with antialiased edges.
///
/// The stage is centred in the picture and as large as fits; wall and table surround it.
///
/// Colours are linear Rec.709, with 1 for a perfect white under the standard light, and are converted to the camera's
/// own primaries here.
@safe struct SceneCanvas {
  static let stageWidth = 1920.0
  static let stageHeight = 1080.0

  let picture: PixelPlane<SIMD4<Float>>
  let frame: StageFrame
  private let toCamera: Matrix3

  init(picture: PixelPlane<SIMD4<Float>>, space: RGBSpace) {
    self.picture = picture
    frame = StageFrame(width: picture.width, height: picture.height)
    toCamera = RGBSpace.rec709.matrix(to: space)
  }

  /// Linear Rec.709 in the camera's primaries.
  func color(_ red: Double, _ green: Double, _ blue: Double) -> SIMD4<Float> {
    let rgb = toCamera * SIMD3(red, green, blue)
    return SIMD4(Float(rgb.x), Float(rgb.y), Float(rgb.z), 0)
  }

  func grey(_ reflectance: Double) -> SIMD4<Float> { color(reflectance, reflectance, reflectance) }

  /// The pixels that a rectangle of the stage touches, extended by `margin` pixels.
  func box(_ x0: Double, _ y0: Double, _ x1: Double, _ y1: Double, margin: Double = 0) -> PixelBox {
    PixelBox(
      x0: frame.x(x0) - margin, y0: frame.y(y0) - margin, x1: frame.x(x1) + margin, y1: frame.y(y1) + margin,
      width: picture.width, height: picture.height)
  }

  /// Replaces every pixel of `box`; `paint` gets the pixel's centre in stage coordinates, and the pixel's value.
  @inline(__always)
  func repaint(_ box: PixelBox, _ paint: (_ x: Float, _ y: Float, _ old: SIMD4<Float>) -> SIMD4<Float>) {
    let (scale, left, top) = (Float(1 / frame.scale), Float(frame.left), Float(frame.top))
    for row in box.rows {
      let pixels = unsafe picture.row(row)
      let y = (Float(row) + 0.5 - top) * scale
      for column in box.columns {
        let x = (Float(column) + 0.5 - left) * scale
        unsafe pixels[column] = paint(x, y, pixels[column])
      }
    }
  }

  /// Blends `color` over the pixels of `box` with the coverage, 0…1, that `coverage` returns.
  @inline(__always)
  func cover(_ box: PixelBox, _ color: SIMD4<Float>, coverage: (_ x: Float, _ y: Float) -> Float) {
    repaint(box) { x, y, old in old + (color - old) * coverage(x, y) }
  }

  /// A rectangle.
  func fill(_ x0: Double, _ y0: Double, _ x1: Double, _ y1: Double, _ color: SIMD4<Float>) {
    let pixel = Float(1 / frame.scale)
    let (left, top, right, bottom) = (Float(x0), Float(y0), Float(x1), Float(y1))
    cover(box(x0, y0, x1, y1), color) { x, y in
      SceneCanvas.overlap(x, pixel, left, right) * SceneCanvas.overlap(y, pixel, top, bottom)
    }
  }

  /// A disc.
  func disc(_ x: Double, _ y: Double, radius: Double, _ color: SIMD4<Float>) {
    let (centerX, centerY, radius32, scale) = (Float(x), Float(y), Float(radius), Float(frame.scale))
    cover(box(x - radius, y - radius, x + radius, y + radius, margin: 1), color) { x, y in
      let distance = ((x - centerX) * (x - centerX) + (y - centerY) * (y - centerY)).squareRoot()
      return max(0, min(1, (radius32 - distance) * scale + 0.5))
    }
  }

  /// A line with round ends.
  func line(_ x0: Double, _ y0: Double, _ x1: Double, _ y1: Double, width: Double, _ color: SIMD4<Float>) {
    let half = width / 2
    let scale = Float(frame.scale)
    let start = SIMD2(Float(x0), Float(y0))
    let way = SIMD2(Float(x1 - x0), Float(y1 - y0))
    let square = max((way * way).sum(), 1e-12)
    let area = box(min(x0, x1) - half, min(y0, y1) - half, max(x0, x1) + half, max(y0, y1) + half, margin: 1)
    cover(area, color) { x, y in
      let offset = SIMD2(x, y) - start
      let along = max(0, min(1, (offset * way).sum() / square))
      let rest = offset - way * along
      return max(0, min(1, (Float(half) - (rest * rest).sum().squareRoot()) * scale + 0.5))
    }
  }

  /// The part of a pixel around `center` that lies between `low` and `high`.
  @inline(__always) private static func overlap(_ center: Float, _ pixel: Float, _ low: Float, _ high: Float) -> Float {
    max(0, min(center + pixel / 2, high) - max(center - pixel / 2, low)) / pixel
  }
}

/// The position of the stage of 1920×1080 in a picture.
struct StageFrame: Hashable, Sendable {
  /// Pixels per unit of the stage.
  let scale: Double
  let left: Double
  let top: Double

  init(width: Int, height: Int) {
    scale = min(Double(width) / SceneCanvas.stageWidth, Double(height) / SceneCanvas.stageHeight)
    left = (Double(width) - SceneCanvas.stageWidth * scale) / 2
    top = (Double(height) - SceneCanvas.stageHeight * scale) / 2
  }

  func x(_ stage: Double) -> Double { left + stage * scale }
  func y(_ stage: Double) -> Double { top + stage * scale }
}
