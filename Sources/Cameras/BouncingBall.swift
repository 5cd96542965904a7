/// A ball that bounces across the table: constant sideways speed, free fall between the bounces.
///
/// The exposure is divided into intervals of at most 10 ms that end where the ball touches the table. In each, the ball
/// moves on a straight line, and the time for which a point lies inside the disc follows exactly. (The parabola
/// deviates from its chord by less than 0.03 units of the stage.)
@safe struct BouncingBall {
  static let radius = 40.0
  /// Of the centre, on the stage: where the ball touches the table, and how high it flies. It stays clear of the rail.
  static let ground = 915.0
  static let height = 130.0
  /// Seconds from one bounce to the next.
  static let period = 0.8
  /// Units of the stage per second.
  static let speed = 260.0
  private static let longestPiece = 0.01

  private struct Piece {
    var x: Float, y: Float, wayX: Float, wayY: Float
    /// The interval's part of the exposure.
    var share: Float
  }

  private let frame: StageFrame
  private let picture: (width: Int, height: Int)
  private let color: SIMD4<Float>
  private let radius: Double
  private let velocity: Double
  private let loop: Double
  private let start: Double
  private var pieces: [Piece] = []

  /// - Parameter duration: of the longest exposure, in seconds.
  init(canvas: SceneCanvas, seed: UInt64, duration: Double) {
    frame = canvas.frame
    picture = (canvas.picture.width, canvas.picture.height)
    color = canvas.color(0.52, 0.075, 0.05)
    radius = BouncingBall.radius * frame.scale
    velocity = BouncingBall.speed * frame.scale
    loop = Double(picture.width) + 2 * radius + 16
    start = Double(SeededNoise.uniform(seed &* 31 &+ 5, 0)) * loop
    pieces.reserveCapacity(Int(duration / BouncingBall.longestPiece) + Int(duration / BouncingBall.period) + 8)
  }

  /// Follows the ball from `time` on for `duration` seconds; returns the pixels that it touches.
  mutating func move(at time: Double, duration: Double) -> PixelBox {
    pieces.removeAll(keepingCapacity: true)
    let end = time + duration
    let reach = radius + 1
    var now = time
    var (left, top, right, bottom) = (Double.infinity, Double.infinity, -Double.infinity, -Double.infinity)
    let way = start + velocity * time
    var x = way - (way / loop).rounded(.down) * loop - radius - 8
    while now < end {
      let bounce = (now / BouncingBall.period).rounded(.down)
      var next = min(end, now + BouncingBall.longestPiece, (bounce + 1) * BouncingBall.period)
      if next <= now { next = end }
      let from = center(now - bounce * BouncingBall.period)
      let to = center(next - bounce * BouncingBall.period)
      let nextX = x + velocity * (next - now)
      pieces.append(
        Piece(
          x: Float(x), y: Float(from), wayX: Float(nextX - x), wayY: Float(to - from),
          share: Float((next - now) / duration)))
      (left, right) = (min(left, x, nextX), max(right, x, nextX))
      (top, bottom) = (min(top, from, to), max(bottom, from, to))
      x = nextX
      if x > Double(picture.width) + radius + 8 { x -= loop }
      now = next
    }
    return PixelBox(
      x0: left - reach, y0: top - reach, x1: right + reach, y1: bottom + reach, width: picture.width,
      height: picture.height)
  }

  /// The centre's height in pixels, `time` seconds after a bounce.
  private func center(_ time: Double) -> Double {
    let part = time / BouncingBall.period
    return frame.y(BouncingBall.ground - BouncingBall.height * 4 * part * (1 - part))
  }

  /// The area of the largest box, which is as wide as the picture when the ball enters again.
  func largestArea(duration: Double) -> Int {
    let fastest = 4 * BouncingBall.height / BouncingBall.period * frame.scale
    let rows = 2 * radius + min(BouncingBall.height * frame.scale, fastest * duration) + 5
    return picture.width * Int(rows.rounded(.up))
  }

  /// Draws the ball over `scene`, inside `box`, along the path of the last `move`.
  func draw(_ box: PixelBox, into scene: PixelPlane<SIMD4<Float>>) {
    for row in box.rows {
      let pixels = unsafe scene.row(row)
      let y = Float(row) + 0.5
      for column in box.columns {
        let x = Float(column) + 0.5
        var coverage: Float = 0
        for piece in pieces { coverage += piece.share * self.coverage(x - piece.x, y - piece.y, piece) }
        unsafe pixels[column] += (color - pixels[column]) * coverage
      }
    }
  }

  /// The part of an interval for which the ball covers the point at (x, y) from the interval's start.
  @inline(__always) private func coverage(_ x: Float, _ y: Float, _ piece: Piece) -> Float {
    // Two radii stand for the pixel's extent across the edge (Gauss-Legendre nodes of a width of 1).
    (inside(x, y, piece, Float(radius) - 0.2887) + inside(x, y, piece, Float(radius) + 0.2887)) / 2
  }

  @inline(__always) private func inside(_ x: Float, _ y: Float, _ piece: Piece, _ radius: Float) -> Float {
    let square = piece.wayX * piece.wayX + piece.wayY * piece.wayY
    let along = x * piece.wayX + y * piece.wayY
    let distance = x * x + y * y - radius * radius
    guard square > 1e-6 else { return distance < 0 ? 1 : 0 }
    let root = along * along - square * distance
    guard root > 0 else { return 0 }
    let half = root.squareRoot()
    return max(0, min(1, (along + half) / square) - max(0, (along - half) / square))
  }
}
