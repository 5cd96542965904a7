import Foundation
import MediaFFmpeg
import TestKit
import Testing

@Suite struct PNGImageTests {
  /// Odd sizes, so that rows have padding behind them.
  @Test(arguments: [(1, 1), (7, 5), (67, 31)])
  func `another program reads the same pixels`(width: Int, height: Int) throws {
    let rgb = (0..<3 * width * height).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ $0 / 251) }
    let png = try PNGImage.encode(width: width, height: height, rgb: rgb)
    #expect(png.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
    let read = try Tool.run(
      ["ffmpeg", "-v", "error", "-f", "png_pipe", "-i", "-", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"],
      input: Data(png))
    #expect(Array(read) == rgb)
  }
}
