import Foundation
import Frames
import StillMetadata
import TestKit
import Testing

/// EXIF as FFmpeg reads it.
struct ExifBlockTests {
  private let facts = StillFacts(
    camera: "Cam\u{E9}ra", software: "camrec 9.8.7", date: Date(timeIntervalSince1970: 1_700_000_000.25),
    timeZone: TimeZone(secondsFromGMT: -(3 * 3600 + 1800))!, width: 64, height: 48, rotation: .quarter,
    exposureTime: 1 / 125.0, iso: 400, bias: -1.5)

  /// The tags that FFmpeg finds.
  private func tags(_ facts: StillFacts) throws -> [String: String] {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("exif-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("a.jpg")
    try Tool.run([
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=size=64x48", "-frames:v", "1", "-pix_fmt", "yuvj420p",
      path.path,
    ])
    let image = try ExifBlock(facts).written(into: Array(try Data(contentsOf: path)))
    try Data(image).write(to: path)
    let found = try Tool.run(["ffprobe", "-v", "error", "-of", "json", "-show_frames", path.path])
    struct Frames: Decodable {
      struct Frame: Decodable { let tags: [String: String] }
      let frames: [Frame]
    }
    return try #require(try JSONDecoder().decode(Frames.self, from: found).frames.first).tags
  }

  @Test func everyFactIsRead() throws {
    let tags = try tags(facts)
    func value(_ name: String) -> String? { tags[name]?.trimmingCharacters(in: .whitespaces) }
    #expect(value("Model") == "Cam?ra" && value("Software") == "camrec 9.8.7" && value("Orientation") == "6")
    #expect(value("DateTimeOriginal") == "2023:11:14 18:43:20" && value("SubSecTimeOriginal") == "250")
    #expect(value("OffsetTimeOriginal") ?? value("0x9011") == "-03:30")
    #expect(value("ExposureTime") == "1:125", "\(tags)")
    #expect(value("ISOSpeedRatings") == "400" && value("ExposureBiasValue") == "-1500:1000")
    #expect(value("PixelXDimension") == "64" && value("PixelYDimension") == "48")
    #expect(value("ExposureMode") == "2")
  }

  @Test func whatIsNotKnownIsLeftOut() throws {
    var facts = facts
    (facts.exposureTime, facts.iso, facts.bias) = (nil, nil, nil)
    let tags = try tags(facts)
    for name in ["ExposureTime", "ISOSpeedRatings", "ExposureBiasValue", "ExposureMode"] { #expect(tags[name] == nil) }
  }

  @Test func withALookTheColoursAreSRGB() throws {
    var facts = facts
    let plain = try tags(facts)
    #expect(plain["ColorSpace"]?.trimmingCharacters(in: .whitespaces) == "65535" && plain["CustomRendered"] == nil)
    facts.hasLook = true
    let looked = try tags(facts)
    for name in ["ColorSpace", "CustomRendered"] {
      #expect(looked[name]?.trimmingCharacters(in: .whitespaces) == "1", "\(looked)")
    }
  }

  @Test(
    arguments: [
      (0.008, 1, 125), (1 / 60.0, 1, 60), (0.3, 300_000, 1_000_000), (2, 2_000_000, 1_000_000), (5000, 5000, 1),
    ] as [(Double, UInt32, UInt32)])
  func timesAreFractions(_ seconds: Double, _ numerator: UInt32, _ denominator: UInt32) {
    #expect(ExifBlock.fraction(of: seconds) == (numerator, denominator))
  }

  /// A PNG has the same block, without the head of a JPEG's segment.
  @Test func theBlockItselfBeginsWithItsTIFFHeader() throws {
    let block = try ExifBlock(facts).bytes, values = HandMade.values(inTIFF: block)
    #expect(values[0x131] == Array("camrec 9.8.7\0".utf8) && values[0x8827] == [0x90, 0x01])
    let image = try ExifBlock(facts).written(into: [0xFF, 0xD8, 0xFF, 0xD9])
    #expect(image.count == 2 + 4 + 6 + block.count + 2 && Array(image.dropFirst(12).dropLast(2)) == block)
  }

  @Test func whatIsNoJPEGIsRefused() throws {
    #expect(throws: CamrecError.self) { try ExifBlock(self.facts).written(into: [1, 2, 3]) }
  }
}
