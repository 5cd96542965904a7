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

  /// Unprintable characters become dots, because terminals show this.
  public var description: String {
    let bytes = (0..<4).map { UInt8(truncatingIfNeeded: code >> (24 - 8 * $0)) }
    return String(decoding: bytes.map { (0x20..<0x7F).contains($0) ? $0 : UInt8(ascii: ".") }, as: Unicode.ASCII.self)
  }
}

extension BoxType {
  package static let movie = BoxType("moov"), movieHeader = BoxType("mvhd"), movieExtends = BoxType("mvex")
  package static let trackExtends = BoxType("trex"), track = BoxType("trak"), trackHeader = BoxType("tkhd")
  package static let edits = BoxType("edts"), editList = BoxType("elst")
  package static let media = BoxType("mdia"), mediaHeader = BoxType("mdhd")
  package static let handler = BoxType("hdlr"), information = BoxType("minf"), samples = BoxType("stbl")
  package static let descriptions = BoxType("stsd"), times = BoxType("stts"), offsets = BoxType("ctts")
  package static let syncs = BoxType("stss"), sizes = BoxType("stsz"), chunks = BoxType("stsc")
  package static let chunkOffsets = BoxType("stco"), longChunkOffsets = BoxType("co64")
  package static let userData = BoxType("udta"), chapterList = BoxType("chpl")
  package static let fragment = BoxType("moof"), trackFragment = BoxType("traf"), fragmentHeader = BoxType("tfhd")
  package static let fragmentTime = BoxType("tfdt"), sequence = BoxType("mfhd")
  package static let run = BoxType("trun"), data = BoxType("mdat")
  package static let picture = BoxType("vide"), sound = BoxType("soun"), timecode = BoxType("tmcd")
}
