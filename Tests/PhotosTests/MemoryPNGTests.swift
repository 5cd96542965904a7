import Color
import Foundation
import Frames
import Photos
import Platform
import TestKit
import Testing

/// PNGs that are made in memory.
struct MemoryPNGTests {
  private static let width = 37, height = 23

  /// Row by row in strips of five, and the whole file.
  private static func made(
    bits: Int, profile: [UInt8] = [], exif: [UInt8] = []
  ) throws -> (png: [UInt8], rows: [UInt8]) {
    let rowBytes = width * 3 * bits / 8
    var random = SplitMix(seed: 7)
    let rows = (0..<height * rowBytes).map { _ in UInt8.random(in: 0...255, using: &random) }
    var image = try MemoryPNG(width: width, height: height, bits: bits, profile: profile, exif: exif), row = 0
    while row < height {
      let count = min(5, height - row)
      try image.write(rows: count, from: Array(rows[row * rowBytes..<(row + count) * rowBytes]))
      row += count
    }
    let file = try image.finish(), size = try file.size
    let png = try file.read(at: 0, count: size)
    #expect(png.count == size)
    #expect(try file.read(at: 8, count: 8) == [0, 0, 0, 13] + Array("IHDR".utf8), "it is read in pieces, too")
    return (png, rows)
  }

  private static func facts(_ png: [UInt8]) throws -> PhotoFacts {
    let folder = try TemporaryFolder()
    return try PhotoReader(path: try folder.write(png, to: "a.png")).facts
  }

  @Test(arguments: [(8, "rgb24"), (16, "rgb48le")]) func otherProgramsReadTheRows(bits: Int, name: String) throws {
    let (png, rows) = try Self.made(bits: bits)
    let read = try Tool.run(
      ["ffmpeg", "-v", "error", "-f", "png_pipe", "-i", "-", "-f", "rawvideo", "-pix_fmt", name, "-"], input: Data(png))
    #expect(Array(read) == rows)
    let facts = try Self.facts(png)
    #expect(facts.bits == bits && facts.isSRGB && facts.profile.isEmpty && facts.exif.isEmpty)
  }

  @Test func theColoursAndTheMetadataAreInIt() throws {
    let space = try #require(RGBSpace(.displayP3)), profile = try ICCProfile.bytes(name: "Display P3", space: space)
    let (png, _) = try Self.made(bits: 16, profile: profile, exif: HandMade.exif)
    let facts = try Self.facts(png)
    #expect(facts.profile == profile && !facts.isSRGB && facts.exif == HandMade.exif)
  }
}
