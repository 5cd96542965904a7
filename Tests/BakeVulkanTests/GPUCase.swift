import BakeVulkan
import Color
import Frames
import Kernels
import TestSupport
import Testing

/// One bake by a GPU beside the same one by the CPU's kernels.
struct GPUCase {
  var input = PixelLayout.nv12
  var output = PixelLayout.yuv420p
  var inputColor = ColorDescription.rec709
  var outputColor = ColorDescription.rec709
  var lut: LookupTable?
  var interpolation = Interpolation.tetrahedral
  var dither = Dither.none
  var transfers = VulkanBaker.Transfers.automatic

  /// The system's own; Mesa's software driver will do.
  static let library = Result { try VulkanLibrary() }

  func kernel(width: Int, height: Int) throws -> BakeKernel {
    try BakeKernel(
      input: FrameFormat(width: width, height: height, layout: input, color: inputColor),
      output: FrameFormat(width: width, height: height, layout: output, color: outputColor), lut: lut,
      interpolation: interpolation, dither: dither)
  }

  /// Bakes noise on both and compares every byte of every row.
  func compare(width: Int, height: Int, frames: Int = 1) throws {
    let kernel = try kernel(width: width, height: height)
    let gpu = try VulkanBaker(kernel, frames: 1, library: try Self.library.get(), transfers: transfers)
    // Strides that are not the GPU's own.
    let strides = (0..<kernel.input.planeCount).map { input.rowBytes(plane: $0, width: width) + 2 * $0 + 6 }
    let pool = FramePool(
      format: FrameFormat(width: width, height: height, layout: input, color: inputColor, strides: strides),
      capacity: 1)
    var random = SplitMix(seed: UInt64(width * 1000 + height))
    for number in 0..<frames {
      let noise = try NoiseFrame.take(from: pool, using: &random)
      let expected = NoiseFrame.rows(try NoiseFrame.bake(noise, by: kernel))
      try gpu.begin(noise)
      let baked = NoiseFrame.rows(try gpu.finish())
      #expect(baked == expected, "\(input) to \(output), \(width)×\(height), frame \(number)")
    }
  }
}
