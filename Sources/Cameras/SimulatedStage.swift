import Color

/// The linear picture of the scene, with its moving objects.
///
/// The moving objects are drawn directly into the static picture, which is restored afterwards: `draw` saves the pixels
/// under them, `clear` puts them back.
///
/// `@unchecked Sendable`: it belongs to the one camera that draws in it, which is driven by one thread at a time.
@safe final class SimulatedStage: @unchecked Sendable {
  let picture: PixelPlane<SIMD4<Float>>
  /// The areas that the last `draw` changed, on even edges; each may be empty.
  private(set) var boxes: (bar: PixelBox, ball: PixelBox, wheel: PixelBox) = (.empty, .empty, .empty)

  private let bar: SlidingBar
  private var ball: BouncingBall
  private let wheel: SpinningWheel?
  private var drawn: (bar: PixelBox, ball: PixelBox, wheel: PixelBox) = (.empty, .empty, .empty)
  private let saved: PixelPlane<SIMD4<Float>>

  /// - Parameter longestExposure: the longest exposure time of any frame, in seconds.
  init(width: Int, height: Int, space: RGBSpace, seed: UInt64, longestExposure: Double) {
    picture = PixelPlane(width: width, height: height, repeating: .zero)
    SimulatedScene.draw(into: picture, space: space, seed: seed)
    let canvas = SceneCanvas(picture: picture, space: space)
    bar = SlidingBar(canvas: canvas, seed: seed)
    ball = BouncingBall(canvas: canvas, seed: seed, duration: longestExposure)
    wheel = SpinningWheel(canvas: canvas, seed: seed)
    let area = bar.largestArea + ball.largestArea(duration: longestExposure) + (wheel?.largestArea ?? 0)
    saved = PixelPlane(width: area, height: 1, repeating: .zero)
  }

  /// Draws the moving objects as seen by an exposure of `duration` seconds that starts at `time` seconds.
  func draw(at time: Double, duration: Double) {
    var places = 0
    let barBox = bar.box(at: time, duration: duration)
    let ballBox = ball.move(at: time, duration: duration)
    save(barBox, &places)
    bar.draw(barBox, at: time, duration: duration, into: picture)
    save(ballBox, &places)
    ball.draw(ballBox, into: picture)
    save(wheel?.box ?? .empty, &places)
    wheel?.draw(at: time, duration: duration, into: picture)
    drawn = (barBox, ballBox, wheel?.box ?? .empty)
    boxes = (even(barBox), even(ballBox), even(drawn.wheel))
  }

  /// Restores the static picture.
  func clear() {
    var places = drawn.bar.area + drawn.ball.area + drawn.wheel.area
    restore(drawn.wheel, &places)
    restore(drawn.ball, &places)
    restore(drawn.bar, &places)
    drawn = (.empty, .empty, .empty)
  }

  private func even(_ box: PixelBox) -> PixelBox { box.evened(width: picture.width, height: picture.height) }

  private func save(_ box: PixelBox, _ place: inout Int) {
    guard !box.isEmpty else { return }
    precondition(place + box.area <= saved.width, "the moving objects fit into their largest boxes")
    for row in box.rows {
      unsafe (saved.row(0) + place).update(from: picture.row(row) + box.columns.lowerBound, count: box.columns.count)
      place += box.columns.count
    }
  }

  /// Restores the boxes in the reverse order of `save`.
  private func restore(_ box: PixelBox, _ end: inout Int) {
    guard !box.isEmpty else { return }
    end -= box.area
    for (index, row) in box.rows.enumerated() {
      let place = end + index * box.columns.count
      unsafe (picture.row(row) + box.columns.lowerBound).update(from: saved.row(0) + place, count: box.columns.count)
    }
  }
}
