import Foundation
import TestKit

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

  /// Decoding times of all packets of the picture track in its ticks, as they are stored.
  static func decodingTimes(_ path: String) throws -> [Int64] {
    let probe = try MovieProbe(path, ["-select_streams", "v:0", "-show_entries", "packet=dts"])
    return (probe.json["packets"] as? [[String: Any]] ?? []).compactMap { ($0["dts"] as? NSNumber)?.int64Value }
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
