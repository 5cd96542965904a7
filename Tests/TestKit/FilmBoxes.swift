public import Foundation

/// The boxes of a QuickTime file: enough of ISO/IEC 14496-12 (4.2) to find one by its path and read it.
public struct FilmBoxes: Sendable {
  public struct Box: Sendable {
    public let path: String
    public let body: Data
    public let offset: Int
  }

  public private(set) var boxes: [Box] = []

  public init(_ path: String) throws {
    let data = try Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe)
    walk(data, 0, "")
  }

  public init(bytes: [UInt8]) { walk(Data(bytes), 0, "") }

  /// Bodies (what follows size and type) of all boxes at `path`, as in `moov/trak/tkhd`.
  public func all(_ path: String) -> [Data] { boxes.filter { $0.path == path }.map { Data($0.body) } }
  public var topLevel: [String] { boxes.map(\.path).filter { !$0.contains("/") } }

  private static let containers: Set<String> = [
    "moov", "trak", "mdia", "minf", "stbl", "edts", "moof", "traf", "mvex", "udta", "tref", "gmhd",
  ]
  private static let sampleEntries: Set<String> = ["hvc1", "hev1", "apch", "FFV1"]

  private mutating func walk(_ data: Data, _ start: Int, _ parent: String) {
    var offset = 0
    let base = data.startIndex
    while offset + 8 <= data.count {
      var size = Int(FilmBoxes.number(data, offset, 4))
      let type = String(decoding: data[(base + offset + 4)..<(base + offset + 8)], as: Unicode.ASCII.self)
      var header = 8
      if size == 1, offset + 16 <= data.count {
        size = Int(FilmBoxes.number(data, offset + 8, 8))
        header = 16
      }
      guard size >= header, offset + size <= data.count else { return }
      let body = data[(base + offset + header)..<(base + offset + size)]
      let path = parent.isEmpty ? type : parent + "/" + type
      boxes.append(Box(path: path, body: body, offset: start + offset))
      if FilmBoxes.containers.contains(type) {
        walk(body, start + offset + header, path)
      } else if type == "stsd" {
        walk(body.dropFirst(8), start + offset + header + 8, path)
      } else if FilmBoxes.sampleEntries.contains(type) {
        walk(body.dropFirst(78), start + offset + header + 78, path)
      }
      offset += size
    }
  }

  /// A big-endian number of `count` bytes at `offset`.
  public static func number(_ data: Data, _ offset: Int, _ count: Int) -> UInt64 {
    (0..<count).reduce(0) { $0 << 8 | UInt64(data[data.startIndex + offset + $1]) }
  }
}
