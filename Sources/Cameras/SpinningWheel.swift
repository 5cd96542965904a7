import Foundation

/// A wheel of twelve alternating light and dark sectors that turns on the wall at constant speed.
///
/// The light that a point collects is the integral of a square wave over the angle that passes during the exposure plus
/// the angle that a pixel spans.
@safe struct SpinningWheel {
  static let center = (x: 1690.0, y: 285.0)
  static let radius = 140.0
  static let hub = 16.0
  /// Turns per second, clockwise.
  static let speed = 0.22
  private static let sectors: Float = 12

  let box: PixelBox
  private let light: SIMD4<Float>
  private let dark: SIMD4<Float>
  private let hubColor: SIMD4<Float>
  private let start: Double
  /// For each pixel of the box: the angle in pairs of sectors, the angle that a pixel spans in the same unit, the
  /// coverage of the wheel and of its hub.
  private let places: PixelPlane<SIMD4<Float>>

  /// - Returns: `nil` if no pixel of the picture shows it.
  init?(canvas: SceneCanvas, seed: UInt64) {
    let (center, radius) = (SpinningWheel.center, SpinningWheel.radius)
    box = canvas.box(center.x - radius, center.y - radius, center.x + radius, center.y + radius, margin: 1)
    guard !box.isEmpty else { return nil }
    light = canvas.color(0.75, 0.66, 0.42)
    dark = canvas.color(0.06, 0.10, 0.20)
    hubColor = canvas.grey(0.5)
    start = Double(SeededNoise.uniform(seed &* 31 &+ 6, 0))
    places = PixelPlane(width: box.columns.count, height: box.rows.count, repeating: .zero)
    let scale = Float(canvas.frame.scale)
    let (x0, y0) = (Float(canvas.frame.x(center.x)), Float(canvas.frame.y(center.y)))
    for (y, row) in box.rows.enumerated() {
      for (x, column) in box.columns.enumerated() {
        let (dx, dy) = (Float(column) + 0.5 - x0, Float(row) + 0.5 - y0)
        let distance = (dx * dx + dy * dy).squareRoot()
        let pairs = SpinningWheel.sectors / 2 / (2 * Float.pi)
        places[x, y] = SIMD4(
          Float(atan2(Double(dy), Double(dx)) + .pi) * pairs, min(1, pairs / max(distance, 0.5)),
          max(0, min(1, Float(radius) * scale - distance + 0.5)),
          max(0, min(1, Float(SpinningWheel.hub) * scale - distance + 0.5)))
      }
    }
  }

  var largestArea: Int { box.area }

  /// Draws the wheel, exposed from `time` on for `duration` seconds, over `scene`.
  func draw(at time: Double, duration: Double, into scene: PixelPlane<SIMD4<Float>>) {
    let pairs = Double(SpinningWheel.sectors / 2)
    let turned = (start + SpinningWheel.speed * time) * pairs
    let phase = Float(turned - turned.rounded(.down))
    let swept = Float(SpinningWheel.speed * duration * pairs)
    for (y, row) in box.rows.enumerated() {
      let pixels = unsafe scene.row(row) + box.columns.lowerBound
      let places = unsafe places.row(y)
      for x in 0..<box.columns.count {
        let place = unsafe places[x]
        guard place.z > 0 else { continue }
        let window = swept + place.y
        // The wheel turns forward, so that a point sees the angles behind it.
        let high = place.x - phase + place.y / 2
        let low = high - window
        let bright = (SpinningWheel.integral(high) - SpinningWheel.integral(low)) / window
        let sector = dark + (light - dark) * bright
        let color = sector + (hubColor - sector) * place.w
        unsafe pixels[x] += (color - pixels[x]) * place.z
      }
    }
  }

  /// The integral of a wave that is 1 in the first half of each unit and 0 in the second.
  @inline(__always) private static func integral(_ angle: Float) -> Float {
    let whole = angle.rounded(.down)
    return 0.5 * whole + min(0.5, angle - whole)
  }
}
