package import Assembly
package import BakeVulkan
package import Color
package import Frames
import Kernels
import Platform

/// The time that a bake from one frame layout to another takes on a GPU. A look's grain is not part of it: the CPU adds
/// it.
package struct GPUMeasurement: Encodable {
  package let gpu: String
  package let from: String
  package let to: String
  /// Wall-clock nanoseconds per pixel from the camera's buffer to the encoder's, with several frames in flight.
  package let nanosecondsPerPixel: Double
  /// The same for the shader alone, without the copies.
  package let shaderNanosecondsPerPixel: Double

  /// Bakes frames of `reel` for about `duration`.
  package init(
    _ reel: FrameReel, to layout: PixelLayout, grade: Grade, interpolation: Interpolation, library: VulkanLibrary,
    duration: Duration
  ) throws(CamrecError) {
    let input = reel.picture
    let output = FrameFormat(width: input.width, height: input.height, layout: layout, color: .rec709)
    let kernel = try BakeKernel(
      input: input, output: output, lut: try grade.table(from: input.color, to: output.color),
      interpolation: interpolation)
    let baker = try VulkanBaker(kernel, frames: 1, library: library)
    for _ in 0..<baker.depth { try baker.begin(reel.take()) }
    let begin = MonotonicTime.now(), end = begin.advanced(by: Int64(duration / .nanoseconds(1)))
    var count = 0
    while count < 5 || MonotonicTime.now() < end {
      _ = try baker.finish()
      try baker.begin(reel.take())
      count += 1
    }
    let elapsed = MonotonicTime.now() - begin
    for _ in 0..<baker.depth { _ = try baker.finish() }
    let pixels = Double(input.width * input.height)
    gpu = baker.name
    from = input.layout.rawValue
    to = layout.rawValue
    nanosecondsPerPixel = Double(elapsed) / Double(count) / pixels
    shaderNanosecondsPerPixel = try baker.timeShader(frames: count) / pixels
  }
}
