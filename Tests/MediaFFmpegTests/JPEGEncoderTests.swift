import Foundation
import Frames
import MediaFFmpeg
import TestKit
import Testing

struct JPEGEncoderTests {
  private static let full = ColorDescription(matrix: .rec601, range: .full, transfer: .rec709, primaries: .rec709)

  private func pool(_ layout: PixelLayout, color: ColorDescription = full) -> FramePool {
    FramePool(format: FrameFormat(width: 161, height: 91, layout: layout, color: color), capacity: 1)
  }

  /// A picture with gradients in all planes.
  private func paint(_ frame: inout Frame) {
    for plane in 0..<3 {
      let stride = frame.format.stride(plane: plane)
      frame.withMutablePlane(plane) { bytes in
        for index in bytes.indices {
          bytes[index] = UInt8((index % stride / 2 + index / stride + plane * 60) % 240 + 8)
        }
      }
    }
  }

  private func refusal(_ body: () throws(CamrecError) -> Void) -> CamrecError? {
    do throws(CamrecError) {
      try body()
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [(PixelLayout.yuv422p, "yuvj422p"), (.yuv420p, "yuvj420p")])
  func imagesDecodeToNearlyWhatWentIn(layout: PixelLayout, name: String) throws {
    let pool = pool(layout), encoder = try JPEGEncoder(format: pool.format, quality: 1)
    guard var frame = pool.take() else { throw CamrecError(.defect, "a new pool has a frame") }
    var target = Data(count: 200_000), sizes: [Int] = []
    for _ in 0..<2 {
      paint(&frame)
      sizes.append(
        try target.withUnsafeMutableBytes { bytes throws(CamrecError) in try encoder.encode(frame, into: bytes) })
    }
    #expect(sizes[0] == sizes[1])
    let image = target.prefix(sizes[1])
    #expect(image.prefix(2) == Data([0xFF, 0xD8]) && image.suffix(2) == Data([0xFF, 0xD9]))
    let decoded = try Tool.run(
      ["ffmpeg", "-v", "error", "-f", "mjpeg", "-i", "-", "-f", "rawvideo", "-pix_fmt", name, "-"], input: image)
    let samples = frame.packedSamples
    #expect(decoded.count == samples.count)
    let error = zip(decoded, samples).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
    #expect(Double(error) / Double(samples.count) < 1.5)
    let reader = try JPEGDecoder(width: 161, height: 91, color: .rec709, frames: 1)
    let luma = try reader.convert(LentImage(image).image("JPEG", width: 161, height: 91)).packedSamples.prefix(161 * 91)
    #expect(luma == decoded.prefix(161 * 91))
  }

  @Test func anImageThatDoesNotFitIsRefused() throws {
    let pool = pool(.yuv422p), encoder = try JPEGEncoder(format: pool.format)
    guard var frame = pool.take() else { throw CamrecError(.defect, "a new pool has a frame") }
    paint(&frame)
    var target = Data(count: 100), error: CamrecError?
    target.withUnsafeMutableBytes { bytes in
      do throws(CamrecError) { _ = try encoder.encode(frame, into: bytes) } catch let refused { error = refused }
    }
    #expect(error?.code == .defect)
    #expect(error?.message.hasSuffix("does not fit into a buffer of 100") == true)
  }

  @Test func otherFormatsAreRefused() {
    let error = refusal { () throws(CamrecError) in _ = try JPEGEncoder(format: pool(.nv12).format) }
    #expect(
      error
        == CamrecError(
          .defect, "JPEG images are made from yuv420p or yuv422p in full range, not from nv12 in full range"))
    let format = pool(.yuv422p, color: .rec709).format
    let limited = refusal { () throws(CamrecError) in _ = try JPEGEncoder(format: format) }
    #expect(limited?.code == .defect)
  }
}
