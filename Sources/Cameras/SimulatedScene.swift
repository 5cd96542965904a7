import Color
import Drawing
import Foundation

/// The static part of the scene: a wall and a table with charts, drawn once in linear light.
///
/// From the left: a 24-patch chart, below it a backlit wedge of 13 steps (−6 to +6 EV from 18 % grey); a card with a
/// resolution wedge and a slanted edge; dead leaves (discs of power-law sizes, a texture of known statistics), below
/// them text in decreasing sizes; a lamp that clips, a wheel, a rail for a sliding bar; on the table, a grey ramp.
struct SimulatedScene {
  private let canvas: SceneCanvas
  private let space: RGBSpace
  private let seed: UInt64

  static let tableTop = 770.0
  static let lamp = (x: 1690.0, y: 545.0, radius: 44.0)

  /// - Parameters:
  ///   - picture: where to draw.
  ///   - space: the camera's primaries.
  ///   - seed: for the texture and the grain of the table.
  static func draw(into picture: PixelPlane<SIMD4<Float>>, space: RGBSpace, seed: UInt64) {
    let scene = SimulatedScene(canvas: SceneCanvas(picture: picture, space: space), space: space, seed: seed)
    scene.drawRoom()
    scene.drawRail()
    scene.drawLamp()
    scene.drawChart()
    scene.drawStepWedge()
    scene.drawResolutionCard()
    scene.drawLeaves()
    scene.drawText()
    scene.drawRamp()
  }

  // MARK: Room

  private func drawRoom() {
    let (wall, wood, dark) = (
      canvas.color(0.30, 0.285, 0.26), canvas.color(0.25, 0.145, 0.08), canvas.color(0.15, 0.08, 0.042)
    )
    let table = canvas.frame.y(SimulatedScene.tableTop).rounded()
    let edge = Int(min(max(table, 0), Double(canvas.picture.height)))
    let width = canvas.picture.width
    canvas.repaint(PixelBox(columns: 0..<width, rows: 0..<edge)) { x, y, _ in
      let (dx, dy) = ((x - 620) / 1900, (y - 220) / 1250)
      return wall * (1.12 / (1 + dx * dx + dy * dy))
    }
    canvas.repaint(PixelBox(columns: 0..<width, rows: edge..<canvas.picture.height)) { x, y, _ in
      let grain = 0.6 * grain(x / 240, y / 9, 1) + 0.4 * grain(x / 60, y / 2.7, 2)
      let (dx, depth) = ((x - 800) / 1500, min((y - 770) / 310, 1.5))
      return (wood + (dark - wood) * grain) * ((0.72 + 0.3 * depth) / (1 + 0.5 * dx * dx))
    }
  }

  /// Smooth noise, 0…1, one value for each unit of the plane.
  @inline(__always) private func grain(_ x: Float, _ y: Float, _ layer: UInt64) -> Float {
    let (column, row) = (x.rounded(.down), y.rounded(.down))
    let key = seed &* 31 &+ layer
    func corner(_ dx: Float, _ dy: Float) -> Float {
      SeededNoise.uniform(key, UInt64(bitPattern: Int64(column + dx) << 32 | Int64(row + dy) & 0xFFFF_FFFF))
    }
    let (u, v) = (smooth(x - column), smooth(y - row))
    let upper = corner(0, 0) * (1 - u) + corner(1, 0) * u
    let lower = corner(0, 1) * (1 - u) + corner(1, 1) * u
    return upper * (1 - v) + lower * v
  }

  @inline(__always) private func smooth(_ t: Float) -> Float { t * t * (3 - 2 * t) }

  /// A card on the wall: its soft shadow and its face.
  private func drawCard(_ x0: Double, _ y0: Double, _ x1: Double, _ y1: Double, _ face: SIMD4<Float>) {
    let (left, top, right, bottom) = (Float(x0) + 10, Float(y0) + 14, Float(x1) + 10, Float(y1) + 14)
    let soft: Float = 22
    canvas.repaint(canvas.box(x0 - 20, y0 - 20, x1 + 44, y1 + 44)) { x, y, old in
      let outside = SIMD2(max(left - x, x - right, 0), max(top - y, y - bottom, 0))
      let distance = (outside * outside).sum().squareRoot()
      let shade = max(0, 1 - distance / soft)
      return old * (1 - 0.45 * shade * shade)
    }
    canvas.fill(x0, y0, x1, y1, face)
  }

  private func drawRail() {
    let rail = SlidingBar.rail
    let (left, right) = (
      -canvas.frame.left / canvas.frame.scale, SceneCanvas.stageWidth + canvas.frame.left / canvas.frame.scale
    )
    canvas.fill(left, rail.lowerBound - 6, right, rail.upperBound + 6, canvas.grey(0.12))
    canvas.fill(left, rail.lowerBound, right, rail.upperBound, canvas.grey(0.04))
  }

  private func drawLamp() {
    let lamp = SimulatedScene.lamp
    let (x0, y0, radius) = (Float(lamp.x), Float(lamp.y), Float(lamp.radius))
    canvas.fill(lamp.x - 5, lamp.y, lamp.x + 5, SlidingBar.rail.lowerBound - 6, canvas.grey(0.03))
    let (glow, core, rim) = (canvas.color(1, 0.78, 0.5), canvas.color(15, 13.4, 11), canvas.color(6.5, 4.6, 2.6))
    canvas.repaint(canvas.box(lamp.x - 420, lamp.y - 420, lamp.x + 420, SlidingBar.rail.lowerBound - 6)) { x, y, old in
      let square = ((x - x0) * (x - x0) + (y - y0) * (y - y0)) / (radius * radius)
      return old + old * glow * (2.6 * max(0, 1 / (1 + square) - 1 / 92.1))
    }
    let scale = Float(canvas.frame.scale)
    canvas.repaint(canvas.box(lamp.x - 46, lamp.y - 46, lamp.x + 46, lamp.y + 46, margin: 1)) { x, y, old in
      let distance = ((x - x0) * (x - x0) + (y - y0) * (y - y0)).squareRoot()
      let part = min(1, distance / radius)
      let light = core + (rim - core) * (part * part)
      return old + (light - old) * max(0, min(1, (radius - distance) * scale + 0.5))
    }
  }

  // MARK: Charts

  private func drawChart() {
    let (left, top, pitch, gap) = (
      SimulatedChart.left, SimulatedChart.top, SimulatedChart.patch + SimulatedChart.gap, SimulatedChart.gap
    )
    drawCard(left, top, left + 6 * pitch + gap, top + 4 * pitch + gap, canvas.grey(0.025))
    for (index, patch) in ColorChecker.patches.enumerated() {
      let (x, y) = SimulatedChart.corner(ofPatch: index)
      let rgb = patch.linear(in: space)
      let color = SIMD4(Float(rgb.x), Float(rgb.y), Float(rgb.z), 0)
      canvas.fill(x, y, x + SimulatedChart.patch, y + SimulatedChart.patch, color)
    }
  }

  private func drawStepWedge() {
    let (left, top) = (SimulatedChart.stepLeft, SimulatedChart.stepTop)
    let (width, height) = (SimulatedChart.stepWidth, SimulatedChart.stepHeight)
    drawCard(left - 6, top - 6, left + 13 * width + 6, top + height + 6, canvas.grey(0.02))
    for (index, stops) in SimulatedChart.stepStops.enumerated() {
      let x = left + Double(index) * width
      canvas.fill(x, top, x + width, top + height, canvas.grey(0.18 * exp2(Double(stops))))
    }
  }

  private func drawResolutionCard() {
    let (paper, ink) = (canvas.grey(0.82), canvas.grey(0.03))
    drawCard(760, 110, 1080, 640, paper)
    StrokeFont.write("CAMREC", on: canvas, 792, 130, height: 36, ink)
    drawWedge(x: 860, top: 205, bottom: 525, wide: 13, narrow: 1, lines: 5, ink)
    for (index, label) in ["13", "10", "7", "4", "1"].enumerated() {
      StrokeFont.write(label, on: canvas, 960, 205 + Double(index) * 75, height: 18, ink)
      canvas.line(938, 214 + Double(index) * 75, 950, 214 + Double(index) * 75, width: 2, ink)
    }
    drawSlantedEdge(ink)
    StrokeFont.write("STAGE UNITS PER LINE", on: canvas, 785, 545, height: 10, ink)
    for period in 0..<6 {
      let pitch = [12.0, 8, 6, 4, 3, 2][period]
      let left = 785 + Double(period) * 46
      for stripe in 0..<Int(36 / pitch) {
        canvas.fill(left + Double(stripe) * pitch, 575, left + (Double(stripe) + 0.5) * pitch, 620, ink)
      }
    }
  }

  /// Dark lines around `x` that become narrower from top to bottom, each as wide as the gap to the next.
  private func drawWedge(
    x center: Double, top: Double, bottom: Double, wide: Double, narrow: Double, lines: Int, _ ink: SIMD4<Float>
  ) {
    let stripes = Float(2 * lines - 1)
    let pixel = Float(1 / canvas.frame.scale)
    let reach = wide * Double(stripes) / 2
    canvas.cover(canvas.box(center - reach, top, center + reach, bottom), ink) { x, y in
      let down = min(1, max(0, (y - Float(top)) / Float(bottom - top)))
      let stripe = Float(wide) + Float(narrow - wide) * down
      // The dark part of the pixel: the integral of the stripes across it.
      func dark(_ x: Float) -> Float {
        let place = min(max((x - Float(center)) / stripe + stripes / 2, 0), stripes)
        let pair = (place / 2).rounded(.down)
        return (pair + min(1, place - 2 * pair)) * stripe
      }
      return (dark(x + pixel / 2) - dark(x - pixel / 2)) / pixel
    }
  }

  /// A dark square turned by 5°, for the edge-spread method of ISO 12233.
  private func drawSlantedEdge(_ ink: SIMD4<Float>) {
    let angle = 5 * Double.pi / 180
    let scale = Float(canvas.frame.scale)
    let (cosine, sine) = (Float(cos(angle)), Float(sin(angle)))
    canvas.cover(canvas.box(985, 400, 1065, 480, margin: 1), ink) { x, y in
      let (dx, dy) = (x - 1025, y - 440)
      let inside = 30 - max(abs(dx * cosine + dy * sine), abs(dy * cosine - dx * sine))
      return max(0, min(1, inside * scale + 0.5))
    }
  }

  // MARK: Texture and text

  /// Dead leaves (Lee, Mumford, Huang 2001): overlapping discs with radii distributed as r⁻³.
  private func drawLeaves() {
    let (left, top, right, bottom) = (1120.0, 110.0, 1500.0, 400.0)
    drawCard(left - 8, top - 8, right + 8, bottom + 8, canvas.grey(0.7))
    canvas.fill(left, top, right, bottom, canvas.grey(0.2))
    let key = seed &* 31 &+ 3
    let (smallest, largest) = (3.0, 44.0)
    for leaf in 0..<2600 as Range<UInt64> {
      func random(_ index: UInt64) -> Double { Double(SeededNoise.uniform(key, leaf * 8 + index)) }
      let u = random(0)
      let radius = 1 / ((1 - u) / (smallest * smallest) + u / (largest * largest)).squareRoot()
      let room = 0.98 * radius
      let x = left + room + random(1) * (right - left - 2 * room)
      let y = top + room + random(2) * (bottom - top - 2 * room)
      let light = 0.04 + 0.5 * random(3) * random(4)
      let (warm, green) = (0.75 + 0.5 * random(5), 0.85 + 0.3 * random(6))
      canvas.disc(x, y, radius: radius, canvas.color(light * warm, light * green, light * (1.75 - warm) * 0.9))
    }
  }

  private func drawText() {
    let (paper, ink) = (canvas.color(0.78, 0.75, 0.68), canvas.color(0.03, 0.03, 0.04))
    drawCard(1112, 440, 1508, 640, paper)
    StrokeFont.write("SIMULATED SCENE", on: canvas, 1132, 458, height: 26, ink)
    StrokeFont.write("THE QUICK BROWN FOX", on: canvas, 1132, 500, height: 20, ink)
    StrokeFont.write("JUMPS OVER THE LAZY DOG", on: canvas, 1132, 534, height: 15, canvas.color(0.42, 0.03, 0.03))
    StrokeFont.write(
      "SPHINX OF BLACK QUARTZ 0123456789", on: canvas, 1132, 562, height: 11, canvas.color(0.02, 0.05, 0.3))
    StrokeFont.write("JUDGE MY VOW - 24 PATCHES 13 STEPS", on: canvas, 1132, 586, height: 8, ink)
    StrokeFont.write("PACK MY BOX WITH FIVE DOZEN LIQUOR JUGS 1:2.4+6", on: canvas, 1132, 606, height: 6, ink)
  }

  /// From −8 to +2.5 EV around 18 % grey, linear in EV.
  private func drawRamp() {
    let (left, right, top, bottom) = (110.0, 1810.0, 1000.0, 1046.0)
    canvas.fill(left - 8, top - 8, right + 8, bottom + 8, canvas.grey(0.02))
    let grey = canvas.grey(1)
    canvas.repaint(canvas.box(left, top, right, bottom)) { x, _, _ in
      grey * Float(0.18 * exp2(-8 + 10.5 * max(0, min(1, (Double(x) - left) / (right - left)))))
    }
  }
}
