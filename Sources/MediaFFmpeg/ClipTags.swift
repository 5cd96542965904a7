import CFFmpeg
public import Frames
import Foundation
public import Movies

/// What a clip says about itself, apart from its samples.
public struct ClipTags: Hashable, Sendable {
  /// The label of the first frame as the file has it: `01:00:00:00`, `01:00:00;00`.
  public let timecode: String?
  /// When the frame of that label shows, in seconds, if the file has a track for it, or is a film of camrec's.
  let timecodeTime: Double?
  /// Seconds since 1970, UTC.
  public let creationTime: Int64?
  /// Title, author, place, … in the file's order and spelling; not what describes the container itself.
  public let entries: [MetadataEntry]
  /// In the file's order, by the times of its frames.
  public let chapters: [ClipChapter]
  /// The rotation that the display matrix asks for, to the nearest quarter turn.
  public let rotation: Rotation
  /// Warnings about what the display matrix asks for and `rotation` cannot express.
  let warnings: [String]

  init(container: UnsafePointer<AVFormatContext>, stream: UnsafePointer<AVStream>) {
    let global = ClipTags.entries(container.pointee.metadata)
    var streams = [ClipTags.entries(stream.pointee.metadata)]
    for index in 0..<Int(container.pointee.nb_streams) {
      guard let other = container.pointee.streams[index], other != stream else { continue }
      streams.append(ClipTags.entries(other.pointee.metadata))
    }
    func first(_ key: String, in lists: [[MetadataEntry]]) -> String? {
      lists.lazy.compactMap { $0.first { $0.key.lowercased() == key }?.value }.first
    }
    timecode = first("timecode", in: streams + [global]).map(ClipTags.label)
    // Films of camrec's begin at 0. A .mkv has no track for the label.
    let isOwn = first("software", in: [global])?.hasPrefix("camrec ") == true && ClipTags.isMatroska(container)
    timecodeTime = ClipTags.timecodeTime(container) ?? (isOwn ? 0 : nil)
    creationTime = first("creation_time", in: [global] + streams).flatMap(ClipTags.seconds)
    entries = global.filter { !ClipTags.technical.contains($0.key.lowercased()) }
    (rotation, warnings) = ClipTags.turn(stream)
    chapters = ClipTags.chapters(container)
  }

  private static let technical: Set<String> = [
    "major_brand", "minor_version", "compatible_brands", "encoder", "creation_time", "timecode", "duration"
  ]

  /// FFmpeg writes as many digits of frames as a rate needs: one up to 10 fps.
  private static func label(_ text: String) -> String {
    guard let separator = text.lastIndex(where: { $0 == ":" || $0 == ";" }) else { return text }
    let frames = text[text.index(after: separator)...]
    return frames.count == 1 ? "\(text[...separator])0\(frames)" : text
  }

  /// When the timecode track begins.
  private static func timecodeTime(_ container: UnsafePointer<AVFormatContext>) -> Double? {
    let tag = FourCC("tmcd").code
    for index in 0..<Int(container.pointee.nb_streams) {
      guard let stream = container.pointee.streams[index]?.pointee, stream.codecpar.pointee.codec_tag == tag else {
        continue
      }
      guard stream.start_time != CFFmpeg_noTimestamp, stream.time_base.den > 0 else { return 0 }
      return Double(stream.start_time) * Double(stream.time_base.num) / Double(stream.time_base.den)
    }
    return nil
  }

  private static func isMatroska(_ container: UnsafePointer<AVFormatContext>) -> Bool {
    String(cString: container.pointee.iformat.pointee.name).contains("matroska")
  }

  private static func chapters(_ container: UnsafePointer<AVFormatContext>) -> [ClipChapter] {
    var chapters: [ClipChapter] = []
    for index in 0..<Int(container.pointee.nb_chapters) {
      guard let chapter = container.pointee.chapters[index]?.pointee, chapter.time_base.den > 0 else { continue }
      let title = entries(chapter.metadata).first { $0.key.lowercased() == "title" }?.value
      let seconds = Double(chapter.start) * Double(chapter.time_base.num) / Double(chapter.time_base.den)
      chapters.append(ClipChapter(title: title ?? "", seconds: seconds))
    }
    return chapters
  }

  private static func entries(_ dictionary: OpaquePointer?) -> [MetadataEntry] {
    var entries: [MetadataEntry] = []
    var entry: UnsafeMutablePointer<AVDictionaryEntry>?
    while let next = av_dict_get(dictionary, "", entry, AV_DICT_IGNORE_SUFFIX) {
      entries.append(MetadataEntry(String(cString: next.pointee.key), String(cString: next.pointee.value)))
      entry = next
    }
    return entries
  }

  /// libavformat writes ISO 8601 with microseconds.
  private static func seconds(_ text: String) -> Int64? {
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    let date = (try? style.parse(text)) ?? (try? Date.ISO8601FormatStyle().parse(text))
    return date.map { Int64($0.timeIntervalSince1970.rounded(.down)) }
  }

  private static func turn(_ stream: UnsafePointer<AVStream>) -> (Rotation, [String]) {
    guard let matrix = CFFmpeg_displayMatrix(stream) else { return (.none, []) }
    // The library measures counter-clockwise.
    let clockwise = -av_display_rotation_get(matrix)
    guard clockwise.isFinite else {
      return (.none, ["the clip's display matrix is not a rotation; the film is not rotated"])
    }
    let quarters = (Int((clockwise / 90).rounded()) % 4 + 4) % 4
    var warnings: [String] = []
    if abs(clockwise / 90 - (clockwise / 90).rounded()) > 1e-3 {
      warnings.append("the clip asks for a rotation by \(clockwise)°; the film is rotated by \(quarters * 90)°")
    }
    // A negative determinant of the 2×2 part means a mirrored picture.
    let determinant = Double(matrix[0]) * Double(matrix[4]) - Double(matrix[1]) * Double(matrix[3])
    if determinant < 0 { warnings.append("the clip asks to be mirrored; the film is not") }
    return (Rotation(rawValue: quarters * 90) ?? .none, warnings)
  }
}
