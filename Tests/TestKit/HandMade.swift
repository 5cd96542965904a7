/// Small pictures and profiles, byte by byte: of kinds that the system's programs do not write.
public enum HandMade {
  /// A TIFF of one strip or of tiles (TIFF 6.0).
  public struct TIFF {
    public var width: Int
    public var height: Int
    public var bits: Int
    /// 1: grey; 2: RGB; 5: CMYK; 8: Lab.
    public var photometric: Int
    public var samples: Int
    /// A side of the tiles, a multiple of 16; 0 for a strip.
    public var tile: Int
    /// Row by row, or tile by tile.
    public var pixels: [UInt8] = []
    /// Other entries: the tag, 1 for bytes, 3 and 4 for numbers of 16 and 32 bits, and the bytes.
    public var others: [(tag: Int, type: Int, bytes: [UInt8])] = []

    public init(
      width: Int = 4, height: Int = 3, bits: Int = 8, photometric: Int = 2, samples: Int = 3, tile: Int = 0
    ) {
      self.width = width
      self.height = height
      self.bits = bits
      self.photometric = photometric
      self.samples = samples
      self.tile = tile
    }

    public var bytes: [UInt8] {
      var entries = others
      func short(_ tag: Int, _ values: Int...) { entries.append((tag, 3, values.flatMap { little($0, 2) })) }
      short(256, width)
      short(257, height)
      entries.append((258, 3, (0..<samples).flatMap { _ in little(bits, 2) }))
      short(259, 1)
      short(262, photometric)
      short(277, samples)
      let pixelBytes = samples * bits / 8, count = pixels.isEmpty ? width * height * pixelBytes : pixels.count
      let data = pixels.isEmpty ? [UInt8](repeating: 100, count: count) : pixels
      // The pixels follow the header.
      if tile == 0 {
        short(278, height)
        entries.append((273, 4, little(8, 4)))
        entries.append((279, 4, little(count, 4)))
      } else {
        let size = tile * tile * pixelBytes, tiles = count / size
        short(322, tile)
        short(323, tile)
        entries.append((324, 4, (0..<tiles).flatMap { little(8 + $0 * size, 4) }))
        entries.append((325, 4, (0..<tiles).flatMap { _ in little(size, 4) }))
      }
      entries.sort { $0.tag < $1.tag }
      var file = Array("II".utf8) + little(42, 2) + little(8 + count, 4) + data
      var behind = file.count + 2 + 12 * entries.count + 4, table: [UInt8] = [], values: [UInt8] = []
      for entry in entries {
        let size = entry.type == 1 ? 1 : entry.type == 3 ? 2 : 4
        table += little(entry.tag, 2) + little(entry.type, 2) + little(entry.bytes.count / size, 4)
        if entry.bytes.count <= 4 {
          table += entry.bytes + [UInt8](repeating: 0, count: 4 - entry.bytes.count)
        } else {
          table += little(behind, 4)
          values += entry.bytes
          behind += entry.bytes.count
        }
      }
      file += little(entries.count, 2) + table + little(0, 4) + values
      return file
    }
  }

  /// The chunks of a PNG (ISO/IEC 15948), which come with their checksums.
  public struct PNG {
    public var chunks: [(name: String, bytes: [UInt8])] = []

    public init(reading file: [UInt8]) {
      var at = 8
      while at + 12 <= file.count {
        let count = file[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
        let name = String(decoding: file[at + 4..<at + 8], as: UTF8.self)
        chunks.append((name, Array(file[at + 8..<at + 8 + count])))
        at += 12 + count
      }
    }

    /// Puts chunks before the pixels.
    public mutating func insert(_ more: [(name: String, bytes: [UInt8])]) { chunks.insert(contentsOf: more, at: 1) }

    /// Puts chunks behind the pixels.
    public mutating func append(_ more: [(name: String, bytes: [UInt8])]) {
      chunks.insert(contentsOf: more, at: chunks.count - 1)
    }

    public var bytes: [UInt8] {
      var file: [UInt8] = [0x89] + Array("PNG\r\n".utf8) + [0x1A, 0x0A]
      for chunk in chunks {
        let body = Array(chunk.name.utf8) + chunk.bytes
        file += big(chunk.bytes.count, 4) + body + big(Int(PNG.checksum(body)), 4)
      }
      return file
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
      var sum = UInt32.max
      for byte in bytes {
        sum ^= UInt32(byte)
        for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
      }
      return ~sum
    }

    /// The text of XMP, without compression.
    public static func xmp(_ text: String) -> (name: String, bytes: [UInt8]) {
      ("iTXt", Array("XML:com.adobe.xmp".utf8) + [0, 0, 0, 0, 0] + Array(text.utf8))
    }
  }

  /// A JPEG with more segments behind its beginning: the number of an application marker, and the bytes.
  public static func jpeg(_ image: [UInt8], with segments: [(number: Int, bytes: [UInt8])]) -> [UInt8] {
    var file = Array(image.prefix(2))
    for (number, bytes) in segments { file += [0xFF, 0xE0 + UInt8(number)] + big(bytes.count + 2, 2) + bytes }
    return file + image.dropFirst(2)
  }

  /// The segment that holds a profile (ICC.1:2022, B.4).
  public static func segment(profile: [UInt8]) -> (number: Int, bytes: [UInt8]) {
    (2, Array("ICC_PROFILE".utf8) + [0, 1, 1] + profile)
  }

  /// EXIF from its TIFF header on: Make "Cam", Orientation 6, Software "old".
  public static let exif: [UInt8] = {
    func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: [UInt8]) -> [UInt8] {
      HandMade.little(tag, 2) + HandMade.little(type, 2) + HandMade.little(count, 4) + value
    }
    return Array("II".utf8) + [42, 0, 8, 0, 0, 0, 3, 0] + entry(0x10F, 2, 4, Array("Cam\0".utf8))
      + entry(0x112, 3, 1, [6, 0, 0, 0]) + entry(0x131, 2, 4, Array("old\0".utf8)) + [0, 0, 0, 0]
  }()

  public static func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(value >> (8 * $0) & 0xFF) }
  }
  public static func big(_ value: Int, _ count: Int) -> [UInt8] { little(value, count).reversed() }

  /// An ICC profile (version 2): of RGB with the primaries of Adobe RGB (1998), adapted to D50, or of others, and
  /// a gamma of 563/256.
  ///
  /// - Parameters:
  ///   - space: its colours, four letters: `RGB `, `GRAY`, `CMYK`.
  ///   - kind: its class: `mntr`, a display.
  ///   - connection: what it leads to: `XYZ ` or `Lab `.
  ///   - hasCurves: also the primaries.
  public static func profile(
    space: String = "RGB ", kind: String = "mntr", connection: String = "XYZ ", hasCurves: Bool = true,
    hasTable: Bool = false
  ) -> [UInt8] {
    func xyz(_ x: Double, _ y: Double, _ z: Double) -> [UInt8] {
      Array("XYZ ".utf8) + big(0, 4) + [x, y, z].flatMap { big(Int(($0 * 65536).rounded()), 4) }
    }
    var tags: [(String, [UInt8])] = []
    if hasCurves {
      // In 8.8 bits.
      let curve = Array("curv".utf8) + big(0, 4) + big(1, 4) + big(563, 2) + big(0, 2)
      if space == "GRAY" {
        tags = [("kTRC", curve)]
      } else {
        tags = [
          ("rXYZ", xyz(0.60974, 0.31111, 0.01947)), ("gXYZ", xyz(0.20528, 0.62567, 0.06087)),
          ("bXYZ", xyz(0.14919, 0.06322, 0.74457)),
        ]
        tags += ["rTRC", "gTRC", "bTRC"].map { ($0, curve) }
      }
    }
    if hasTable { tags.append(("A2B0", Array("mft1".utf8) + [UInt8](repeating: 0, count: 44))) }
    var table = big(tags.count, 4), data: [UInt8] = [], place = 128 + 4 + 12 * tags.count
    for (name, bytes) in tags {
      table += Array(name.utf8) + big(place, 4) + big(bytes.count, 4)
      data += bytes
      place += bytes.count
    }
    var head = big(place, 4) + big(0, 4) + [2, 0x40, 0, 0] + Array(kind.utf8) + Array(space.utf8)
    head += Array(connection.utf8) + big(2026, 2) + [0, 1, 0, 1, 0, 0, 0, 0, 0, 0] + Array("acsp".utf8)
    head += [UInt8](repeating: 0, count: 28)
    head += big(0xF6D6, 4) + big(0x10000, 4) + big(0xD32D, 4)
    head += [UInt8](repeating: 0, count: 128 - head.count)
    return head + table + data
  }
}
