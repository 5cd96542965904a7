import Color
import Foundation
import Frames
import TestKit
import Testing

import Kernels

@Suite struct PhotoTests {
  private static let luma: SIMD3<Double> = [0.2126, 0.7152, 0.0722]

  private static func lattice(size: Int, seed: UInt64) -> LookupTable.Lattice {
    var random = SplitMix(seed: seed)
    let samples = (0..<3 * size * size * size).map { _ in Float(Int(random.next() % 1201) - 100) / 1000 }
    return LookupTable.Lattice(size: size, samples: samples)
  }

  /// The colours as they are: 15 divides 65535.
  private static let same: LookupTable.Lattice = {
    var samples: [Float] = []
    for point in 0..<16 * 16 * 16 {
      samples += [Float(point % 16) / 15, Float(point / 16 % 16) / 15, Float(point / 256) / 15]
    }
    return LookupTable.Lattice(size: 16, samples: samples)
  }()

  private static func bytes(of pixels: [SIMD3<Int>], bits: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    for pixel in pixels {
      for channel in 0..<3 {
        if bits == 8 { bytes.append(UInt8(pixel[channel])) } else { bytes += Self.word(pixel[channel]) }
      }
    }
    return bytes
  }

  private static func word(_ code: Int) -> [UInt8] { withUnsafeBytes(of: UInt16(code)) { Array($0) } }

  private static func pixels(of bytes: [UInt8], bits: Int) -> [SIMD3<Int>] {
    let codes = bytes.withUnsafeBytes { raw in
      bits == 8
        ? raw.map(Int.init)
        : (0..<raw.count / 2).map { Int(raw.loadUnaligned(fromByteOffset: 2 * $0, as: UInt16.self)) }
    }
    return (0..<codes.count / 3).map { SIMD3(codes[3 * $0], codes[3 * $0 + 1], codes[3 * $0 + 2]) }
  }

  private static func applied(
    _ kernel: PhotoKernel, to source: [UInt8], strips: [Int] = [], frame: Int64 = 0
  ) -> [UInt8] {
    let format = kernel.format
    var result: [UInt8] = []
    for (first, end) in zip([0] + strips, strips + [format.height]) {
      var strip = [UInt8](repeating: 0xA5, count: (end - first) * format.resultRowBytes)
      kernel.apply(
        rows: first..<end, of: Array(source[first * format.rowBytes..<end * format.rowBytes]), to: &strip,
        number: frame)
      result += strip
    }
    return result
  }

  // MARK: Colour

  @Test(arguments: KernelLevel.supported, [2, 17, 65]) func everyLevelGivesThePlainTable(
    level: KernelLevel, size: Int
  ) throws {
    var random = SplitMix(seed: UInt64(size))
    let lattice = Self.lattice(size: size, seed: 3), plain = PlainPhoto(lattice)
    var pixels = (0..<531 * 3).map { _ in SIMD3<Int>.random(in: 0...65535, using: &random) }
    // The corners, the edges, greys, and codes beside the points of the table.
    for (index, code) in [0, 1, 65534, 65535, 32767, 32768, 65535 / (size - 1)].enumerated() {
      pixels[index] = SIMD3(repeating: code)
      pixels[index + 10] = SIMD3(code, 65535 - code, 65535)
      pixels[index + 20] = SIMD3(0, code, code)
    }
    let format = PhotoKernel.Format(width: 531, height: 3, channels: 3, bits: 16, resultBits: 16)
    let steps = PhotoKernel.Steps(before: nil, table: RGBTable(lattice), after: nil)
    let kernel = try PhotoKernel(steps, grain: nil, luma: Self.luma, format: format, level: level)
    let found = Self.pixels(of: Self.applied(kernel, to: Self.bytes(of: pixels, bits: 16)), bits: 16)
    #expect(found == pixels.map(plain.looked))
  }

  /// Light of 2.2, a matrix and sRGB's curve, each code within what the rounding allows.
  @Test(arguments: KernelLevel.supported) func conversionsComeOutAsTheirDefinition(level: KernelLevel) throws {
    var random = SplitMix(seed: 5)
    let srgb = try #require(TransferFunction(.srgb))
    let curve = (0..<RGBConversion.curveCount).map { pow(Double($0) / 65535, 2.2) }
    let matrix = Matrix3(rows: [1.4, -0.3, -0.1], [-0.1, 1.2, -0.1], [0.02, 0.1, 0.88])
    let conversion = RGBConversion(
      curves: [curve, curve, curve], matrix: matrix, encode: { srgb.encode(SIMD3(repeating: $0)).x })
    var pixels = (0..<700).map { _ in SIMD3<Int>.random(in: 0...65535, using: &random) }
    pixels += [.zero, SIMD3(repeating: 65535)]
    let format = PhotoKernel.Format(width: pixels.count, height: 1, channels: 3, bits: 16, resultBits: 16)
    let steps = PhotoKernel.Steps(before: conversion, table: RGBTable(Self.same), after: nil)
    let kernel = try PhotoKernel(steps, grain: nil, luma: Self.luma, format: format, level: level)
    let found = Self.pixels(of: Self.applied(kernel, to: Self.bytes(of: pixels, bits: 16)), bits: 16)
    for (pixel, result) in zip(pixels, found) {
      let light = matrix * SIMD3(curve[pixel.x], curve[pixel.y], curve[pixel.z])
      let expected = srgb.encode(light.clamped(lowerBound: .zero, upperBound: .one)) * 65535
      for channel in 0..<3 { #expect(abs(Double(result[channel]) - expected[channel]) <= 8, "\(pixel)") }
    }
  }

  @Test func depthsAndGreyAreTakenAsTheyAre() throws {
    let grey = (0...255).map(UInt8.init)
    let steps = PhotoKernel.Steps(before: nil, table: RGBTable(Self.same), after: nil)
    let narrow = PhotoKernel.Format(width: 64, height: 4, channels: 1, bits: 8, resultBits: 8)
    let kernel = try PhotoKernel(steps, grain: nil, luma: Self.luma, format: narrow)
    #expect(Self.applied(kernel, to: grey) == grey.flatMap { [$0, $0, $0] })
    let wide = PhotoKernel.Format(width: 256, height: 256, channels: 1, bits: 16, resultBits: 8)
    let all = (0...65535).flatMap(Self.word)
    let rounded = Self.applied(
      try PhotoKernel(steps, grain: nil, luma: Self.luma, format: wide), to: all, strips: [100])
    #expect(
      Self.pixels(of: rounded, bits: 8).map(\.y) == (0...65535).map { Int((Double($0) / 257).rounded()) })
  }

  // MARK: Grain

  private static func settings(_ intensity: Double = 0.04, size: Int64 = 3000) -> GrainKernel.Settings {
    GrainKernel.Settings(intensity: intensity, size: Rational(1, size), seed: 99)
  }

  @Test(arguments: KernelLevel.supported) func everyLevelAndDivisionGivesThePlainGrain(level: KernelLevel) throws {
    var random = SplitMix(seed: 11)
    let lattice = Self.lattice(size: 5, seed: 4), plain = PlainPhoto(lattice)
    let steps = PhotoKernel.Steps(before: nil, table: RGBTable(lattice), after: nil)
    for (width, height, size) in [(1, 1, 3000), (300, 41, 3000), (515, 20, 3), (263, 50, 10)] {
      let format = PhotoKernel.Format(width: width, height: height, channels: 3, bits: 16, resultBits: 16)
      let kernel = try PhotoKernel(
        steps, grain: Self.settings(0.5, size: Int64(size)), luma: Self.luma, format: format, level: level)
      let pixels = (0..<width * height).map { _ in SIMD3<Int>.random(in: 0...65535, using: &random) }
      let source = Self.bytes(of: pixels, bits: 16)
      let whole = Self.applied(kernel, to: source, frame: 7)
      let expected = PlainGrain(kernel).added(
        to: pixels.map(plain.looked), width: width, height: height, luma: [13933, 46871, 4732], frame: 7)
      #expect(Self.pixels(of: whole, bits: 16) == expected, "\(width)×\(height)")
      guard height > 10 else { continue }
      #expect(Self.applied(kernel, to: source, strips: [1, 2, 9, height - 1], frame: 7) == whole)
    }
  }

  /// Grey of 8 bits in a photograph and in a film: the same noise, 255 codes from black to white in place of 219, and
  /// rounded in another place.
  @Test func aPhotographHasTheGrainOfTheFilmsFrame() throws {
    let (width, height) = (640, 360), code = 120, settings = Self.settings(0.1)
    let color = FrameFormat(width: width, height: height, layout: .yuv420p, color: .rec709)
    let pool = FramePool(format: color, capacity: 1)
    guard var frame = pool.take() else { throw CamrecError(.defect, "there is no frame") }
    let luma = 16 + Int((Double(code) * 219 / 255).rounded())
    frame.withMutablePlane(0) { bytes in for at in bytes.indices { bytes[at] = UInt8(luma) } }
    try GrainKernel(settings, format: color).add(to: &frame, number: 3)
    let stride = frame.format.stride(plane: 0)
    let film: [Double] = frame.withPlane(0) { bytes in
      (0..<width * height).map { index -> Double in
        let found = Int(bytes[index / width * stride + index % width])
        return Double(found - luma) * 255 / 219
      }
    }
    let format = PhotoKernel.Format(width: width, height: height, channels: 3, bits: 8, resultBits: 8)
    let steps = PhotoKernel.Steps(before: nil, table: RGBTable(Self.same), after: nil)
    let kernel = try PhotoKernel(steps, grain: settings, luma: Self.luma, format: format)
    let grey = [UInt8](repeating: UInt8(code), count: height * format.rowBytes)
    let photo = Self.pixels(of: Self.applied(kernel, to: grey, frame: 3), bits: 8)
    for (one, other) in zip(photo, film) {
      #expect(one.x == one.y && one.y == one.z)
      #expect(abs(Double(one.x - code) - other) <= 1.5)
    }
    #expect(film.contains { $0 > 10 } && film.contains { $0 < -10 })
  }

  /// In a film of 10 bits and a photograph of 16 the grain is the same but for the rounding to the film's codes.
  @Test func theGrainOfAFilmIsThatOfAPhotograph_rounded() throws {
    let (width, height) = (320, 180), luma = 64 + 342, settings = Self.settings(0.1)
    let color = FrameFormat(width: width, height: height, layout: .yuv420p10, color: .rec709)
    let pool = FramePool(format: color, capacity: 1)
    guard var frame = pool.take() else { throw CamrecError(.defect, "there is no frame") }
    frame.withMutablePlane(0) { bytes in
      for at in bytes.indices { bytes[at] = UInt8(at % 2 == 0 ? luma & 255 : luma >> 8) }
    }
    try GrainKernel(settings, format: color).add(to: &frame, number: 5)
    let stride = frame.format.stride(plane: 0)
    let film: [Double] = frame.withPlane(0) { bytes in
      (0..<width * height).map { index -> Double in
        let at = index / width * stride + 2 * (index % width)
        return Double((Int(bytes[at]) | Int(bytes[at + 1]) << 8) - luma)
      }
    }
    let format = PhotoKernel.Format(width: width, height: height, channels: 3, bits: 16, resultBits: 16)
    let steps = PhotoKernel.Steps(before: nil, table: RGBTable(Self.same), after: nil)
    let kernel = try PhotoKernel(steps, grain: settings, luma: Self.luma, format: format)
    let code = Int((Double(luma - 64) * 65535 / 876).rounded())
    let grey = Self.bytes(of: [SIMD3<Int>](repeating: SIMD3(repeating: code), count: width * height), bits: 16)
    let photo = Self.pixels(of: Self.applied(kernel, to: grey, frame: 5), bits: 16)
    let differences = zip(photo, film).map { abs(Double($0.x - code) * 876 / 65535 - $1) }
    #expect(differences.allSatisfy { $0 <= 0.53 })
    #expect(film.contains { $0 > 100 } && film.contains { $0 < -100 })
  }

  /// Rounding to 8 bits adds nothing to sigma.
  @Test(arguments: [8, 16]) func sigmaFollowsTheLuma(bits: Int) throws {
    let (width, height) = (512, 256), settings = Self.settings(0.02)
    let format = PhotoKernel.Format(width: width, height: height, channels: 3, bits: 8, resultBits: bits)
    let steps = PhotoKernel.Steps(before: nil, table: RGBTable(Self.same), after: nil)
    let kernel = try PhotoKernel(steps, grain: settings, luma: Self.luma, format: format)
    for code in [13, 51, 102, 180, 230] {
      let grey = [UInt8](repeating: UInt8(code), count: height * format.rowBytes)
      let unit = bits == 8 ? 1.0 : 257
      let grain = Self.pixels(of: Self.applied(kernel, to: grey), bits: bits).map { Double($0.x) / unit - Double(code) }
      let found = (grain.reduce(0) { $0 + $1 * $1 } / Double(grain.count)).squareRoot()
      let expected = settings.deviation(luma: Double(code) / 255) * 255
      #expect(abs(found / expected - 1) < 0.05, "code \(code): σ \(found), not \(expected)")
    }
    for code in [UInt8(0), 255] {
      let even = [UInt8](repeating: code, count: height * format.rowBytes)
      #expect(Self.applied(kernel, to: even).allSatisfy { $0 == code })
    }
  }
}
