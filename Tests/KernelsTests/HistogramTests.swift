import Color
import Foundation
import Frames
import Kernels
import TestKit
import Testing

@Suite struct HistogramTests {
  private static let colors = ColorMatrix.allCases.flatMap { matrix in
    ColorRange.allCases.map { ColorDescription.coded(matrix, $0) }
  }

  @Test(arguments: PixelLayout.allCases) func everyLevelCountsWhatTheReferenceSays(layout: PixelLayout) throws {
    var random = SplitMix(seed: 39), counts = HistogramKernel.Counts(), luma = HistogramKernel.Counts()
    for (width, height) in [(1, 1), (2, 1), (1, 2), (67, 11), (256, 2), (263, 5), (514, 3)] {
      for color in Self.colors {
        let picture = GuardedPicture(width: width, height: height, layout: layout, color: color)
        let samples = PictureSamples.random(width: width, height: height, layout: layout, using: &random)
        picture.samples = samples
        let format = picture.frame.format, expected = PlainHistogram(layout, color).counts(samples)
        for level in KernelLevel.supported {
          try HistogramKernel(format, .lumaAndRGB, level: level).count(picture.frame, into: &counts)
          #expect(counts == expected, "\(level): \(width)×\(height), \(color.matrix), \(color.range)")
          try HistogramKernel(format, .luma, level: level).count(picture.frame, into: &luma)
          #expect(luma == HistogramKernel.Counts(luma: expected.luma), "\(level): \(width)×\(height)")
        }
        #expect(picture.changedGuards() == 0 && picture.samples == samples)
      }
    }
  }

  @Test func eachFrameIsCountedAnew() throws {
    var random = SplitMix(seed: 1), counts = HistogramKernel.Counts()
    let picture = GuardedPicture(width: 31, height: 17, layout: .nv12, color: .rec709)
    let kernel = try HistogramKernel(picture.frame.format, .lumaAndRGB)
    for _ in 0..<3 {
      picture.samples = PictureSamples.random(width: 31, height: 17, layout: .nv12, using: &random)
      kernel.count(picture.frame, into: &counts)
      #expect(counts == PlainHistogram(.nv12, .rec709).counts(picture.samples))
      for table in [counts.luma, counts.red, counts.green, counts.blue] { #expect(table.reduce(0, +) == 31 * 17) }
    }
  }

  /// A word may hold more than ten bits; the bake takes it for the greatest code, too.
  @Test(arguments: KernelLevel.supported) func wordsAboveTheScaleCountAsItsGreatestCode(level: KernelLevel) throws {
    let picture = GuardedPicture(width: 3, height: 1, layout: .yuv444p10, color: .coded(.rec709, .full))
    picture.samples = PictureSamples(
      width: 3, height: 1, chroma: .yuv444, luma: [1023, 1024, 65535], cb: [512, 512, 512], cr: [512, 512, 512])
    for channels in HistogramKernel.Channels.allCases {
      var counts = HistogramKernel.Counts()
      try HistogramKernel(picture.frame.format, channels, level: level).count(picture.frame, into: &counts)
      #expect(counts.luma[1023] == 3)
      if channels == .lumaAndRGB { #expect(counts.red[1023] == 3 && counts.green[1023] == 3 && counts.blue[1023] == 3) }
    }
  }

  // MARK: Every colour

  /// With Cb and Cr fixed, no channel falls where Y' rises. So if the counts over all Y' are right, each pixel's are.
  private func check(_ layout: PixelLayout, _ color: ColorDescription, chroma: some Sequence<(Int, Int)>) throws {
    let codes = 1 << layout.bitDepth, plain = PlainHistogram(layout, color)
    let format = FrameFormat(width: codes, height: 1, layout: layout, color: color)
    let pool = FramePool(format: format, capacity: 1), kernel = try HistogramKernel(format, .lumaAndRGB)
    guard var frame = pool.take() else { throw CamrecError(.defect, "there is no frame") }
    func fill(_ plane: Int, _ frame: inout Frame, _ code: (Int) -> Int) {
      frame.withMutablePlane(plane) { bytes in
        for x in 0..<codes {
          if layout.bytesPerSample == 1 {
            bytes[x] = UInt8(code(x))
          } else {
            bytes.storeBytes(of: UInt16(code(x)), toByteOffset: 2 * x, as: UInt16.self)
          }
        }
      }
    }
    fill(0, &frame) { $0 }
    var counts = HistogramKernel.Counts(), wrong: [(Int, Int)] = []
    for (cb, cr) in chroma {
      fill(1, &frame) { _ in cb }
      fill(2, &frame) { _ in cr }
      kernel.count(frame, into: &counts)
      if counts != plain.counts(cb: cb, cr: cr) { wrong.append((cb, cr)) }
    }
    #expect(wrong.isEmpty, "\(color.matrix), \(color.range): \(wrong.count), the first \(wrong.first ?? (0, 0))")
  }

  #if DEBUG
    private static let step = 61
  #else
    private static let step = 1
  #endif

  /// All of them in a release; some in a debug build, which takes 50 times as long.
  @Test(arguments: colors) func everyColorOf8BitsIsTheReferences(color: ColorDescription) throws {
    let all = stride(from: 0, to: 1 << 16, by: Self.step).lazy.map { ($0 >> 8, $0 & 255) }
    try check(.yuv444p, color, chroma: all)
  }

  /// All of red and blue in a release, with a random one of the other chroma component for each.
  @Test(arguments: colors) func redAndBlueOf10BitsAreTheReferences(color: ColorDescription) throws {
    var random = SplitMix(seed: 10)
    let all = stride(from: 0, to: 1024, by: Self.step).map { ($0, Int.random(in: 0..<1024, using: &random)) }
    try check(.yuv444p10, color, chroma: all + all.map { ($1, $0) })
  }

  @Test func aHalfIsRoundedUpAndWhatIsLessIsNot() throws {
    for (matrix, range, colors) in ExactChannel.nearMisses {
      let color = ColorDescription.coded(matrix, range), scale = CodeScale(range: range, bitDepth: 10)
      try check(.yuv444p10, color, chroma: colors.map { ($0.1, $0.2) })
      let green = ExactChannel(.green, matrix, scale)
      for (luma, cb, cr) in colors {
        let value = green.value(luma: luma, cb: cb, cr: cr)
        #expect(PlainHistogram(.yuv444p10, color).codes(luma: luma, cb: cb, cr: cr).y == min(max(value, 0), 1023))
      }
    }
    // Exact halves: 146 · 341/292 = 170.5, and 250 · 1.402 = 350.5.
    let limited = ExactChannel(.red, .rec709, CodeScale(range: .limited, bitDepth: 10))
    #expect(limited.value(luma: 64 + 146, cb: 512, cr: 512) == 171)
    try check(.yuv444p10, .coded(.rec709, .limited), chroma: [(512, 512)])
    let full = ExactChannel(.red, .rec601, CodeScale(range: .full, bitDepth: 10))
    #expect(full.value(luma: 0, cb: 512, cr: 512 + 250) == 351)
    try check(.yuv444p10, .coded(.rec601, .full), chroma: [(512, 512 + 250)])
  }

  // MARK: Why the sums are exact

  /// The exact value and a half is a number of d-ths. Unless it is whole, it is at least 1/d below the next whole
  /// number, and the parts add less than three times 2⁻⁴⁸ to it.
  @Test(arguments: colors, [8, 10]) func thePartsAddTooLittleToMatter(color: ColorDescription, bits: Int) throws {
    let scale = CodeScale(range: color.range, bitDepth: bits), layout: PixelLayout = bits == 8 ? .yuv444p : .yuv444p10
    let format = FrameFormat(width: 1, height: 1, layout: layout, color: color)
    let (parts, below) = try HistogramKernel(format, .lumaAndRGB).constants
    let one = Double(sign: .plus, exponent: 48, significand: 1), start = (2 * Int64(below) + 1) << 47
    let weights: [(ExactChannel.Name, cb: Int?, cr: Int?)] = [(.red, nil, 1), (.green, 2, 3), (.blue, 4, nil)]
    for (name, cb, cr) in weights {
      let exact = ExactChannel(name, color.matrix, scale)
      #expect(3 / one < 1 / Double(exact.denominator), "\(name): \(exact.denominator)")
      /// By how much a part is more than it should be, in 2⁻⁴⁸: from 0 to below 1.
      func excess(_ part: Int64, _ weight: Int, _ steps: Int) -> Double {
        let (high, low) = (weight * steps).multipliedFullWidth(by: 1 << 48)
        let divisor = exact.denominator
        let whole = Self.floor(high, low, divisor)
        return Double(part - Int64(whole.quotient)) - Double(whole.rest) / Double(divisor)
      }
      for code in 0...scale.maximum {
        let luma = excess(parts[0][code], exact.luma, code - scale.lumaOffset)
        #expect(luma >= 0 && luma < 1, "\(name), Y' \(code): \(luma)")
        for (part, weight, hasStart) in [(cb, exact.cb, name != .red), (cr, exact.cr, name == .red)] {
          guard let part else { continue }
          let found = excess(parts[part][code] - (hasStart ? start : 0), weight, code - scale.chromaOffset)
          #expect(found >= 0 && found < 1, "\(name), chroma \(code): \(found)")
        }
      }
    }
  }

  /// Of a number of 128 bits and a positive divisor.
  private static func floor(_ high: Int, _ low: UInt, _ divisor: Int) -> (quotient: Int, rest: Int) {
    let (quotient, rest) = divisor.dividingFullWidth((high, low))
    return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
  }

  private static let triesAll = ProcessInfo.processInfo.environment["CAMREC_EVERY_COLOR"] != nil

  /// Without the variable, the denominators speak for the 6.4 · 10⁹ colours, which take a quarter of a minute.
  @Test(.enabled(if: HistogramTests.triesAll), arguments: colors)
  func greenOf10BitsIsExactForEveryColor(color: ColorDescription) throws {
    let format = FrameFormat(width: 1, height: 1, layout: .yuv444p10, color: color)
    let (parts, below) = try HistogramKernel(format, .lumaAndRGB).constants
    let green = ExactChannel(.green, color.matrix, CodeScale(range: color.range, bitDepth: 10))
    var wrong = 0
    for cb in 0..<1024 {
      for cr in 0..<1024 {
        let chroma = parts[2][cb] + parts[3][cr]
        var sum = green.sum(luma: 0, cb: cb, cr: cr) + below * green.denominator
        for luma in 0..<1024 {
          // From the sum found to the exact one: not below, and below the next whole number.
          let distance = sum - Int((parts[0][luma] + chroma) >> 48) * green.denominator
          if distance < 0 || distance >= green.denominator { wrong += 1 }
          sum += green.luma
        }
      }
    }
    #expect(wrong == 0)
  }
}
