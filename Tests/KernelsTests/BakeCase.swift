import Color
import Frames
import Kernels
import TestKit
import Testing

/// One bake by the kernels beside the same one by the reference.
struct BakeCase {
  var input: PixelLayout
  var output: PixelLayout
  var inputColor = ColorDescription.rec709
  var outputColor = ColorDescription.rec709
  var lut: LookupTable?
  var interpolation = Interpolation.tetrahedral
  var dither = Dither.none

  struct Outcome {
    let baked: PictureSamples
    let expected: PictureSamples
    /// The greatest difference of two codes.
    let greatestDifference: Int
    /// Codes that differ at all, of all.
    let differing: Double
    let changedGuards: Int
  }

  func bake(_ source: PictureSamples) throws -> Outcome {
    let from = GuardedPicture(width: source.width, height: source.height, layout: input, color: inputColor)
    var to = GuardedPicture(width: source.width, height: source.height, layout: output, color: outputColor)
    from.samples = source
    let kernel = try BakeKernel(
      input: from.frame.format, output: to.frame.format, lut: lut, interpolation: interpolation,
      dither: dither)
    kernel.bake(from.frame, into: &to.frame)
    let baked = to.samples
    let reference = ReferenceBake(
      input: .init(layout: input, color: inputColor), output: .init(layout: output, color: outputColor), lut: lut,
      interpolation: interpolation)
    let expected = reference.bake(source)
    func codes(_ samples: PictureSamples) -> [Int] { samples.luma + samples.cb + samples.cr }
    let differences = zip(codes(baked), codes(expected)).map { abs($0 - $1) }
    return Outcome(
      baked: baked, expected: expected, greatestDifference: differences.max() ?? 0,
      differing: Double(differences.count { $0 > 0 }) / Double(differences.count),
      changedGuards: from.changedGuards() + to.changedGuards())
  }

  func bake(width: Int, height: Int, seed: UInt64) throws -> Outcome {
    var random = SplitMix(seed: seed)
    return try bake(.random(width: width, height: height, layout: input, using: &random))
  }
}

extension ColorDescription {
  static func coded(_ matrix: ColorMatrix, _ range: ColorRange) -> ColorDescription {
    var color = ColorDescription.rec709
    color.matrix = matrix
    color.range = range
    return color
  }
}

extension LookupTable {
  static func lattice(
    size: Int, domainMin: SIMD3<Double> = .zero, domainMax: SIMD3<Double> = .one,
    _ value: (SIMD3<Double>) -> SIMD3<Double>
  ) -> LookupTable {
    LookupTable(lattice: points(size: size, domainMin: domainMin, domainMax: domainMax, value))
  }

  /// - Parameter value: makes a point of its place in the domain.
  static func points(
    size: Int, domainMin: SIMD3<Double> = .zero, domainMax: SIMD3<Double> = .one,
    _ value: (SIMD3<Double>) -> SIMD3<Double>
  ) -> Lattice {
    var samples: [Float] = []
    samples.reserveCapacity(size * size * size * 3)
    for blue in 0..<size {
      for green in 0..<size {
        for red in 0..<size {
          let place = SIMD3(Double(red), Double(green), Double(blue)) / Double(size - 1)
          let made = value(domainMin + (domainMax - domainMin) * place)
          samples.append(Float(made.x))
          samples.append(Float(made.y))
          samples.append(Float(made.z))
        }
      }
    }
    return Lattice(size: size, samples: samples, domainMin: domainMin, domainMax: domainMax)
  }

  static func random(size: Int, in range: ClosedRange<Double>, seed: UInt64) -> LookupTable {
    var random = SplitMix(seed: seed)
    return lattice(size: size) { _ in
      SIMD3(
        Double.random(in: range, using: &random), Double.random(in: range, using: &random),
        Double.random(in: range, using: &random))
    }
  }

  static func curves(
    size: Int, domainMin: SIMD3<Double> = .zero, domainMax: SIMD3<Double> = .one,
    _ value: (SIMD3<Double>) -> SIMD3<Double>
  ) -> Curves {
    let samples = (0..<size).flatMap { index in
      let made = value(domainMin + (domainMax - domainMin) * (Double(index) / Double(size - 1)))
      return [Float(made.x), Float(made.y), Float(made.z)]
    }
    return Curves(size: size, samples: samples, domainMin: domainMin, domainMax: domainMax)
  }
}
