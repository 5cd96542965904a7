import Foundation
import Frames
import JPEGDecoding
import TestKit
import Testing

@Suite struct JPEGDecoderTests {
  /// An image that FFmpeg has made: red on the left half, blue on the right.
  private static func image(width: Int, height: Int) throws -> [UInt8] {
    let folder = try TemporaryFolder(), path = folder.path("a.jpg")
    try Tool.run([
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "color=0xC03020:s=64x64", "-f", "lavfi", "-i",
      "color=0x2040C0:s=64x64", "-filter_complex",
      "hstack,format=rgb24,crop=\(width):\(height):\(64 - width / 2):0,format=yuvj444p", "-frames:v", "1", "-q:v", "2",
      path,
    ])
    return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  @Test func anImage_isDecodedToItsColours() throws {
    let decoder = try JPEGDecoder()
    var pixels: [UInt8] = []
    for (width, height) in [(128, 48), (35, 9)] {
      let image = try JPEGDecoderTests.image(width: width, height: height)
      let size = try decoder.decode(image, into: &pixels)
      #expect(size.width == width && size.height == height)
      func pixel(_ x: Int, _ y: Int) -> [Int] { (0..<3).map { Int(pixels[4 * (y * size.width + x) + $0]) } }
      for (x, color) in [(2, [0x20, 0x30, 0xC0]), (size.width - 3, [0xC0, 0x40, 0x20])] {
        for y in [0, height - 1] { #expect(zip(pixel(x, y), color).allSatisfy { abs($0 - $1) <= 4 }) }
      }
    }
    #expect(pixels.count == 4 * 128 * 48, "memory is used again")
  }

  @Test func whatIsNoImage_isRefused() throws {
    let decoder = try JPEGDecoder()
    var pixels: [UInt8] = []
    let image = try JPEGDecoderTests.image(width: 128, height: 48)
    for bytes in [[], [0xFF], Array("GIF89a".utf8), Array(image.prefix(20))] {
      do {
        _ = try decoder.decode(bytes, into: &pixels)
        Issue.record("\(bytes.count) bytes are no image")
      } catch {
        #expect(error.code == .input && error.message == "a picture is no JPEG image, or is damaged")
      }
      // One that is damaged spoils no other.
      #expect(try decoder.decode(image, into: &pixels).width == 128)
    }
    // A size that nobody has: in the header that says it.
    var huge = image
    let start = try #require(huge.indices.first { huge[$0] == 0xFF && huge[$0 + 1] == 0xC0 })
    huge.replaceSubrange(start + 5..<start + 9, with: [0x30, 0, 0x40, 0])
    do {
      _ = try decoder.decode(huge, into: &pixels)
      Issue.record("it is too large")
    } catch {
      #expect(error.message == "a picture of 16384×12288 pixels is too large to be shown")
    }
    // Cut off, as much as there is can be shown.
    #expect(try decoder.decode(Array(image.dropLast(image.count / 4)), into: &pixels).width == 128)
  }
}
