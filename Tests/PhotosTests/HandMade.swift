import Foundation

/// Small pictures and profiles, byte by byte: of kinds that the system's programs do not write.
enum HandMade {
  /// A TIFF of one strip or of tiles (TIFF 6.0).
  struct TIFF {
    var width = 4
    var height = 3
    var bits = 8
    /// 1: grey; 2: RGB; 5: CMYK; 8: Lab.
    var photometric = 2
    var samples = 3
    /// A side of the tiles, a multiple of 16; 0 for a strip.
    var tile = 0
    /// Row by row, or tile by tile.
    var pixels: [UInt8] = []
    /// Other entries: the tag, 1 for bytes and 3 for numbers of 16 bits, and the bytes.
    var others: [(tag: Int, type: Int, bytes: [UInt8])] = []

    var bytes: [UInt8] {
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

  static func little(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> (8 * $0) & 0xFF) } }
  static func big(_ value: Int, _ count: Int) -> [UInt8] { little(value, count).reversed() }

  /// An ICC profile (version 2) with the colours of Adobe RGB (1998), adapted to D50.
  static func profile(space: String = "RGB ", hasPrimaries: Bool = true) -> [UInt8] {
    func xyz(_ x: Double, _ y: Double, _ z: Double) -> [UInt8] {
      Array("XYZ ".utf8) + big(0, 4) + [x, y, z].flatMap { big(Int(($0 * 65536).rounded()), 4) }
    }
    var tags: [(String, [UInt8])] = []
    if hasPrimaries {
      tags = [
        ("rXYZ", xyz(0.60974, 0.31111, 0.01947)), ("gXYZ", xyz(0.20528, 0.62567, 0.06087)),
        ("bXYZ", xyz(0.14919, 0.06322, 0.74457)),
      ]
      // A gamma of 563/256, in 8.8 bits.
      let curve = Array("curv".utf8) + big(0, 4) + big(1, 4) + big(563, 2) + big(0, 2)
      tags += ["rTRC", "gTRC", "bTRC"].map { ($0, curve) }
    } else {
      tags = [("A2B0", Array("mft1".utf8) + [UInt8](repeating: 0, count: 44))]
    }
    var table = big(tags.count, 4), data: [UInt8] = [], place = 128 + 4 + 12 * tags.count
    for (name, bytes) in tags {
      table += Array(name.utf8) + big(place, 4) + big(bytes.count, 4)
      data += bytes
      place += bytes.count
    }
    var head = big(place, 4) + big(0, 4) + [2, 0x40, 0, 0] + Array("mntr".utf8) + Array(space.utf8)
    head += Array("XYZ ".utf8) + big(2026, 2) + [0, 1, 0, 1, 0, 0, 0, 0, 0, 0] + Array("acsp".utf8)
    head += [UInt8](repeating: 0, count: 28)
    head += big(0xF6D6, 4) + big(0x10000, 4) + big(0xD32D, 4)
    head += [UInt8](repeating: 0, count: 128 - head.count)
    return head + table + data
  }
}
