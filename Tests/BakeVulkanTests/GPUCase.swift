import BakeVulkan
import Color
import Frames
import Kernels
import TestKit

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

  /// What a GPU bakes.
  static let layouts = PixelLayout.allCases.filter { $0.chroma != .yuv444 }

  /// The system's own; Mesa's software driver will do.
  static let vulkan = Result { try VulkanLibrary() }

  func kernel(width: Int, height: Int) throws -> BakeKernel {
    try BakeKernel(
      input: FrameFormat(width: width, height: height, layout: input, color: inputColor),
      output: FrameFormat(width: width, height: height, layout: output, color: outputColor), lut: lut,
      interpolation: interpolation, dither: dither)
  }

  /// Bakes noise on both; says which of the frames differ in any byte of any row.
  func differences(width: Int, height: Int, frames: Int = 1) throws -> [String] {
    let kernel = try kernel(width: width, height: height)
    let gpu = try VulkanBaker(kernel, frames: 1, library: try Self.vulkan.get(), transfers: transfers)
    // Strides that are not the GPU's own.
    let strides = (0..<kernel.input.planeCount).map { input.rowBytes(plane: $0, width: width) + 2 * $0 + 6 }
    let pool = FramePool(
      format: FrameFormat(width: width, height: height, layout: input, color: inputColor, strides: strides),
      capacity: 1)
    var random = SplitMix(seed: UInt64(width * 1000 + height))
    var differences: [String] = []
    for number in 0..<frames {
      let noise = try NoiseFrame.take(from: pool, using: &random)
      let expected = FrameRows.of(try NoiseFrame.bake(noise, by: kernel))
      try gpu.begin(noise)
      guard FrameRows.of(try gpu.finish()) != expected else { continue }
      differences.append("\(input) to \(output), \(width)×\(height), frame \(number)")
    }
    return differences
  }
}
