import BakeVulkan
import Color
import Frames
import Kernels
import Testing

/// The GPU's bits are the CPU's.
@Suite struct IdentityTests {
  static let cube = LookupTable.noise(size: 9, seed: 1)

  // MARK: Layouts and sizes

  @Test(arguments: GPUCase.layouts)
  func everyLayoutInAndOut(input: PixelLayout) throws {
    let all = GPUCase.layouts, index = all.firstIndex(of: input) ?? 0
    let through = GPUCase(input: input, output: all[(index + 1) % all.count], outputColor: .rec601, lut: Self.cube)
    #expect(try through.differences(width: 61 + index, height: 5 + index % 2) == [])
    let repacked = GPUCase(input: input, output: all[(index + 4) % all.count])
    #expect(try repacked.differences(width: 70 - index, height: 6 + index % 2) == [])
    var matrix = GPUCase(input: input, output: all[(index + 7) % all.count])
    matrix.inputColor = .rec2020
    matrix.outputColor.range = .full
    #expect(try matrix.differences(width: 33 + index, height: 3 + index % 2) == [])
  }

  static let sizes = [(1, 1), (2, 2), (3, 1), (7, 2), (8, 3), (9, 4), (16, 5), (63, 7), (257, 9), (530, 17)]

  @Test(arguments: sizes.indices)
  func oddSizes(index: Int) throws {
    let (width, height) = Self.sizes[index]
    #expect(try GPUCase(lut: Self.cube).differences(width: width, height: height) == [])
    #expect(try GPUCase(input: .yuyv, output: .p010).differences(width: width, height: height) == [])
  }

  @Test(arguments: [VulkanBaker.Transfers.copied, .direct])
  func bothWaysIntoTheGPU_frameAfterFrame(transfers: VulkanBaker.Transfers) throws {
    #expect(try GPUCase(lut: Self.cube, transfers: transfers).differences(width: 322, height: 181, frames: 7) == [])
  }

  // MARK: Operations

  @Test(arguments: Interpolation.allCases, [2, 17, 33, 65])
  func latticesOfEverySize(interpolation: Interpolation, size: Int) throws {
    let bake = GPUCase(lut: .noise(size: size, seed: UInt64(size)), interpolation: interpolation)
    #expect(try bake.differences(width: 66, height: 20) == [])
  }

  /// Samples so far apart that 16 bits are not enough.
  @Test(arguments: Interpolation.allCases, [10.0, 100])
  func wideLattices(interpolation: Interpolation, magnitude: Double) throws {
    let bake = GPUCase(
      input: .p010, output: .yuv422p10, outputColor: .rec2020,
      lut: .noise(size: 17, in: -magnitude...magnitude, seed: 2), interpolation: interpolation)
    #expect(try Self.isWide(bake))
    #expect(try bake.differences(width: 66, height: 20) == [])
  }

  static func isWide(_ bake: GPUCase) throws -> Bool {
    guard case .table(let table) = try bake.kernel(width: 2, height: 2).constants.operation else { return false }
    return [.tetrahedral32, .trilinear32].contains(table.interpolation)
  }

  @Test(arguments: [2, 33, 4096, 65536])
  func curvesAlone(size: Int) throws {
    for (input, output) in [(PixelLayout.nv12, PixelLayout.yuv420p), (.p210, .yuv420p10)] {
      let lut = LookupTable(curves: LookupTable.noiseCurves(size: size, seed: 3), lattice: nil)
      #expect(try GPUCase(input: input, output: output, lut: lut).differences(width: 65, height: 15) == [])
    }
  }

  @Test(arguments: Interpolation.allCases, [1.6, 10])
  func curvesBeforeALattice(interpolation: Interpolation, magnitude: Double) throws {
    let lut = LookupTable(
      curves: LookupTable.noiseCurves(size: 17, in: -0.4...1.3, seed: 4),
      lattice: LookupTable.noise(size: 9, in: -magnitude...magnitude, seed: 5).lattice)
    for (input, output) in [(PixelLayout.nv12, PixelLayout.yuv420p), (.p010, .yuv422p10)] {
      let bake = GPUCase(input: input, output: output, lut: lut, interpolation: interpolation)
      #expect(try magnitude < 10 || input == .nv12 || Self.isWide(bake))
      #expect(try bake.differences(width: 65, height: 15) == [])
    }
  }

  @Test func domainsAndVideoRange() throws {
    let lattice = LookupTable.Lattice(
      size: 9, samples: LookupTable.noise(size: 9, seed: 6).lattice?.samples ?? [], domainMin: SIMD3(-0.2, 0, 0.1),
      domainMax: SIMD3(1, 2, 8))
    let lut = LookupTable(lattice: lattice, inputIsVideoRange: true, outputIsVideoRange: true)
    #expect(
      try GPUCase(input: .uyvy, output: .nv12, inputColor: .rec601, lut: lut).differences(width: 65, height: 15) == [])
  }

  @Test func dithering() throws {
    for bake in [
      GPUCase(input: .p010, output: .yuv420p, lut: Self.cube, dither: .ordered),
      GPUCase(input: .yuv422p10, output: .uyvy, lut: .noise(size: 5, in: -100...100, seed: 7), dither: .ordered),
      GPUCase(input: .p210, output: .nv12, dither: .ordered),
      GPUCase(input: .p010, output: .yuv422p, inputColor: .rec2020, dither: .ordered),
    ] { #expect(try bake.differences(width: 66, height: 20) == []) }
  }
}
