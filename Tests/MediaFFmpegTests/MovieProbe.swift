import Foundation
import TestSupport

/// What ffprobe says of a file.
struct MovieProbe {
  let json: [String: Any]

  init(_ path: String, _ arguments: [String] = ["-show_streams", "-show_format"]) throws {
    let data = try Tool.run(["ffprobe", "-v", "error", "-of", "json"] + arguments + [path])
    json = try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
  }

  var streams: [[String: Any]] { json["streams"] as? [[String: Any]] ?? [] }
  var format: [String: Any] { json["format"] as? [String: Any] ?? [:] }
  var formatTags: [String: String] { format["tags"] as? [String: String] ?? [:] }

  func stream(_ type: String) -> [String: Any] { streams.first { $0["codec_type"] as? String == type } ?? [:] }
  var video: [String: Any] { stream("video") }
  var audio: [String: Any] { stream("audio") }

  /// Presentation times of all packets of a track in its ticks, in order of presentation.
  static func times(_ path: String, _ track: String = "v:0") throws -> [Int64] {
    let probe = try MovieProbe(path, ["-select_streams", track, "-show_entries", "packet=pts"])
    let packets = probe.json["packets"] as? [[String: Any]] ?? []
    return packets.compactMap { ($0["pts"] as? NSNumber)?.int64Value }.sorted()
  }

  /// Presentation times of all pictures that decode, in ticks.
  static func decodedTimes(_ path: String) throws -> [Int64] {
    let probe = try MovieProbe(path, ["-select_streams", "v:0", "-show_entries", "frame=pts"])
    return (probe.json["frames"] as? [[String: Any]] ?? []).compactMap { ($0["pts"] as? NSNumber)?.int64Value }
  }

  /// Presentation time, size and MD5 of the picture track's packets, as they are stored.
  static func packets(_ path: String) throws -> [[String]] {
    let data = try Tool.run(
      ["ffmpeg", "-v", "error", "-i", path, "-map", "0:v:0", "-c", "copy", "-f", "framemd5", "-"])
    return String(decoding: data, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
      let fields = line.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
      return [fields[2], fields[4], fields[5]]
    }
  }

  /// The decoded samples of the sound track as interleaved integers of 32 bits, left-aligned.
  static func samples(_ path: String) throws -> [Int32] {
    let data = try Tool.run(["ffmpeg", "-v", "error", "-i", path, "-map", "0:a:0", "-f", "s32le", "-"])
    return data.withUnsafeBytes { Array($0.bindMemory(to: Int32.self)) }
  }
}

/// The boxes of a QuickTime file: enough of ISO/IEC 14496-12 (4.2) to find one by its path and read it.
struct MovieBoxes {
  struct Box {
    let path: String
    let body: Data
    let offset: Int
  }

  private(set) var boxes: [Box] = []

  init(_ path: String) throws {
    let data = try Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe)
    walk(data, 0, "")
  }

  init(bytes: [UInt8]) { walk(Data(bytes), 0, "") }

  /// Bodies (what follows size and type) of all boxes at `path`, as in `moov/trak/tkhd`.
  func all(_ path: String) -> [Data] { boxes.filter { $0.path == path }.map { Data($0.body) } }
  var topLevel: [String] { boxes.map(\.path).filter { !$0.contains("/") } }

  private static let containers: Set<String> = [
    "moov", "trak", "mdia", "minf", "stbl", "edts", "moof", "traf", "mvex", "udta", "tref", "gmhd",
  ]
  private static let sampleEntries: Set<String> = ["hvc1", "hev1", "apch", "FFV1"]

  private mutating func walk(_ data: Data, _ start: Int, _ parent: String) {
    var offset = 0
    let base = data.startIndex
    while offset + 8 <= data.count {
      var size = Int(MovieBoxes.number(data, offset, 4))
      let type = String(decoding: data[(base + offset + 4)..<(base + offset + 8)], as: Unicode.ASCII.self)
      var header = 8
      if size == 1, offset + 16 <= data.count {
        size = Int(MovieBoxes.number(data, offset + 8, 8))
        header = 16
      }
      guard size >= header, offset + size <= data.count else { return }
      let body = data[(base + offset + header)..<(base + offset + size)]
      let path = parent.isEmpty ? type : parent + "/" + type
      boxes.append(Box(path: path, body: body, offset: start + offset))
      if MovieBoxes.containers.contains(type) {
        walk(body, start + offset + header, path)
      } else if type == "stsd" {
        walk(body.dropFirst(8), start + offset + header + 8, path)
      } else if MovieBoxes.sampleEntries.contains(type) {
        walk(body.dropFirst(78), start + offset + header + 78, path)
      }
      offset += size
    }
  }

  /// A big-endian number of `count` bytes at `offset`.
  static func number(_ data: Data, _ offset: Int, _ count: Int) -> UInt64 {
    (0..<count).reduce(0) { $0 << 8 | UInt64(data[data.startIndex + offset + $1]) }
  }
}
