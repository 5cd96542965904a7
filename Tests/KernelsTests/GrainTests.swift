import Color
import Foundation
import Frames
import Kernels
import TestKit
import Testing

@Suite struct GrainTests {
  private static func settings(
    _ intensity: Double = 0.04, size: Rational = Rational(1, 3000), seed: UInt64 = 1
  ) -> GrainKernel.Settings {
    GrainKernel.Settings(intensity: intensity, size: size, seed: seed)
  }

  // MARK: The same bits

  @Test(arguments: PixelLayout.allCases, KernelLevel.supported)
  func everyLevelGivesThePlainGrain(layout: PixelLayout, level: KernelLevel) throws {
    var random = SplitMix(seed: 7)
    let sizes = [(1, 1, 3000), (67, 35, 3000), (263, 9, 3000), (515, 6, 3), (40, 50, 10), (13, 20, 2)]
    for (width, height, size) in sizes {
      for range in [ColorRange.limited, .full] {
        let picture = GuardedPicture(width: width, height: height, layout: layout, color: .coded(.rec709, range))
        let before = PictureSamples.random(width: width, height: height, layout: layout, using: &random)
        picture.samples = before
        let settings = Self.settings(0.3, size: Rational(1, Int64(size)), seed: 99)
        let kernel = try GrainKernel(settings, format: picture.frame.format, level: level)
        kernel.add(rows: 0..<height, of: picture.frame.storage, picture.frame.format, number: 5)
        let after = picture.samples
        let expected = PlainGrain(kernel).added(to: before, frame: 5)
        #expect(after.luma == expected, "\(width)×\(height), \(range)")
        #expect(after.cb == before.cb && after.cr == before.cr)
        #expect(picture.changedGuards() == 0)
      }
    }
  }

  @Test func anyDivisionIntoRowsGivesTheSameBits() throws {
    var random = SplitMix(seed: 8)
    let before = PictureSamples.random(width: 300, height: 61, layout: .yuv420p10, using: &random)
    func grained(_ ends: [Int]) throws -> [Int] {
      let picture = GuardedPicture(width: 300, height: 61, layout: .yuv420p10, color: .rec709)
      picture.samples = before
      let kernel = try GrainKernel(Self.settings(size: Rational(1, 30)), format: picture.frame.format)
      for (first, end) in zip([0] + ends, ends + [61]).reversed() {
        kernel.add(rows: first..<end, of: picture.frame.storage, picture.frame.format, number: 1)
      }
      return picture.samples.luma
    }
    let whole = try grained([])
    #expect(try grained([1]) == whole && grained([7, 8, 30, 59]) == whole && grained(Array(1...60)) == whole)
  }

  // MARK: What it looks like

  /// The grain of a grey of this code.
  private static func grain(
    code: Int, width: Int, height: Int, rows: Int, layout: PixelLayout = .yuv420p10,
    _ settings: GrainKernel.Settings = settings(), frame: Int64 = 0
  ) throws -> [Double] {
    let format = FrameFormat(width: width, height: height, layout: layout, color: .rec709)
    let pool = FramePool(format: format, capacity: 1)
    guard var picture = pool.take() else { throw CamrecError(.defect, "there is no frame") }
    let stride = format.stride(plane: 0), isWide = layout.bytesPerSample == 2
    picture.withMutablePlane(0) { bytes in
      for at in 0..<rows * stride where !isWide { bytes[at] = UInt8(code) }
      for at in 0..<rows * stride / 2 where isWide {
        bytes.storeBytes(of: UInt16(code), toByteOffset: 2 * at, as: UInt16.self)
      }
    }
    try GrainKernel(settings, format: format).add(rows: 0..<rows, of: picture.storage, format, number: frame)
    return picture.withPlane(0) { bytes in
      var result: [Double] = []
      result.reserveCapacity(rows * width)
      for y in 0..<rows {
        for x in 0..<width {
          let at = y * stride
          let found =
            isWide ? Int(bytes.loadUnaligned(fromByteOffset: at + 2 * x, as: UInt16.self)) : Int(bytes[at + x])
          result.append(Double(found - code))
        }
      }
      return result
    }
  }

  private static func deviation(_ values: [Double]) -> Double {
    let mean = values.reduce(0, +) / Double(values.count)
    return (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count)).squareRoot()
  }

  private static func correlation(_ a: ArraySlice<Double>, _ b: ArraySlice<Double>) -> Double {
    var (ab, aa, bb) = (0.0, 0.0, 0.0)
    for (x, y) in zip(a, b) {
      ab += x * y
      aa += x * x
      bb += y * y
    }
    return ab / (aa * bb).squareRoot()
  }

  /// σ(y) = intensity/2 · g(y) / max g, with g(y) = (1 − y) · √(−ln(1 − y)), at both depths.
  @Test(arguments: [PixelLayout.yuv420p, .yuv420p10]) func sigmaFollowsTheLuma(layout: PixelLayout) throws {
    let unit = 1 << (layout.bitDepth - 8)
    for luma in [0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.9, 0.97] {
      let code = (16 + Int((219 * luma).rounded())) * unit
      let grain = try Self.grain(code: code, width: 512, height: 128, rows: 128, layout: layout)
      let y = Double(code - 16 * unit) / Double(219 * unit)
      let expected = 0.02 * (1 - y) * (-log(1 - y)).squareRoot() / 0.428882 * Double(219 * unit)
      let found = Self.deviation(grain)
      #expect(abs(found / expected - 1) < 0.05, "luma \(y): σ \(found), not \(expected)")
      #expect(abs(grain.reduce(0, +) / Double(grain.count)) < 0.05 * expected)
    }
    for code in [0, 16, 235, 255] {
      let grain = try Self.grain(code: code * unit, width: 64, height: 8, rows: 8, layout: layout)
      #expect(grain.allSatisfy { $0 == 0 })
    }
  }

  /// Fine grain is rounded to whole codes of 8 bits, and keeps its sigma.
  @Test(arguments: [0.004, 0.002]) func fineGrainKeepsItsSigma(intensity: Double) throws {
    let settings = Self.settings(intensity)
    let grain = try Self.grain(code: 102, width: 1024, height: 512, rows: 512, layout: .yuv420p, settings)
    let expected = settings.deviation(luma: 86 / 219.0) * 219
    #expect(abs(Self.deviation(grain) / expected - 1) < 0.05)
  }

  @Test func neitherFramesNorSeedsNorRowsCorrelate() throws {
    let size = (width: 1280, height: 720)
    func grain(_ frame: Int64, seed: UInt64 = 1) throws -> ArraySlice<Double> {
      try Self.grain(
        code: 400, width: size.width, height: size.height, rows: size.height, Self.settings(seed: seed),
        frame: frame)[...]
    }
    let first = try grain(0)
    for other in [try grain(1), try grain(2), try grain(1 << 40), try grain(0, seed: 2), try grain(1, seed: 0)] {
      for shift in [0, 1, 4, 256, size.width, 16 * size.width] {
        let found = Self.correlation(first.dropFirst(shift), other.dropLast(shift))
        #expect(abs(found) < 0.02, "\(found), shifted by \(shift)")
      }
    }
    // Nothing repeats within a frame either: beyond the blur, no shift looks like another.
    for shift in [12, 16, 32, 64, 128, 256, 512, 8 * size.width, 64 * size.width, 127 * size.width, 256 * size.width] {
      #expect(abs(Self.correlation(first.dropFirst(shift), first.dropLast(shift))) < 0.02, "shifted by \(shift)")
    }
  }

  /// Of a still of 12 and of 48 megapixels, the same frequencies on paper have the same power. The spectrum is the
  /// Fourier transform of the autocorrelation (Wiener and Khinchin).
  @Test func largeAndSmallStillsLookTheSamePrinted() throws {
    func spectrum(_ width: Int, _ height: Int, rows: Int) throws -> [Double] {
      let grain = try Self.grain(code: 400, width: width, height: height, rows: rows)
      let reach = 5 * height / 3000
      let own = (0...reach).map { shift in
        var (sum, count) = (0.0, 0)
        for row in 0..<rows {
          for x in row * width..<(row + 1) * width - shift { sum += grain[x] * grain[x + shift] }
          count += width - shift
        }
        return sum / Double(count)
      }
      // Cycles on the height, up to where a tenth of the power is left.
      return stride(from: 0.0, through: 700, by: 70).map { frequency in
        let waves = (1...reach).map { own[$0] * cos(2 * .pi * frequency * Double($0) / Double(height)) }
        return (own[0] + 2 * waves.reduce(0, +)) / Double(height)
      }
    }
    let small = try spectrum(4000, 3000, rows: 240), large = try spectrum(8000, 6000, rows: 240)
    for (one, other) in zip(small, large) { #expect(abs(other / one - 1) < 0.05, "\(one), \(other)") }
    #expect(small[10] < 0.2 * small[0], "it is band-limited")
  }

  @Test func grainIsNeverSmallerThanAPixel() {
    let settings = Self.settings()
    #expect(settings.sigma(width: 1920, height: 1080) == 1 && settings.sigma(width: 3000, height: 4000) == 1)
    #expect(settings.sigma(width: 8000, height: 6000) == 2 && settings.sigma(width: 6000, height: 8000) == 2)
  }
}
