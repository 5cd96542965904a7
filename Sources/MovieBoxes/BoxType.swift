/// A box's four-character type (ISO/IEC 14496-12, 4.2), or a track's handler.
public struct BoxType: Hashable, Sendable, CustomStringConvertible {
  /// Big-endian, as in the file.
  public let code: UInt32

  public init(code: UInt32) { self.code = code }

  /// - Precondition: four ASCII characters.
  public init(_ name: StaticString) {
    let bytes = Array("\(name)".utf8)
    precondition(bytes.count == 4, "a box's type has four characters")
    code = bytes.reduce(0) { $0 << 8 | UInt32($1) }
  }

  public var description: String {
    String(decoding: (0..<4).map { UInt8(truncatingIfNeeded: code >> (24 - 8 * $0)) }, as: Unicode.ASCII.self)
  }
}

extension BoxType {
  static let movie = BoxType("moov"), movieHeader = BoxType("mvhd"), movieExtends = BoxType("mvex")
  static let trackExtends = BoxType("trex"), track = BoxType("trak"), trackHeader = BoxType("tkhd")
  static let edits = BoxType("edts"), editList = BoxType("elst"), media = BoxType("mdia"), mediaHeader = BoxType("mdhd")
  static let handler = BoxType("hdlr"), information = BoxType("minf"), samples = BoxType("stbl")
  static let descriptions = BoxType("stsd"), times = BoxType("stts"), offsets = BoxType("ctts")
  static let syncs = BoxType("stss"), sizes = BoxType("stsz"), chunks = BoxType("stsc"), chunkOffsets = BoxType("stco")
  static let longChunkOffsets = BoxType("co64")
  static let fragment = BoxType("moof"), trackFragment = BoxType("traf"), fragmentHeader = BoxType("tfhd")
  static let fragmentTime = BoxType("tfdt"), sequence = BoxType("mfhd")
  static let run = BoxType("trun"), data = BoxType("mdat")
  static let picture = BoxType("vide"), sound = BoxType("soun"), timecode = BoxType("tmcd")
}
