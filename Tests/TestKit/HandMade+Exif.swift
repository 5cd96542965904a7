extension HandMade {
  /// EXIF with directories of the camera, of interoperability and of GPS, and the values of every entry by tag.
  ///
  /// - Parameter isBig: whether the most significant byte comes first.
  public static func exif(isBig: Bool) -> (bytes: [UInt8], values: [Int: [UInt8]]) {
    func number(_ value: Int, _ count: Int) -> [UInt8] { isBig ? big(value, count) : little(value, count) }
    func text(_ tag: Int, _ text: String) -> ExifEntry { (tag, 2, text.utf8.count + 1, Array(text.utf8) + [0]) }
    func rational(_ tag: Int, _ values: Int...) -> ExifEntry {
      (tag, 5, values.count / 2, values.flatMap { number($0, 4) })
    }
    func pointer(_ tag: Int, _ place: Int) -> ExifEntry { (tag, 4, 1, number(place, 4)) }
    func directory(_ entries: [ExifEntry], at place: Int) -> [UInt8] {
      var bytes = number(entries.count, 2), values: [UInt8] = []
      let behind = place + 2 + 12 * entries.count + 4
      for entry in entries {
        bytes += number(entry.tag, 2) + number(entry.type, 2) + number(entry.count, 4)
        if entry.bytes.count <= 4 {
          bytes += entry.bytes + [UInt8](repeating: 0, count: 4 - entry.bytes.count)
        } else {
          bytes += number(behind + values.count, 4)
          values += entry.bytes + [UInt8](repeating: 0, count: entry.bytes.count % 2)
        }
      }
      return bytes + number(0, 4) + values
    }
    let first: [ExifEntry] = [
      text(0x10F, "Cam"), text(0x110, "A model"), (0x112, 3, 1, number(6, 2)), rational(0x11A, 300, 1),
      rational(0x11B, 300, 1), (0x128, 3, 1, number(2, 2)), text(0x131, "old"), text(0x132, "2026:01:02 03:04:05"),
      // Rating, and Windows' title and author.
      (0x4746, 3, 1, number(4, 2)), (0x4749, 3, 1, number(75, 2)), (0x9C9B, 1, 8, Array("T\0w\0o\0\0\0".utf8)),
      (0x9C9D, 1, 4, Array("I\0\0\0".utf8)),
    ]
    let camera: [ExifEntry] = [
      rational(0x829A, 1, 125), text(0x9003, "2026:01:02 03:04:05"), (0x927C, 7, 11, Array("maker notes".utf8)),
      (0x9286, 7, 16, Array("ASCII\0\0\0my words".utf8)),
    ]
    let interoperability: [ExifEntry] = [text(1, "R98")]
    let gps: [ExifEntry] = [text(0x1, "N"), rational(0x2, 50, 1, 30, 1, 1234, 100)]
    func firstBytes(_ camera: Int, _ gps: Int) -> [UInt8] {
      directory((first + [pointer(0x8769, camera), pointer(0x8825, gps)]).sorted { $0.tag < $1.tag }, at: 8)
    }
    let cameraPlace = 8 + firstBytes(0, 0).count
    func cameraBytes(_ place: Int) -> [UInt8] { directory(camera + [pointer(0xA005, place)], at: cameraPlace) }
    let otherPlace = cameraPlace + cameraBytes(0).count
    let other = directory(interoperability, at: otherPlace), gpsPlace = otherPlace + other.count
    let head = isBig ? Array("MM\0*".utf8) : Array("II*\0".utf8)
    let bytes =
      head + number(8, 4) + firstBytes(cameraPlace, gpsPlace) + cameraBytes(otherPlace) + other
      + directory(gps, at: gpsPlace)
    var values: [Int: [UInt8]] = [:]
    for entry in first + camera + interoperability { values[entry.tag] = entry.bytes }
    // GPS has tag 1, too.
    for entry in gps { values[0x1_0000 + entry.tag] = entry.bytes }
    return (bytes, values)
  }

  private typealias ExifEntry = (tag: Int, type: Int, count: Int, bytes: [UInt8])

  /// The values of every entry in a TIFF's first directory, and in those of EXIF, interoperability and GPS, whose tags
  /// count from 0x10000.
  public static func values(inTIFF file: [UInt8]) -> [Int: [UInt8]] {
    let isBig = file.first == UInt8(ascii: "M"), sizes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4]
    func number(_ place: Int, _ count: Int) -> Int {
      let bytes = file[place..<place + count]
      return isBig ? bytes.reduce(0) { $0 << 8 | Int($1) } : bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    var values: [Int: [UInt8]] = [:]
    func read(_ place: Int, _ base: Int) {
      for entry in 0..<number(place, 2) {
        let at = place + 2 + 12 * entry, tag = number(at, 2), size = sizes[number(at + 2, 2)] * number(at + 4, 4)
        switch tag {
        case 0x8769, 0xA005: read(number(at + 8, 4), 0)
        case 0x8825: read(number(at + 8, 4), 0x1_0000)
        default:
          let from = size > 4 ? number(at + 8, 4) : at + 8
          values[base + tag] = Array(file[from..<from + size])
        }
      }
    }
    read(number(4, 4), 0)
    return values
  }
}
