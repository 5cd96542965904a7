import Color
import Frames

/// Makes the frames of the simulated camera, one after another, without allocating.
///
/// `fast`: the static scene is developed into code values once for each light; a frame is a copy of it with the moving
/// objects developed again, plus noise. `full`: every pixel of every frame is developed with its own noise in linear
/// light.
///
/// `@unchecked Sendable`: it belongs to the one camera, which is driven by one thread at a time.
final class SimulatedPainter: @unchecked Sendable {
  private let stage: SimulatedStage
  private var development: PictureDevelopment
  private let physics: SimulatedCamera.Options.Physics
  private let seed: UInt64
  private let noise: NoiseTile
  private let marks: SimulatedMarkLayout?
  /// The layer to render: the static scene and, for one frame, the moving objects and the marks.
  private let layer: CodeLayer
  /// The static scene alone; `nil` with full physics.
  private let still: CodeLayer?
  private var stillLight: Double

  /// - Parameter longestExposure: the longest exposure time of any sensor, in seconds.
  /// - Throws: code `defect` for a transfer function or primaries without a formula.
  init(
    format: FrameFormat, sensor: SimulatedSensor, longestExposure: Double, seed: UInt64,
    physics: SimulatedCamera.Options.Physics, light: Double
  ) throws(CamrecError) {
    guard let transfer = TransferFunction(format.color.transfer), let space = RGBSpace(format.color.primaries) else {
      throw CamrecError(.defect, "the simulated camera has no formula for \(format.color.transfer.rawValue)")
    }
    self.physics = physics
    self.seed = seed
    stage = SimulatedStage(
      width: format.width, height: format.height, space: space, seed: seed, longestExposure: longestExposure)
    development = PictureDevelopment(sensor: sensor, transfer: transfer, format: format)
    noise = NoiseTile(seed: seed &* 31 &+ 8)
    marks = SimulatedMarkLayout(width: format.width, height: format.height)
    layer = CodeLayer(format: format)
    still = physics == .fast ? CodeLayer(format: format) : nil
    stillLight = light
    if still != nil { developStanding(light: light) }
  }

  /// Fills `frame` with frame `number`, whose exposure starts `seconds` after that of frame 0.
  ///
  /// - Parameter light: relative to the standard light.
  func paint(
    _ frame: inout Frame, number: UInt64, seconds: Double, sensor: SimulatedSensor, light: Double, mark: SimulatedMark
  ) {
    let key = SeededNoise.hash(seed, number)
    if still != nil, light != stillLight || sensor != development.sensor {
      development.expose(with: sensor)
      developStanding(light: light)
    }
    development.expose(with: sensor)
    stage.draw(at: seconds, duration: sensor.exposureTime)
    if still != nil {
      let boxes = stage.boxes
      develop(boxes.bar, light)
      develop(boxes.ball, light)
      develop(boxes.wheel, light)
    } else {
      development.develop(whole, of: stage.picture, light: light, noise: .drawn(key: key), into: layer)
    }
    draw(mark)
    layer.render(into: &frame, noise: noise, deviationShift: development.deviationShift, key: key)
    if let still {
      let boxes = stage.boxes
      layer.copy(boxes.bar, from: still)
      layer.copy(boxes.ball, from: still)
      layer.copy(boxes.wheel, from: still)
    }
    stage.clear()
  }

  /// Develops the scene without the moving objects; the stage is clear.
  private func developStanding(light: Double) {
    guard let still else { return }
    development.develop(whole, of: stage.picture, light: light, noise: .asDeviation, into: still)
    layer.copy(whole, from: still)
    stillLight = light
  }

  private var whole: PixelBox {
    PixelBox(columns: 0..<stage.picture.width, rows: 0..<stage.picture.height)
  }

  private func develop(_ box: PixelBox, _ light: Double) {
    development.develop(box, of: stage.picture, light: light, noise: .asDeviation, into: layer)
  }

  /// Draws the cells of `mark` in code values, without noise or colour.
  private func draw(_ mark: SimulatedMark) {
    guard let marks else { return }
    let cells = mark.cells
    let (black, white) = (
      development.lumaCode(SimulatedMark.blackLevel), development.lumaCode(SimulatedMark.whiteLevel)
    )
    for row in 0..<marks.height {
      for cell in 0..<SimulatedMark.cellCount {
        let code = cells >> UInt64(cell) & 1 == 1 ? white : black
        layer.set(layer.luma, row: row, from: cell * marks.cellWidth, count: marks.cellWidth, to: code)
      }
    }
    for row in 0..<marks.height / layer.chromaRows {
      layer.set(layer.blueDifference, row: row, from: 0, count: marks.width / 2, to: development.neutralCode)
      layer.set(layer.redDifference, row: row, from: 0, count: marks.width / 2, to: development.neutralCode)
    }
  }
}
