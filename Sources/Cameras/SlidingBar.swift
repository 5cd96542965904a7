/// A light bar that slides along the rail at constant speed, repeatedly, from beyond the left edge to beyond the right
/// one.
///
/// Its coverage of a pixel is exact: the integral over the exposure and over the pixel's width.
struct SlidingBar {
  static let rail = 668.0..<738.0
  /// Units of the stage per second.
  static let speed = 480.0
  static let width = 48.0

  private let frame: StageFrame
  private let picture: (width: Int, height: Int)
  private let color: SIMD4<Float>
  /// In pixels: width, speed per second, distance until it comes back, head start.
  private let bar: Double
  private let velocity: Double
  private let loop: Double
  private let start: Double

  init(canvas: SceneCanvas, seed: UInt64) {
    frame = canvas.frame
    picture = (canvas.picture.width, canvas.picture.height)
    color = canvas.color(0.72, 0.70, 0.62)
    bar = SlidingBar.width * frame.scale
    velocity = SlidingBar.speed * frame.scale
    loop = Double(picture.width) + bar + 16
    start = Double(SeededNoise.uniform(seed &* 31 &+ 4, 0)) * loop
  }

  /// The left edge at `time`, in pixels; it runs from −bar − 8 to the picture's width + 8.
  func leftEdge(at time: Double) -> Double {
    let way = start + velocity * time
    return way - (way / loop).rounded(.down) * loop - bar - 8
  }

  /// The pixels that the bar can touch from `time` on for `duration` seconds.
  func box(at time: Double, duration: Double) -> PixelBox {
    let left = leftEdge(at: time)
    let end = left + velocity * duration
    let wraps = end > Double(picture.width) + 8
    return PixelBox(
      x0: wraps ? 0 : left, y0: frame.y(SlidingBar.rail.lowerBound), x1: wraps ? Double(picture.width) : end + bar,
      y1: frame.y(SlidingBar.rail.upperBound), width: picture.width, height: picture.height)
  }

  /// The area of the largest box, which is as wide as the picture when the bar enters again.
  var largestArea: Int {
    picture.width * Int(((SlidingBar.rail.upperBound - SlidingBar.rail.lowerBound) * frame.scale).rounded(.up) + 2)
  }

  /// Draws the bar over `scene`, inside `box`.
  func draw(_ box: PixelBox, at time: Double, duration: Double, into scene: PixelPlane<SIMD4<Float>>) {
    let left = leftEdge(at: time)
    let end = left + velocity * duration
    let (top, bottom) = (frame.y(SlidingBar.rail.lowerBound), frame.y(SlidingBar.rail.upperBound))
    for row in box.rows {
      let rows = min(Double(row) + 1, bottom) - max(Double(row), top)
      let pixels = unsafe scene.row(row)
      for column in box.columns {
        let coverage = Float(rows * coverage(Double(column), from: left, to: end))
        unsafe pixels[column] += (color - pixels[column]) * coverage
      }
    }
  }

  /// The part of pixel `column` and of the exposure that the bar covers while its left edge moves on.
  private func coverage(_ column: Double, from left: Double, to end: Double) -> Double {
    var covered = 0.0
    var turn = left
    // Each crossing by itself: beyond the right edge, the bar enters again from the left.
    var origin = 0.0
    while turn < end {
      let stop = min(end, origin + Double(picture.width) + 8)
      if stop > turn {
        covered += (stop - turn) * SlidingBar.mean(column, bar, from: turn - origin, to: stop - origin)
        turn = stop
      }
      origin += loop
    }
    return covered / (end - left)
  }

  /// The mean, over a path of the left edge, of the part of pixel `column` that lies under a bar of width `bar`.
  private static func mean(_ column: Double, _ bar: Double, from low: Double, to high: Double) -> Double {
    /// The integral from −∞ to x of the probability that the edge lies left of a point.
    func integral(_ x: Double) -> Double {
      if x <= low { return 0 }
      return x < high ? (x - low) * (x - low) / (2 * (high - low)) : x - (low + high) / 2
    }
    return integral(column + 1) - integral(column) - integral(column + 1 - bar) + integral(column - bar)
  }
}
