import BakeVulkan
import Color
import Foundation
import Frames
import TestKit
import Testing

/// The GPU's bits are the CPU's, for whatever a seed makes of layouts, colours, tables and sizes.
@Suite struct SeededIdentityTests {
  /// `CAMREC_GPU_SEEDS` takes more of them.
  static let seeds = 0..<(ProcessInfo.processInfo.environment["CAMREC_GPU_SEEDS"].flatMap { Int($0) } ?? 16)

  @Test(arguments: seeds)
  func aSeedsCase(seed: Int) throws {
    var random = SplitMix(seed: UInt64(seed) + 1000)
    var bake = GPUCase()
    bake.input = GPUCase.layouts.randomElement(using: &random) ?? .nv12
    bake.output = GPUCase.layouts.randomElement(using: &random) ?? .nv12
    bake.inputColor = Self.color(&random)
    bake.outputColor = Self.color(&random)
    bake.lut = Self.lut(&random)
    bake.interpolation = Bool.random(using: &random) ? .tetrahedral : .trilinear
    bake.dither = Bool.random(using: &random) ? .ordered : .none
    bake.transfers = Bool.random(using: &random) ? .copied : .direct
    let width = Int.random(in: 1...300, using: &random), height = Int.random(in: 1...40, using: &random)
    #expect(try bake.differences(width: width, height: height) == [])
  }

  private static func color(_ random: inout SplitMix) -> ColorDescription {
    var color = ColorDescription.rec709
    color.matrix = ColorMatrix.allCases.randomElement(using: &random) ?? .rec709
    color.range = ColorRange.allCases.randomElement(using: &random) ?? .limited
    return color
  }

  /// None, curves, a lattice, or both; of any size and range that can be applied within a code.
  private static func lut(_ random: inout SplitMix) -> LookupTable? {
    let magnitude: Double = [0.5, 1.6, 6].randomElement(using: &random) ?? 1
    let size = [2, 3, 8, 17, 33].randomElement(using: &random) ?? 2
    let seed = random.next()
    let low = SIMD3(repeating: Double.random(in: -0.3...0.2, using: &random))
    let high = SIMD3(Double.random(in: 0.7...1.5, using: &random), 1, Double.random(in: 0.7...1.5, using: &random))
    let samples = LookupTable.noise(size: size, in: -magnitude...magnitude, seed: seed).lattice?.samples ?? []
    let lattice = LookupTable.Lattice(size: size, samples: samples, domainMin: low, domainMax: high)
    let curves = LookupTable.noiseCurves(size: [2, 5, 16].randomElement(using: &random) ?? 2, seed: seed)
    let isVideo = Bool.random(using: &random)
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return nil
    case 1: return LookupTable(curves: curves, lattice: nil, inputIsVideoRange: isVideo, outputIsVideoRange: !isVideo)
    case 2:
      return LookupTable(curves: curves, lattice: lattice, inputIsVideoRange: isVideo, outputIsVideoRange: isVideo)
    default: return LookupTable(lattice: lattice, inputIsVideoRange: isVideo, outputIsVideoRange: isVideo)
    }
  }
}
