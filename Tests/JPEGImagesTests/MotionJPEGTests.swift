import Foundation
import Frames
import JPEGImages
import StillMetadata
import TestKit
import Testing

/// Images as webcams send them become files.
struct MotionJPEGTests {
  /// The segments up to the first scan: markers, and what follows their lengths.
  private static func segments(_ image: [UInt8]) -> [(marker: UInt8, content: ArraySlice<UInt8>)] {
    var segments: [(UInt8, ArraySlice<UInt8>)] = [], place = 2
    while place + 4 <= image.count {
      let length = Int(image[place + 2]) << 8 | Int(image[place + 3])
      segments.append((image[place + 1], image[place + 4..<place + 2 + length]))
      if image[place + 1] == 0xDA { break }
      place += 2 + length
    }
    return segments
  }

  /// Huffman tables: by class and number, the counts and values.
  private static func tables(_ image: [UInt8]) -> [UInt8: [UInt8]] {
    var tables: [UInt8: [UInt8]] = [:]
    for (marker, content) in segments(image) where marker == 0xC4 {
      var rest = content
      while let table = rest.popFirst() {
        let count = 16 + rest.prefix(16).reduce(0) { $0 + Int($1) }
        tables[table] = Array(rest.prefix(count))
        rest = rest.dropFirst(count)
      }
    }
    return tables
  }

  private static func without(_ markers: Set<UInt8>, _ image: [UInt8]) -> [UInt8] {
    var bare = Array(image.prefix(2)), place = 2
    for (marker, content) in segments(image) {
      if !markers.contains(marker) { bare += image[place..<content.endIndex] }
      place = content.endIndex
    }
    return bare + image[place...]
  }

  /// As FFmpeg writes it.
  private static func image(
    _ options: String..., format: String = "yuvj422p", size: String = "160x90"
  ) throws -> [UInt8] {
    Array(
      try Tool.run(
        [
          "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=\(size)", "-frames:v", "1", "-pix_fmt", format,
          "-c:v", "mjpeg"
        ] + options + ["-f", "image2pipe", "-"]))
  }

  private static let avi1: (number: Int, bytes: [UInt8]) = (0, Array("AVI1".utf8) + [UInt8](repeating: 0, count: 10))

  /// Without JFIF and Huffman tables, with the marker of AVI files, EXIF of its own, and padding behind its end.
  private static func webcams(_ image: [UInt8]) -> [UInt8] {
    let own: (Int, [UInt8]) = (1, Array("Exif\0\0".utf8) + HandMade.exif)
    return HandMade.jpeg(without([0xE0, 0xC4], image), with: [avi1, own]) + [UInt8](repeating: 0, count: 500)
  }

  private static func isRefused(_ image: [UInt8]) -> Bool {
    do throws(CamrecError) {
      _ = try MotionJPEG.file(from: image)
      return false
    } catch {
      return error == CamrecError(.device, "the camera delivered a JPEG image that is broken or cut off")
    }
  }

  @Test func aWebcamsImageGetsTheStandardsTables() throws {
    let frame = PaintedFrame(.yuv422p)
    let whole = try JPEGEncoder(format: frame.format, quality: 80).image(of: frame.lend())
    #expect(Set(Self.tables(whole).keys) == [0, 1, 0x10, 0x11])
    let sent = Self.webcams(whole), file = try MotionJPEG.file(from: sent)
    #expect(Self.tables(sent).isEmpty && Self.tables(file) == Self.tables(whole))
    #expect(Self.segments(file).filter { $0.marker == 0xE0 }.map { Array($0.content) } == [Self.avi1.bytes])
    #expect(!Self.segments(file).contains { $0.marker == 0xE1 } && file.suffix(2) == [0xFF, 0xD9])
    let samples = try PaintedFrame.decoded(Data(whole), as: .yuv422p)
    #expect(try PaintedFrame.decoded(Data(file), as: .yuv422p) == samples)
    #expect(try MotionJPEG.file(from: file) == file)
  }

  /// A table that is there stays, and only the others come.
  @Test func onlyMissingTablesArePutIn() throws {
    let frame = PaintedFrame(.yuv420p)
    let whole = try JPEGEncoder(format: frame.format, quality: 80).image(of: frame.lend())
    let table = try #require(Self.segments(whole).first { $0.marker == 0xC4 })
    let length = HandMade.big(table.content.count + 2, 2), bare = Self.without([0xC4], whole)
    let sent = Array(bare.prefix(2)) + [0xFF, 0xC4] + length + table.content + bare.dropFirst(2)
    let file = try MotionJPEG.file(from: sent)
    #expect(Self.tables(sent).count == 1 && Self.tables(file) == Self.tables(whole))
    #expect(file.count == whole.count)
  }

  @Test func itsMetadataIsReadBesideTheMarkerOfAVI() throws {
    let whole = try Self.image("-huffman", "default"), folder = try TemporaryFolder()
    let facts = StillFacts(
      camera: "Webcam", software: "camrec 1", date: Date(timeIntervalSince1970: 1_700_000_000.5),
      timeZone: .gmt, width: 160, height: 90, exposureTime: 1 / 60.0, iso: 200)
    let file = try ExifBlock(facts).written(into: MotionJPEG.file(from: Self.webcams(whole)))
    let path = try folder.write(file, to: "a.jpg")
    #expect(Self.segments(file).prefix(2).map(\.marker) == [0xE1, 0xE0])
    let told = String(
      decoding: try Tool.run(["ffprobe", "-v", "error", "-of", "flat", "-show_frames", path]), as: UTF8.self)
    for tag in ["Model=\"Webcam\"", "ExposureTime=\"1:60\"", "ISOSpeedRatings=\"200\""] {
      #expect(told.replacing(" ", with: "").contains(tag), "\(told)")
    }
    #expect(!told.contains("tags.Make"), "the camera's own")
    let decoded = try Tool.run([
      "ffmpeg", "-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", "yuvj422p", "-",
    ])
    #expect(try decoded == PaintedFrame.decoded(Data(whole), as: .yuv422p))
  }

  /// Tables of its own, restart markers, progressive scans, grey.
  @Test func aWholeFileStaysAsItIs() throws {
    let parted = try Self.image("-threads", "4", "-slices", "4", size: "320x180")
    #expect(Self.segments(parted).contains { $0.marker == 0xDD }, "it has restart markers")
    let images = [
      parted, try Self.image("-huffman", "optimal", format: "yuvj420p"), HandMade.progressiveJPEG, HandMade.greyJPEG,
    ]
    for image in images { #expect(try MotionJPEG.file(from: image) == image) }
  }

  @Test func oneThatIsCutOffAnywhereIsRefused() throws {
    let image = Self.webcams(try Self.image("-huffman", "default", size: "64x36"))
    let end = try #require(image.lastIndex(of: 0xD9))
    let refused = (0...end).filter { Self.isRefused(Array(image.prefix($0))) }
    #expect(refused.count == end + 1 && !Self.isRefused(Array(image.prefix(end + 1))))
    // Two images, the first one without its end. Their length would make a segment of the second one's beginning.
    let more = [UInt8](repeating: 0, count: 0xFFE0) + [0xFF, 0xD9]
    let areRefused = Self.isRefused(image.prefix(end - 20) + image + more)
    #expect(areRefused && Self.isRefused([0xFF, 0xD8, 0xFF, 0xD9]))
  }

  @Test func damageIsRefusedOrPassedOn() throws {
    let image = Self.webcams(try Self.image("-huffman", "optimal", size: "64x36"))
    var random = SplitMix(seed: 39)
    for _ in 0..<3000 {
      var damaged = image
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        damaged[Int.random(in: 0..<damaged.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      guard let file = try? MotionJPEG.file(from: damaged) else { continue }
      #expect(file.prefix(2) == [0xFF, 0xD8] && file.suffix(2) == [0xFF, 0xD9])
      #expect(file.count <= damaged.count + 420)
    }
  }
}
