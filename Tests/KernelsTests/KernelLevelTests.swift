import Color
import Foundation
import Frames
import Kernels
import TestKit
import Testing

/// The same bits at every level that this processor has.
@Suite struct KernelLevelTests {
  /// Bakes at each level and compares with the first one, which is scalar.
  static func check(
    _ bake: BakeCase, width: Int, height: Int, seed: UInt64, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    var random = SplitMix(seed: seed)
    let source = PictureSamples.random(width: width, height: height, layout: bake.input, using: &random)
    let from = GuardedPicture(width: width, height: height, layout: bake.input, color: bake.inputColor)
    from.samples = source
    var expected: PictureSamples?
    for level in KernelLevel.supported {
      var to = GuardedPicture(width: width, height: height, layout: bake.output, color: bake.outputColor)
      let kernel = try BakeKernel(
        input: from.frame.format, output: to.frame.format, lut: bake.lut, interpolation: bake.interpolation,
        dither: bake.dither, level: level)
      kernel.bake(from.frame, into: &to.frame)
      #expect(
        to.samples == expected ?? to.samples, "\(level): \(bake.input) to \(bake.output), \(width)×\(height)",
        sourceLocation: sourceLocation)
      #expect(from.changedGuards() + to.changedGuards() == 0, "\(level)", sourceLocation: sourceLocation)
      expected = expected ?? to.samples
    }
  }

  static let tables: [LookupTable?] = [
    nil, LookupTable.random(size: 9, in: -0.2...1.6, seed: 1),
    LookupTable(curves: LookupTable.curves(size: 65, TableTests.wave), lattice: nil),
    LookupTable(
      curves: LookupTable.curves(size: 65, TableTests.wave),
      lattice: LookupTable.random(size: 5, in: -0.2...1.6, seed: 2).lattice),
    // Steep enough for the wide path.
    LookupTable.random(size: 9, in: -40...40, seed: 3),
  ]

  @Test(arguments: PixelLayout.allCases, tables.indices)
  func everyPairOfLayouts(input: PixelLayout, table: Int) throws {
    for (number, output) in PixelLayout.allCases.filter(input.isBaked).enumerated() {
      for (width, height) in [(1 + (7 * number + table) % 67, 3), (67 - number, 2), (256 + number, 4)] {
        let bake = BakeCase(
          input: input, output: output, outputColor: width % 2 == 0 ? .rec709 : .coded(.rec601, .full),
          lut: Self.tables[table], interpolation: number % 2 == 0 ? .tetrahedral : .trilinear,
          dither: number % 3 == 0 ? .ordered : .none)
        try Self.check(bake, width: width, height: height, seed: UInt64(number))
      }
    }
  }

  @Test(arguments: Interpolation.allCases)
  func everyWidth(interpolation: Interpolation) throws {
    let lut = LookupTable.random(size: 17, in: -0.2...1.6, seed: 4)
    for width in Array(1...67) + [255, 256, 257, 319, 511, 512, 513] {
      for (input, output) in [(PixelLayout.nv12, PixelLayout.yuv420p), (.yuyv, .yuv422p), (.p010, .nv12)] {
        try Self.check(
          BakeCase(input: input, output: output, lut: lut, interpolation: interpolation), width: width, height: 3,
          seed: UInt64(width))
      }
    }
  }

  @Test(arguments: [2, 3, 33, 65, 66, 67])
  func everySize(size: Int) throws {
    // Every point its own, and cheap to make; smooth enough for 16 bits.
    let samples = (0..<size * size * size * 3).map {
      Float(($0 &* 2_654_435_761) >> 7 & 0xFFFF) / 65_536 / Float(size) + Float($0 % 3) / 4
    }
    let lut = LookupTable(lattice: .init(size: size, samples: samples))
    for interpolation in Interpolation.allCases {
      for (input, output) in [(PixelLayout.nv12, PixelLayout.yuv420p), (.p010, .yuv422p10)] {
        try Self.check(
          BakeCase(input: input, output: output, lut: lut, interpolation: interpolation), width: 130, height: 6,
          seed: UInt64(size))
      }
    }
  }

  @Test(arguments: ColorMatrix.allCases, ColorRange.allCases)
  func everyMatrixAndRange(matrix: ColorMatrix, range: ColorRange) throws {
    let lut = LookupTable.random(size: 9, in: -0.2...1.6, seed: 5)
    for (low, high) in TableTests.domains {
      let placed = LookupTable(
        lattice: .init(size: 9, samples: lut.lattice!.samples, domainMin: low, domainMax: high))
      for (input, output) in [(PixelLayout.yuyv, PixelLayout.nv12), (.p210, .p010)] {
        try Self.check(
          BakeCase(
            input: input, output: output, inputColor: .coded(matrix, range),
            outputColor: .coded(matrix, .limited), lut: placed),
          width: 131, height: 4, seed: 6)
      }
    }
  }

  /// The .cube files of the project that can be read: the reader's test set, and the tables that are shipped.
  static func cubes() throws -> [String: LookupTable] {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../..").standardized
    var tables: [String: LookupTable] = [:]
    for folder in ["Tests/Fuzz/Cubes", "LUTs"] {
      let folder = root.appendingPathComponent(folder)
      for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name.hasSuffix(".cube") {
        tables[name] = try? LookupTable(readingFile: folder.appendingPathComponent(name).path)
      }
    }
    return tables
  }

  @Test(arguments: Interpolation.allCases)
  func everyCubeOfTheTestSet(interpolation: Interpolation) throws {
    // The reader's set has some that no bake can apply.
    let cubes = try Self.cubes().filter { (try? TablePath(of: $0.value, bitDepth: 10)) != nil }
    #expect(cubes.count >= 20)
    #expect(cubes["log2709.cube"]?.lattice?.size == 33)
    for (name, lut) in cubes {
      for (input, output) in [(PixelLayout.nv12, PixelLayout.yuv420p), (.yuyv, .yuv422p), (.p010, .yuv420p10)] {
        try Self.check(
          BakeCase(input: input, output: output, lut: lut, interpolation: interpolation), width: 333, height: 7,
          seed: UInt64(name.utf8.count))
      }
    }
  }

  @Test func aLevelIsChosenByTheEnvironment() throws {
    let names = KernelLevel.supported.map(\.rawValue)
    #expect(names.first == "scalar")
    #expect(try KernelLevel.chosen(environment: [:]) == KernelLevel.supported.last)
    #expect(try KernelLevel.chosen(environment: [KernelLevel.variable: ""]) == KernelLevel.supported.last)
    for level in KernelLevel.supported {
      #expect(try KernelLevel.chosen(environment: [KernelLevel.variable: level.rawValue]) == level)
    }
    let choice = names.joined(separator: ", ")
    let unknown = #expect(throws: CamrecError.self) {
      try KernelLevel.chosen(environment: [KernelLevel.variable: "mmx"])
    }
    #expect(unknown?.code == .usage)
    #expect(
      unknown?.message == "CAMREC_CPU is 'mmx', which is not an instruction set of the bake; choose from \(choice)")
    // No processor has both of Arm's and of Intel's.
    let other = KernelLevel.supported.contains(.neon) ? "avx2" : "neon"
    let lacking = #expect(throws: CamrecError.self) {
      try KernelLevel.chosen(environment: [KernelLevel.variable: other])
    }
    #expect(lacking?.code == .usage)
    #expect(lacking?.message == "CAMREC_CPU is '\(other)', which this processor does not have; choose from \(choice)")
  }
}
