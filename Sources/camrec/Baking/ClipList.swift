import Foundation
import Frames

/// Clips that are baked in one go: those of a file, a path a line, in which empty lines and those that begin with `#`
/// say nothing; or those of a command line. Blanks at the ends of a line are the path's, unless only the path without
/// them is there.
struct ClipList: Sendable {
  struct Item: Hashable, Sendable {
    let clip: String
    let film: String
  }

  let items: [Item]

  private static let limit = 64 << 20
  /// What stands for a clip's name in a film's.
  static let mark = "{clip}"

  /// - Parameters:
  ///   - path: relative paths of clips are meant from where it lies.
  ///   - output: a film's path, in which the mark stands in the last part.
  /// - Throws: code `input` for a file that cannot be read or names no clip, `usage` for an output without a mark, and
  ///   for two clips that come to one film or a film that is a clip.
  init(readingFile path: String, output: String) throws(CamrecError) {
    try ClipList.checkMark(of: output)
    guard PathText(output).name.contains(ClipList.mark) else {
      throw CamrecError(
        .usage,
        "with --list, --output names a film for each clip by '\(ClipList.mark)', 'graded/\(ClipList.mark).mov' for one;"
          + " this is '\(output)'")
    }
    let bytes = try NamedFile.read(path: path, what: "list", limit: ClipList.limit)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw CamrecError(.input, "the list '\(path)' is no text in UTF-8")
    }
    let home = PathText(PathText(path).absolute).folder
    var clips: [(clip: String, whole: String, place: Int)] = []
    func whole(_ clip: String) -> String { clip.hasPrefix("/") ? clip : "\(home)/\(clip)" }
    func isThere(_ clip: String) -> Bool { FileManager.default.fileExists(atPath: whole(clip)) }
    for (index, line) in text.drop(while: { $0 == "\u{FEFF}" }).split(
      omittingEmptySubsequences: false, whereSeparator: { $0 == "\n" || $0 == "\r\n" }
    ).enumerated() {
      let bare = line.trimmingCharacters(in: .whitespacesAndNewlines)
      if bare.isEmpty || bare.hasPrefix("#") { continue }
      let clip = !isThere(String(line)) && isThere(bare) ? bare : String(line)
      clips.append((clip, whole(clip), index + 1))
    }
    guard !clips.isEmpty else { throw CamrecError(.input, "the list '\(path)' names no clip; it has a path a line") }
    try self.init(clips, output) { (item, before) in
      ("\(path):\(item.place): ", "the clip of line \(before)")
    }
  }

  /// - Parameters:
  ///   - clips: paths, meant from the working folder.
  ///   - output: a folder, or a film's path with the mark.
  /// - Throws: code `usage` as for a file, `output` where the folder cannot be made.
  init(clips: [String], output: String) throws(CamrecError) {
    let isFolder = !PathText(output).name.contains(ClipList.mark)
    if isFolder, PathText(output).kind != "" { try ClipList.checkMark(of: output) }
    if isFolder, PathText(output).kind != "", !FileManager.default.fileExists(atPath: output) {
      throw CamrecError(
        .usage, "several clips come to several films: --output names a folder, or films by '\(ClipList.mark)', as in "
          + "'graded/\(ClipList.mark).mov'; this is '\(output)'")
    }
    let all = clips.enumerated().map { ($0.element, PathText($0.element).absolute, $0.offset) }
    try self.init(all, isFolder ? PathText(output).appending("\(ClipList.mark).mov") : output) { (_, before) in
      ("", "'\(clips[before])'")
    }
  }

  /// Makes the films' folder where it is missing.
  ///
  /// - Parameter words: for two clips that come to one film: what stands before the sentence, and which the other is.
  private init(
    _ clips: [(clip: String, whole: String, place: Int)], _ output: String,
    words: ((clip: String, whole: String, place: Int), _ before: Int) -> (place: String, other: String)
  ) throws(CamrecError) {
    // Tasks elsewhere may have another working folder.
    let output = PathText(output).absolute
    var items: [Item] = []
    var places: [String: Int] = [:]
    for clip in clips {
      let film = output.replacing(ClipList.mark, with: PathText(clip.whole).stem)
      if let before = places.updateValue(clip.place, forKey: film) {
        let (place, other) = words(clip, before)
        throw CamrecError(
          .usage,
          "\(place)'\(clip.clip)' comes to the film '\(film)', as \(other) does; rename one,"
            + " or bake them into two folders")
      }
      items.append(Item(clip: clip.whole, film: film))
    }
    func real(_ path: String) -> String { PathText(path).resolved }
    let own = Set(items.map { real($0.clip) })
    if let item = items.first(where: { own.contains(real($0.film)) }) {
      throw CamrecError(.usage, "the film '\(item.film)' would be a clip of the list itself; choose another --output")
    }
    self.items = items
    try ClipList.makeFolder(PathText(output).folder)
  }

  /// In a folder's name alone the mark would let all clips have one name.
  private static func checkMark(of output: String) throws(CamrecError) {
    guard output.contains(mark), !PathText(output).name.contains(mark) else { return }
    throw CamrecError(
      .usage,
      "'\(mark)' has to stand in the film's name, as in 'graded/\(mark).mov'; in '\(output)' it stands only in a"
        + " folder's")
  }

  private static func makeFolder(_ path: String) throws(CamrecError) {
    // What stands for the clip may be in it, too.
    guard !path.contains(mark) else { return }
    do { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) } catch {
      throw CamrecError(.output, "the folder '\(path)' cannot be made", cause: error.localizedDescription)
    }
  }
}
