import Foundation
import Frames
import TestKit
import Testing

import Photos

/// Metadata that photographs are written with.
@Suite struct PhotoWriterTests {
  private static func written(_ facts: PhotoFacts) throws -> (bytes: [UInt8], facts: PhotoFacts) {
    let path = FileManager.default.temporaryDirectory.appending(path: "camrec-photo-\(UUID().uuidString)").path
    let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    #expect(file >= 0)
    defer {
      close(file)
      unlink(path)
    }
    var writer = try PhotoWriter(file: file, path: path, facts: facts, quality: 92)
    try writer.write(rows: facts.height, from: [UInt8](repeating: 100, count: facts.height * facts.rowBytes))
    try writer.finish()
    var reader = try PhotoReader(path: path)
    var strip = [UInt8](repeating: 0, count: facts.height * facts.rowBytes)
    try reader.read(rows: facts.height, into: &strip)
    #expect(facts.format == .jpeg || strip.allSatisfy { $0 == 100 })
    return (Array(try Data(contentsOf: URL(filePath: path))), reader.facts)
  }

  /// A TIFF has the bytes of every entry, also those of the camera's maker, where the file's readers look for them; and
  /// they come back as a block.
  @Test(arguments: [false, true], [8, 16]) func aTIFFHasTheEXIF(isBig: Bool, bits: Int) throws {
    let exif = HandMade.exif(isBig: isBig)
    var facts = PhotoFacts(format: .tiff, width: 30, height: 20, bits: bits)
    facts.exif = exif.bytes
    facts.orientation = 6
    let (bytes, found) = try Self.written(facts)
    let values = HandMade.values(inTIFF: bytes), back = HandMade.values(inTIFF: found.exif)
    for (tag, value) in exif.values {
      #expect(values[tag] == value, "\(tag)")
      #expect(back[tag] == value, "\(tag)")
    }
    #expect(found.orientation == 6 && back.count == exif.values.count)
  }

  /// What is no EXIF, or is cut off, does no harm.
  @Test func brokenEXIFIsNotPutIntoATIFF() throws {
    let whole = HandMade.exif(isBig: false).bytes
    let ones = [UInt8](repeating: 255, count: 90)
    for exif in [Array("words".utf8), Array(whole.prefix(8)), Array(whole.prefix(60)), Array(whole.prefix(8)) + ones] {
      var facts = PhotoFacts(format: .tiff, width: 30, height: 20, bits: 8)
      facts.exif = exif
      #expect(try Self.written(facts).facts.width == 30)
    }
  }

  @Test func aJPEGHasUpTo64KiBOfEach() throws {
    var facts = PhotoFacts(format: .jpeg, width: 30, height: 20, bits: 8)
    facts.exif = [UInt8](repeating: 1, count: 65_527)
    facts.xmp = [UInt8](repeating: 2, count: 65_504)
    #expect(facts.leaveOutLongMetadata() == [])
    let (_, found) = try Self.written(facts)
    #expect(found.exif == facts.exif && found.xmp == facts.xmp)
    facts.exif.append(1)
    facts.xmp.append(2)
    var longer = facts
    #expect(longer.leaveOutLongMetadata() == ["EXIF", "XMP"] && longer.exif.isEmpty && longer.xmp.isEmpty)
    facts.format = .png
    #expect(facts.leaveOutLongMetadata() == [])
  }
}
