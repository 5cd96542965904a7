/// The second byte of a JPEG's markers (ITU-T T.81, table B.1).
enum JPEGMarker {
  static let start: UInt8 = 0xD8
  static let end: UInt8 = 0xD9
  static let scan: UInt8 = 0xDA
  static let huffmanTables: UInt8 = 0xC4
  /// APP1, which EXIF and XMP use.
  static let application1: UInt8 = 0xE1
  static let restarts: ClosedRange<UInt8> = 0xD0...0xD7

  /// Frames whose scans use Huffman tables for DC and AC at once: baseline and extended sequential.
  static let sequentialFrames: ClosedRange<UInt8> = 0xC0...0xC1

  /// Those that no length and no content follow, besides start and end: restarts, and TEM.
  static func standsAlone(_ marker: UInt8) -> Bool { restarts.contains(marker) || marker == 0x01 }
}
