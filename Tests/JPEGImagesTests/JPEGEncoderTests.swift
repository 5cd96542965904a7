import Foundation
import Frames
import JPEGImages
import TestKit
import Testing

struct JPEGEncoderTests {
  @Test(arguments: [PixelLayout.yuv420p, .yuv422p, .yuv444p])
  func imagesDecodeToNearlyWhatWentIn(layout: PixelLayout) throws {
    let frame = PaintedFrame(layout), encoder = try JPEGEncoder(format: frame.format, quality: 100)
    var target = Data(count: 200_000), sizes: [Int] = []
    for _ in 0..<2 {
      sizes.append(
        try target.withUnsafeMutableBytes { bytes throws(CamrecError) in
          try encoder.encode(frame.lend(), into: bytes)
        })
    }
    #expect(sizes[0] == sizes[1])
    let image = target.prefix(sizes[1])
    #expect(image.prefix(2) == Data([0xFF, 0xD8]) && image.suffix(2) == Data([0xFF, 0xD9]))
    #expect(try Array(image) == encoder.image(of: frame.lend()))
    let decoded = try PaintedFrame.decoded(image, as: layout), samples = FrameRows.of(frame.lend()).flatMap(\.self)
    #expect(decoded.count == samples.count)
    let error = zip(decoded, samples).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
    #expect(Double(error) / Double(samples.count) < 1)
  }

  /// Where chroma has a sample for two pixels, libjpeg-turbo reads a column and a row more than there are.
  @Test(arguments: [PixelLayout.yuv420p, .yuv422p, .yuv444p], [(161, 91), (160, 91), (161, 90), (1, 1)])
  func whatLiesBesideTheSamplesDoesNotMatter(layout: PixelLayout, size: (Int, Int)) throws {
    let images = try [UInt8(0), 255].flatMap { padding in
      try [nil, 64, 1].map { alignment in
        let frame = PaintedFrame(layout, width: size.0, height: size.1, alignment: alignment, padding: padding)
        return try JPEGEncoder(format: frame.format, quality: 90).image(of: frame.lend())
      }
    }
    #expect(Set(images).count == 1)
  }

  @Test func aHigherQualityIsCloserAndLarger() throws {
    let frame = PaintedFrame(.yuv422p), samples = FrameRows.of(frame.lend()).flatMap(\.self)
    let results = try [20, 60, 90].map { quality in
      let image = try JPEGEncoder(format: frame.format, quality: quality).image(of: frame.lend())
      let decoded = try PaintedFrame.decoded(Data(image), as: .yuv422p)
      return (size: image.count, error: zip(decoded, samples).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) })
    }
    for (worse, better) in zip(results, results.dropFirst()) {
      #expect(worse.size < better.size && worse.error > better.error, "\(results)")
    }
  }

  // MARK: Refusals

  @Test func anImageThatDoesNotFitIsRefused() throws {
    let frame = PaintedFrame(.yuv422p), encoder = try JPEGEncoder(format: frame.format, quality: 90)
    var target = [UInt8](repeating: 7, count: 100)
    let error = #expect(throws: CamrecError.self) {
      try target.withUnsafeMutableBytes { bytes throws(CamrecError) in try encoder.encode(frame.lend(), into: bytes) }
    }
    #expect(error?.code == .defect)
    #expect(error?.message.hasSuffix("does not fit into a buffer of 100") == true)
    #expect(target == [UInt8](repeating: 7, count: 100))
  }

  @Test func otherFormatsAreRefused() {
    func refused(_ layout: PixelLayout, _ color: ColorDescription) -> CamrecError? {
      #expect(throws: CamrecError.self) {
        _ = try JPEGEncoder(format: FrameFormat(width: 64, height: 36, layout: layout, color: color), quality: 90)
      }
    }
    #expect(
      refused(.nv12, PaintedFrame.color)
        == CamrecError(
          .defect,
          "JPEG images are made from yuv420p, yuv422p or yuv444p with the matrix rec601 in full range, not from nv12 "
            + "with rec601 in full range"))
    #expect(refused(.yuv422p, .rec601)?.code == .defect)
    var color = PaintedFrame.color
    color.matrix = .rec709
    #expect(refused(.yuv422p, color)?.code == .defect)
    #expect(refused(.yuv422p10, PaintedFrame.color)?.code == .defect)
  }
}
