import Foundation
import TestKit

/// What ffprobe says of a file.
struct Probe {
  let format: [String: Any]
  let streams: [[String: Any]]

  init(_ path: String) throws {
    let json = try Tool.run(["ffprobe", "-v", "error", "-show_format", "-show_streams", "-of", "json", path])
    let object = try JSONSerialization.jsonObject(with: json) as? [String: Any]
    format = object?["format"] as? [String: Any] ?? [:]
    streams = object?["streams"] as? [[String: Any]] ?? []
  }

  var video: [String: Any] { stream("video") }
  var audio: [String: Any] { stream("audio") }
  var tags: [String: String] { format["tags"] as? [String: String] ?? [:] }

  /// The timecode of the timecode track, and the rate that it counts in.
  var timecode: String? { (timecodeTrack?["tags"] as? [String: String])?["timecode"] }
  var timecodeRate: String? { timecodeTrack?["avg_frame_rate"] as? String }

  private var timecodeTrack: [String: Any]? { streams.first { $0["codec_tag_string"] as? String == "tmcd" } }

  /// Degrees counter-clockwise, as ffprobe counts them.
  var rotation: Int? {
    (video["side_data_list"] as? [[String: Any]])?.lazy.compactMap { $0["rotation"] as? Int }.first
  }

  /// Matrix, transfer, primaries, range by ffprobe's names.
  var colors: [String] {
    ["color_space", "color_transfer", "color_primaries", "color_range"].map { video[$0] as? String ?? "none" }
  }

  private func stream(_ kind: String) -> [String: Any] {
    streams.first { $0["codec_type"] as? String == kind } ?? [:]
  }
}
