import Bake
import Cameras
import Color
package import Drawing
package import Frames
import Kernels
package import Looks

extension LookPlot {
  /// Heights of pictures whose grain is drawn by frequency: two of films, and one of a still.
  private static let heights = [1080, 2160, 6000]

  /// - Throws: code `defect` if the simulated camera makes no frame.
  package init(of look: Look) throws(CamrecError) {
    let shown = try LookChain(look, from: .rec709, to: .rec709)
    let curve = TransferFunction(.srgb)
    let patches = ColorChecker.patches.map { patch in
      let linear = patch.linearRec709
      let before = curve?.encode(linear) ?? linear
      let after = shown.signal(for: before)
      return Patch(
        before: before, after: after, labBefore: Oklab(linearRec709: linear),
        labAfter: Oklab(linearRec709: curve?.decode(after) ?? after))
    }
    let grain = GrainKernel.Settings(intensity: look.grain.intensity, size: look.grain.size, seed: 1)
    let pictures = try LookPlot.testPictures(look)
    self.init(
      points: look.curve.points.map { SIMD2($0.x, $0.y) }, curve: { look.curve.value(at: $0) },
      greys: { look.table.evaluate(SIMD3(repeating: $0), interpolation: .tetrahedral) }, patches: patches,
      desaturation: { look.desaturation.share(luma: $0) }, grain: { grain.deviation(luma: $0) },
      blurs: LookPlot.heights.map { height in
        Blur(height: height, sigma: grain.sigma(width: 2 * height, height: height))
      },
      before: pictures.before, after: pictures.after)
  }

  /// A frame of the simulated camera, and what `camrec record --look` makes of it.
  private static func testPictures(_ look: Look) throws(CamrecError) -> (before: Picture, after: Picture) {
    let options = try SimulatedCamera.Options(parsing: "pace=pulled,physics=fast")
    let camera = try SimulatedCamera(
      options, request: CameraRequest(width: 704, height: 396, pixelFormat: "nv12"),
      clock: SimulatedClock(pace: options.pace), frames: 1)
    try camera.start()
    defer { camera.stop() }
    guard case .frame(let captured) = try camera.next(), case .frame(let frame) = captured.takeImage() else {
      throw CamrecError(.defect, "the simulated camera made no frame")
    }
    let grade = Grade.look(look, seed: 1)
    let baker = try Baker(
      input: frame.format, outputLayout: .yuv420p, outputColor: .rec709,
      lut: try grade.table(from: frame.format.color, to: .rec709), interpolation: .tetrahedral, grain: grade.grain,
      workers: 1, frames: 1)
    let before = picture(of: frame)
    return (before, picture(of: try baker.bake(frame)))
  }

  private static func picture(of frame: borrowing Frame) -> Picture {
    let samples = PictureSamples(frame)
    return Picture(samples, layout: frame.format.layout, color: frame.format.color, width: samples.width)
  }
}
