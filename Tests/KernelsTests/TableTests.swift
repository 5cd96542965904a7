import Color
import Frames
import Kernels
import TestKit
import Testing

/// Bakes through a table: at most one code from the reference.
@Suite struct TableTests {
  @Test(arguments: PixelLayout.allCases)
  func everyLayoutAtOddSizes_andNothingElseIsTouched(input: PixelLayout) throws {
    let lut = LookupTable.random(size: 9, in: -0.2...1.6, seed: 1)
    for (number, output) in PixelLayout.allCases.filter(input.isBaked).enumerated() {
      let width = 1 + (number * 11 + input.rawValue.count * 7) % 67
      for (width, height) in [(width, 3), (68 - width, 2), (1 + number, 5)] {
        let outcome = try BakeCase(input: input, output: output, outputColor: .rec601, lut: lut).bake(
          width: width, height: height, seed: UInt64(width))
        #expect(outcome.greatestDifference <= 1, "\(input) to \(output), \(width)×\(height)")
        #expect(outcome.changedGuards == 0, "\(input) to \(output), \(width)×\(height)")
      }
    }
  }

  @Test func everyWidth() throws {
    let lut = LookupTable.random(size: 5, in: -0.2...1.6, seed: 2)
    for width in Array(1...67) + [255, 256, 257, 511, 513] {
      for height in width < 68 ? 1...4 : 3...3 {
        let outcome = try BakeCase(input: .nv12, output: .yuv420p, lut: lut).bake(
          width: width, height: height, seed: UInt64(height))
        #expect(outcome.greatestDifference <= 1, "\(width)×\(height)")
        #expect(outcome.changedGuards == 0, "\(width)×\(height)")
      }
    }
  }

  @Test(arguments: Interpolation.allCases, [2, 3, 17, 33])
  func randomCubes(interpolation: Interpolation, size: Int) throws {
    let lut = LookupTable.random(size: size, in: -0.2...1.6, seed: UInt64(size))
    for (input, output) in [(PixelLayout.nv12, PixelLayout.yuv420p), (.yuyv, .yuv422p10), (.p010, .yuv420p10)] {
      for range in ColorRange.allCases {
        let outcome = try BakeCase(
          input: input, output: output, inputColor: .coded(.rec2020, range), lut: lut, interpolation: interpolation
        ).bake(width: 64, height: 16, seed: 3)
        #expect(outcome.greatestDifference <= 1)
        // The kernels are closer than they have to be.
        #expect(outcome.differing < 0.15)
      }
    }
  }

  /// The greatest size there is takes half a minute without optimisation.
  #if DEBUG
    static let greatSizes = [65, 96]
  #else
    static let greatSizes = [65, 256]
  #endif

  @Test(arguments: greatSizes)
  func greatCubes(size: Int) throws {
    // Every point its own, and cheap to make.
    let samples = (0..<size * size * size * 3).map { Float(($0 &* 2_654_435_761) >> 7 & 0xFFFF) / 36_408 - 0.2 }
    let lut = LookupTable(lattice: .init(size: size, samples: samples))
    for (interpolation, output) in [(Interpolation.tetrahedral, PixelLayout.yuv420p), (.trilinear, .yuv420p10)] {
      let outcome = try BakeCase(
        input: .p010, output: output, inputColor: .rec2020, lut: lut, interpolation: interpolation
      ).bake(width: 66, height: 18, seed: 5)
      #expect(outcome.greatestDifference <= 1)
    }
  }

  @Test(arguments: Interpolation.allCases, [10.0, 100])
  func extremeCubes(interpolation: Interpolation, magnitude: Double) throws {
    for size in [2, 17] {
      let lut = LookupTable.random(size: size, in: -magnitude...magnitude, seed: 6)
      for (input, output) in [(PixelLayout.nv12, PixelLayout.yuv420p), (.uyvy, .yuv422p10), (.p210, .yuv422p10)] {
        let outcome = try BakeCase(
          input: input, output: output, outputColor: .coded(.rec601, .full), lut: lut, interpolation: interpolation
        ).bake(width: 64, height: 16, seed: 7)
        #expect(outcome.greatestDifference <= 1)
      }
    }
  }

  /// A tame curve and a wild one, over the whole of their domain.
  static func wave(_ x: SIMD3<Double>) -> SIMD3<Double> { SIMD3(x.x * x.x, 1.3 * x.y - 0.1, 1 - 0.8 * x.z) }

  @Test(arguments: [2, 5, 33, 1024, 4096, 65536])
  func curvesAlone(size: Int) throws {
    var random = SplitMix(seed: 8)
    let wild = LookupTable.curves(size: size) { _ in
      SIMD3(
        Double.random(in: -0.2...1.6, using: &random), Double.random(in: -0.2...1.6, using: &random),
        Double.random(in: -0.2...1.6, using: &random))
    }
    for curves in [LookupTable.curves(size: size, Self.wave), wild] {
      for (input, output) in [(PixelLayout.nv12, PixelLayout.yuv420p), (.yuyv, .yuv422p10), (.p010, .yuv420p10)] {
        let outcome = try BakeCase(input: input, output: output, lut: LookupTable(curves: curves, lattice: nil)).bake(
          width: 65, height: 15, seed: 9)
        #expect(outcome.greatestDifference <= 1)
        #expect(outcome.changedGuards == 0)
      }
    }
  }

  @Test(arguments: Interpolation.allCases)
  func curvesBeforeALattice(interpolation: Interpolation) throws {
    let steep = LookupTable.curves(size: 17) { SIMD3(3 * $0.x - 1, 1 - $0.y, $0.z > 0.5 ? 4 : -2) }
    for (number, curves) in [LookupTable.curves(size: 1024, Self.wave), steep].enumerated() {
      let lattice = LookupTable.random(size: 9, in: -0.2...1.6, seed: UInt64(number)).lattice
      for (input, output) in [(PixelLayout.nv12, PixelLayout.yuv420p), (.yuyv, .yuv422p10), (.p010, .yuv420p10)] {
        let outcome = try BakeCase(
          input: input, output: output, lut: LookupTable(curves: curves, lattice: lattice),
          interpolation: interpolation
        ).bake(width: 65, height: 15, seed: 10)
        #expect(outcome.greatestDifference <= 1)
        #expect(outcome.changedGuards == 0)
      }
    }
  }

  static let domains: [(SIMD3<Double>, SIMD3<Double>)] = [
    (SIMD3(0.5, 0.5, 0.5), SIMD3(1.5, 1.5, 1.5)), (.zero, SIMD3(0.5, 0.5, 0.5)), (SIMD3(-0.2, 0, 0.1), SIMD3(1, 2, 8)),
    (SIMD3(0.4, 0.4, 0.4), SIMD3(0.41, 0.41, 0.41)), (SIMD3(-1000, 0, 0), SIMD3(1000, 65504, 1)),
    (SIMD3(5, 5, 5), SIMD3(6, 6, 6)),
  ]

  @Test(arguments: domains.indices)
  func domainsOfLatticesAndCurves(index: Int) throws {
    let (low, high) = Self.domains[index]
    var random = SplitMix(seed: 11)
    func noise(_: SIMD3<Double>) -> SIMD3<Double> {
      SIMD3(
        Double.random(in: -0.2...1.6, using: &random), Double.random(in: -0.2...1.6, using: &random),
        Double.random(in: -0.2...1.6, using: &random))
    }
    let lattice = LookupTable.points(size: 9, domainMin: low, domainMax: high, noise)
    let curves = LookupTable.curves(size: 33, domainMin: low, domainMax: high) {
      Self.wave(($0 - low) / (high - low))
    }
    for lut in [
      LookupTable(lattice: lattice), LookupTable(curves: curves, lattice: nil),
      LookupTable(curves: LookupTable.curves(size: 9, domainMin: low, domainMax: high, noise), lattice: nil),
      LookupTable(curves: LookupTable.curves(size: 9) { low + (high - low) * $0 }, lattice: lattice),
    ] {
      for (input, output) in [(PixelLayout.nv12, PixelLayout.yuv420p), (.p010, .yuv420p10)] {
        let outcome = try BakeCase(input: input, output: output, lut: lut).bake(width: 65, height: 15, seed: 12)
        #expect(outcome.greatestDifference <= 1)
      }
    }
  }

  @Test(arguments: [(true, false), (false, true), (true, true)])
  func videoRangeOfTheTable(input: Bool, output: Bool) throws {
    let base = LookupTable.random(size: 9, in: -0.2...1.6, seed: 13)
    for curves in [nil, LookupTable.curves(size: 65, Self.wave)] {
      for lattice in [base.lattice, nil] where curves != nil || lattice != nil {
        let lut = LookupTable(
          curves: curves, lattice: lattice, inputIsVideoRange: input, outputIsVideoRange: output)
        for (from, to) in [(PixelLayout.nv12, PixelLayout.yuv420p), (.p010, .yuv420p10)] {
          let outcome = try BakeCase(input: from, output: to, lut: lut).bake(width: 65, height: 15, seed: 14)
          #expect(outcome.greatestDifference <= 1)
        }
      }
    }
  }

  // MARK: Refusals

  @Test func aSampleThatIsNoNumberIsRefused() {
    let lut = LookupTable.lattice(size: 2) { $0.x == 1 ? SIMD3(.nan, 0, 0) : $0 }
    let error = #expect(throws: CamrecError.self) {
      try BakeCase(input: .nv12, output: .yuv420p, lut: lut).bake(width: 4, height: 4, seed: 1)
    }
    #expect(error?.code == .input)
    #expect(error?.message == "the LUT has a value that is not a finite number; repair or re-export it")
  }

  @Test func aDomainWithoutWidthIsRefused() {
    let lut = LookupTable.lattice(size: 2, domainMin: .zero, domainMax: SIMD3(1, 0, 1)) { $0 }
    let error = #expect(throws: CamrecError.self) {
      try BakeCase(input: .nv12, output: .yuv420p, lut: lut).bake(width: 4, height: 4, seed: 1)
    }
    #expect(error?.code == .input)
    #expect(
      error?.message == "the LUT's domain runs from 0.0 to 0.0 in green; its end must lie above its start")
  }

  @Test func aTableThatCannotBeKeptToIsRefused() {
    let steep = LookupTable.random(size: 17, in: -1e7...1e7, seed: 15)
    let narrow = LookupTable.lattice(size: 33, domainMin: .zero, domainMax: SIMD3(repeating: 1e-9)) { $0 * 1e9 }
    let narrowest = LookupTable.lattice(size: 3, domainMin: .zero, domainMax: SIMD3(repeating: 1e-300)) { $0 * 1e300 }
    let shaped = LookupTable(curves: LookupTable.curves(size: 5) { $0 }, lattice: narrowest.lattice)
    for lut in [steep, narrow, narrowest, shaped] {
      let error = #expect(throws: CamrecError.self) {
        try BakeCase(input: .p010, output: .yuv420p10, lut: lut).bake(width: 4, height: 4, seed: 1)
      }
      #expect(error?.code == .input)
      #expect(error?.message.hasPrefix("the LUT cannot be applied to within one code value: ") == true)
    }
  }

  /// Samples that are all alike forgive any coordinate; a domain so narrow that coordinates cannot be said is refused.
  @Test(arguments: [1e-5, 1e-7, 1e-8, 3e-9, 1e-9, 1e-12, 1e-20, 1e-300, 1e-307])
  func aFlatTableOverANarrowDomainIsRightOrRefused(width: Double) throws {
    let end = SIMD3(repeating: width)
    for rise in [0, 0.0005] {
      let lattice = LookupTable.points(size: 2, domainMax: end) { SIMD3(0.5 + rise * $0.x / width, 0.5, 0.5) }
      let curves = LookupTable.curves(size: 2, domainMax: end) { SIMD3(repeating: 0.5) + rise * $0 / width }
      let gentle = LookupTable.curves(size: 4) { $0 }
      for lut in [
        LookupTable(lattice: lattice), LookupTable(curves: curves, lattice: nil),
        LookupTable(curves: curves, lattice: lattice),
        LookupTable(curves: gentle, lattice: lattice),
      ] {
        do {
          let outcome = try BakeCase(input: .nv12, output: .yuv420p, lut: lut).bake(width: 16, height: 16, seed: 2)
          #expect(outcome.greatestDifference <= 1, "\(width) \(rise)")
        } catch let error as CamrecError {
          #expect(error.code == .input && width < 1e-6, "\(width) \(rise): \(error)")
        }
      }
    }
  }
}
