import Color
import Foundation
import Frames
import TestKit
import Testing

import Photos

/// What is read from photographs, with FFmpeg as the one who wrote them, and what is refused.
@Suite struct PhotoReaderTests {
  /// A folder of the test's own.
  private final class Folder {
    let path: String
    init() throws {
      path = FileManager.default.temporaryDirectory.appending(path: "camrec-photos-\(UUID().uuidString)").path
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
    deinit { try? FileManager.default.removeItem(atPath: path) }
    func write(_ bytes: [UInt8], _ name: String) throws -> String {
      try Data(bytes).write(to: URL(filePath: "\(path)/\(name)"))
      return "\(path)/\(name)"
    }
    /// A test picture, from FFmpeg.
    func picture(_ name: String, format: String, size: String = "70x40", _ options: String...) throws -> String {
      let command = ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=size=\(size)"]
      try Tool.run(command + ["-frames:v", "1", "-pix_fmt", format] + options + ["\(path)/\(name)"])
      return "\(path)/\(name)"
    }
  }

  /// All codes, in the machine's byte order.
  private static func pixels(_ path: String) throws -> (facts: PhotoFacts, bytes: [UInt8]) {
    var reader = try PhotoReader(path: path)
    let facts = reader.facts
    var all: [UInt8] = [], row = 0
    var strip = [UInt8](repeating: 0, count: 7 * facts.rowBytes)
    while row < facts.height {
      let count = min(7, facts.height - row)
      try reader.read(rows: count, into: &strip)
      all += strip.prefix(count * facts.rowBytes)
      row += count
    }
    return (facts, all)
  }

  private static func decoded(_ path: String, as format: String) throws -> [UInt8] {
    Array(try Tool.run(["ffmpeg", "-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", format, "-"]))
  }

  private static func refusal(_ path: String) -> String? {
    do {
      _ = try pixels(path)
      return nil
    } catch {
      return (error as? CamrecError).map { "\($0.code.rawValue): \($0.message)" } ?? "\(error)"
    }
  }

  @Test(arguments: [
    ("a.png", "rgb24", "rgb24", 3, 8), ("b.png", "rgb48be", "rgb48le", 3, 16), ("c.png", "gray", "gray", 1, 8),
    ("d.png", "gray16be", "gray16le", 1, 16), ("e.png", "monob", "gray", 1, 8), ("f.tif", "rgb24", "rgb24", 3, 8),
    ("g.tif", "rgb48le", "rgb48le", 3, 16), ("h.tif", "gray", "gray", 1, 8),
  ]) func losslessPicturesAreReadAsFFmpegReadsThem(
    name: String, format: String, raw: String, channels: Int, bits: Int
  ) throws {
    let folder = try Folder(), path = try folder.picture(name, format: format)
    let (facts, bytes) = try Self.pixels(path)
    #expect(facts.width == 70 && facts.height == 40 && facts.channels == channels && facts.bits == bits)
    #expect(bytes == (try Self.decoded(path, as: raw)))
  }

  @Test func interlacedAndPaletteAndTiledPicturesAreRead() throws {
    let folder = try Folder()
    let interlaced = try folder.picture("i.png", format: "rgb24", size: "70x40", "-flags", "+ildct")
    #expect(try Self.pixels(interlaced).bytes == Self.decoded(interlaced, as: "rgb24"))
    let palette = try folder.picture("p.png", format: "pal8")
    #expect(try Self.pixels(palette).bytes == Self.decoded(palette, as: "rgb24"))
    // Two tiles of 16 by 16 beside each other, of which 20 columns and 10 rows are the picture.
    var tiled = HandMade.TIFF(width: 20, height: 10, tile: 16)
    for at in 0..<2 * 256 { tiled.pixels += [UInt8(at / 256), UInt8(at % 16), UInt8(at / 16 % 16)] }
    let (facts, bytes) = try Self.pixels(try folder.write(tiled.bytes, "t.tif"))
    #expect(facts.width == 20 && facts.height == 10)
    for row in 0..<10 {
      for column in 0..<20 {
        let at = 3 * (20 * row + column)
        #expect(Array(bytes[at..<at + 3]) == [UInt8(column / 16), UInt8(column % 16), UInt8(row)])
      }
    }
  }

  /// Two decoders of JPEG may differ by a code or two.
  @Test func jpegsAreReadAsFFmpegReadsThem() throws {
    let folder = try Folder(), path = try folder.picture("a.jpg", format: "yuvj444p", size: "70x40", "-q:v", "2")
    let (facts, bytes) = try Self.pixels(path)
    #expect(facts.format == .jpeg && facts.bits == 8)
    let other = try Self.decoded(path, as: "rgb24")
    #expect(bytes.count == other.count)
    #expect(zip(bytes, other).allSatisfy { one, two in abs(Int(one) - Int(two)) <= 3 })
  }

  @Test func progressiveAndGreyJPEGsAreRead() throws {
    let folder = try Folder()
    let (facts, bytes) = try Self.pixels(try folder.write(HandMade.progressiveJPEG, "p.jpg"))
    #expect(facts.width == 20 && facts.height == 15 && facts.channels == 3 && facts.bits == 8)
    for at in 0..<300 {
      let (x, y) = (at % 20, at / 20)
      for (channel, code) in [40 + 10 * x, 220 - 12 * y, 100 + 3 * x + 2 * y].enumerated() {
        #expect(abs(Int(bytes[3 * at + channel]) - code) <= 8, "\(x), \(y)")
      }
    }
    let (greyFacts, grey) = try Self.pixels(try folder.write(HandMade.greyJPEG, "g.jpg"))
    #expect(greyFacts.channels == 1 && greyFacts.bits == 8)
    for at in 0..<300 { #expect(abs(Int(grey[at]) - (40 + 10 * (at % 20))) <= 4) }
  }

  /// By their heads: such a picture takes no memory.
  @Test func whatWouldTakeOverAGiBIsRefused() throws {
    let folder = try Folder()
    let progressive = HandMade.resized(HandMade.progressiveJPEG, width: 20_000, height: 20_000)
    var interlaced = HandMade.PNG(reading: [])
    interlaced.chunks = [
      ("IHDR", HandMade.big(20_000, 4) + HandMade.big(20_000, 4) + [8, 2, 0, 0, 1]), ("IDAT", [0]), ("IEND", []),
    ]
    var tiled = HandMade.TIFF()
    tiled.others = [(322, 3, HandMade.little(32_768, 2)), (323, 3, HandMade.little(32_768, 2))]
    for (name, bytes, words) in [
      ("a.jpg", progressive, "a progressive JPEG"), ("a.png", interlaced.bytes, "an interlaced PNG"),
      ("a.tif", tiled.bytes, "a TIFF with large tiles"),
    ] {
      let path = try folder.write(bytes, name)
      #expect(
        Self.refusal(path) == "input: '\(path)' is \(words) of over 1 GiB, which has to be in memory as a whole; save "
          + "it in the plain form")
    }
  }

  /// A JPEG that is whole, but of a kind that the library has not, is not damaged.
  @Test func jpegsOfRareKindsAreRefusedAsSuch() throws {
    let folder = try Folder()
    func refusal(_ image: [UInt8]) throws -> String? {
      let path = try folder.write(image, "a.jpg")
      return Self.refusal(path)?.replacing(path, with: "a.jpg")
    }
    var deep = HandMade.greyJPEG, lossless = HandMade.greyJPEG
    let at = try #require(deep.indices.dropLast().first { deep[$0] == 0xFF && deep[$0 + 1] == 0xC0 })
    deep[at + 4] = 12
    #expect(try refusal(deep) == "input: 'a.jpg' has 12 bits per channel; save it with 8 or 16")
    lossless[at + 1] = 0xC3
    #expect(
      try refusal(lossless) == "input: 'a.jpg' holds its pixels in a form that camrec does not read; save it as RGB "
        + "with 8 or 16 bits")
    // More rows than the library's own limit.
    #expect(
      try refusal(HandMade.resized(HandMade.greyJPEG, width: 20, height: 65_535))
        == "input: 'a.jpg' has 20 × 65535 pixels; a side may have up to 65500, so make it smaller")
  }

  /// What is new in a later JFIF is not needed.
  @Test func aJPEGOfALaterJFIFIsRead() throws {
    let folder = try Folder(), path = try folder.picture("a.jpg", format: "yuvj420p")
    var image = Array(try Data(contentsOf: URL(filePath: path)))
    let name = try #require(image.indices.dropLast(5).first { Array(image[$0..<$0 + 5]) == Array("JFIF\0".utf8) })
    image[name + 5] = 3
    #expect(try Self.pixels(try folder.write(image, "b.jpg")).bytes == Self.pixels(path).bytes)
  }

  /// Programs write EXIF and XMP before the pixels or behind them.
  @Test(arguments: [false, true]) func metadataOfAPNGIsFoundOnBothSidesOfThePixels(isLate: Bool) throws {
    let folder = try Folder(), path = try folder.picture("a.png", format: "rgb24")
    var image = HandMade.PNG(reading: Array(try Data(contentsOf: URL(filePath: path))))
    let metadata: [(name: String, bytes: [UInt8])] = [
      ("tEXt", Array("Comment\0words".utf8)), HandMade.PNG.xmp("<x/>"), ("eXIf", HandMade.exif),
    ]
    if isLate { image.append(metadata) } else { image.insert(metadata) }
    let (facts, bytes) = try Self.pixels(try folder.write(image.bytes, "b.png"))
    #expect(facts.exif == HandMade.exif && facts.xmp == Array("<x/>".utf8))
    #expect(bytes == (try Self.pixels(path).bytes))
    // IEND is cut off, and with it a part of what precedes it.
    let cut = try folder.write(Array(image.bytes.dropLast(20)), "cut.png")
    #expect(Self.refusal(cut) == "input: '\(cut)' is damaged or cut off; take it from a copy")
  }

  /// Any number of texts that nobody asks for do not take the place of those that are.
  @Test func metadataOfAPNGIsFoundBehindManyTexts() throws {
    let folder = try Folder(), path = try folder.picture("a.png", format: "rgb24")
    var image = HandMade.PNG(reading: Array(try Data(contentsOf: URL(filePath: path))))
    var texts: [(name: String, bytes: [UInt8])] = []
    for number in 0..<1200 { texts.append(("tEXt", Array("Comment\0\(number)".utf8))) }
    image.insert(texts + [HandMade.PNG.xmp("<x/>")])
    #expect(try Self.pixels(try folder.write(image.bytes, "b.png")).facts.xmp == Array("<x/>".utf8))
  }

  /// cICP comes before a profile: its second number is the transfer function (ITU-T H.273).
  @Test(arguments: [(1, false), (13, false), (16, true), (18, true)] as [(UInt8, Bool)]) func pngsInHDRAreRefused(
    transfer: UInt8, isHDR: Bool
  ) throws {
    let folder = try Folder(), path = try folder.picture("a.png", format: "rgb24")
    var image = HandMade.PNG(reading: Array(try Data(contentsOf: URL(filePath: path))))
    image.insert([("cICP", [9, transfer, 0, 1])])
    let other = try folder.write(image.bytes, "b.png")
    let sentence = "input: '\(other)' is an HDR picture (PQ or HLG); convert it to sRGB or Display P3"
    #expect(Self.refusal(other) == (isHDR ? sentence : nil))
  }

  @Test func whatIsNoSuchPictureIsRefused() throws {
    let folder = try Folder()
    let text = try folder.write(Array("a text".utf8), "a.jpg")
    #expect(Self.refusal(text) == "input: '\(text)' is not a JPEG, PNG or TIFF file; convert it to one of them")
    let animated = try folder.picture("a.png", format: "rgb24", size: "70x40", "-f", "apng", "-frames:v", "2")
    #expect(Self.refusal(animated) == "input: '\(animated)' is animated; save one of its pictures by itself")
    let alpha = "has transparency, which a look does not keep; save it without an alpha channel"
    for path in [
      try folder.picture("alpha.png", format: "rgba"), try folder.picture("ya.png", format: "ya8"),
      try folder.write(HandMade.TIFF(samples: 4).bytes, "alpha.tif"),
    ] { #expect(Self.refusal(path) == "input: '\(path)' \(alpha)") }
    for path in [
      try folder.write(HandMade.TIFF(photometric: 5, samples: 4).bytes, "cmyk.tif"),
      try folder.write(HandMade.cmykJPEG, "cmyk.jpg"),
    ] { #expect(Self.refusal(path) == "input: '\(path)' has the colours of a printer (CMYK); convert it to RGB") }
    let lab = try folder.write(HandMade.TIFF(photometric: 8).bytes, "lab.tif")
    #expect(
      Self.refusal(lab)
        == "input: '\(lab)' holds its pixels in a form that camrec does not read; save it as RGB with 8 or 16 bits")
    // NewSubfileType 1: a small copy, the first picture of many raw files.
    var small = HandMade.TIFF()
    small.others = [(254, 4, [1, 0, 0, 0])]
    let raw = try folder.write(small.bytes, "raw.tif")
    #expect(
      Self.refusal(raw)
        == "input: '\(raw)' holds its pixels in a form that camrec does not read; save it as RGB with 8 or 16 bits")
    let deep = try folder.write(HandMade.TIFF(bits: 32).bytes, "deep.tif")
    #expect(Self.refusal(deep) == "input: '\(deep)' has 32 bits per channel; save it with 8 or 16")
    let wide = try folder.write(HandMade.TIFF(width: 65_501, height: 1).bytes, "wide.tif")
    #expect(
      Self.refusal(wide)
        == "input: '\(wide)' has 65501 × 1 pixels; a side may have up to 65500, so make it smaller")
    let missing = "\(folder.path)/none.png"
    #expect(Self.refusal(missing) == "input: '\(missing)' cannot be opened")
  }

  /// A decoder that has lost its place has data left at the end of the pixels. Zeros there are harmless, and so is
  /// anything behind the end.
  @Test func dataThatBelongsToNoPixelIsNoticed() throws {
    let folder = try Folder(), path = try folder.picture("a.jpg", format: "yuvj420p", size: "256x256", "-q:v", "2")
    let image = Array(try Data(contentsOf: URL(filePath: path))), pixels = try Self.pixels(path).bytes
    let body = Array(image.dropLast(2)), end = Array(image.suffix(2)), junk = (1...48).map { UInt8($0) }
    try #require(end == [0xFF, 0xD9])
    let zeros = [UInt8](repeating: 0, count: 70_000), fill = [UInt8](repeating: 0xFF, count: 9)
    let cases: [([UInt8], Bool)] = [
      (image, false), (body + junk + end, true), (body + zeros + end, false), (body + zeros + [1] + end, true),
      (body + fill + end, false), (image + junk, false),
    ]
    for (bytes, isNoticed) in cases {
      var reader = try PhotoReader(path: try folder.write(bytes, "b.jpg"))
      var whole = [UInt8](repeating: 0, count: 256 * reader.facts.rowBytes)
      try reader.read(rows: 256, into: &whole)
      let isStray = reader.strayBytes > 0
      #expect(isStray == isNoticed, "\(bytes.count) bytes")
      #expect(whole == pixels)
    }
  }

  /// What the library itself calls damage, it goes on with; here it is refused.
  @Test func pixelsThatCannotBeDecodedAreDamage() throws {
    let folder = try Folder(), path = try folder.picture("a.jpg", format: "yuvj420p", size: "256x256", "-q:v", "2")
    let image = Array(try Data(contentsOf: URL(filePath: path))), third = image.count / 3
    // A code of 16 ones is in no table (ITU-T T.81, annex C); each byte of ones has a zero behind it.
    let ones = (0..<150).flatMap { _ in [0xFF, 0] as [UInt8] }
    let spoiled = Array(image[..<third]) + ones + Array(image[(third + 300)...])
    let cut = Array(image[..<third]) + [0xFF, 0xD9]
    for bytes in [spoiled, cut] {
      let other = try folder.write(bytes, "b.jpg")
      #expect(Self.refusal(other) == "input: '\(other)' is damaged or cut off; take it from a copy")
    }
  }

  @Test(arguments: ["a.png", "a.jpg", "a.tif"]) func picturesThatAreCutOffOrDamagedAreRefused(name: String) throws {
    let folder = try Folder()
    let path = try folder.picture(name, format: name == "a.jpg" ? "yuvj420p" : "rgb24", size: "320x200")
    let bytes = Array(try Data(contentsOf: URL(filePath: path)))
    for part in [0.3, 0.6, 0.95] {
      let cut = try folder.write(Array(bytes.prefix(Int(Double(bytes.count) * part))), "cut-\(name)")
      #expect(Self.refusal(cut) == "input: '\(cut)' is damaged or cut off; take it from a copy", "\(part)")
    }
    // A picture of TIFF without checksums may have any byte.
    guard name == "a.png" else { return }
    var damaged = bytes
    damaged[bytes.count / 2] ^= 0x55
    let path2 = try folder.write(damaged, "damaged.png")
    #expect(Self.refusal(path2) == "input: '\(path2)' is damaged or cut off; take it from a copy")
  }
}
