import Assembly
import Foundation
package import Frames
import Platform

/// Clips to bake: from a file with one path per line, in which empty lines and lines that begin with `#` are ignored,
/// or from a command line. Blanks at the ends of a line belong to the path, unless only the path without them exists.
package struct ClipList: Sendable {
  package struct Item: Hashable, Sendable {
    package let clip: String
    package let film: String

    package init(clip: String, film: String) {
      self.clip = clip
      self.film = film
    }
  }

  package let items: [Item]

  private static let limit = 64 << 20
  /// The placeholder for a clip's name in a film's name.
  package static let mark = "{clip}"

  /// - Parameters:
  ///   - path: the file; relative paths of clips start at its folder.
  ///   - output: a film's path with the mark in the file name.
  /// - Throws: code `input` for a file that cannot be read or names no clip, `usage` for an output without a mark, two
  ///   clips with the same film, or a film that is one of the clips.
  package init(readingFile path: String, output: String) throws(CamrecError) {
    try ClipList.checkMark(of: output)
    guard PathText(output).name.contains(ClipList.mark) else {
      throw CamrecError(
        .usage, about: .output,
        "with \(setting: .list), \(setting: .output) must contain '\(ClipList.mark)', as in "
          + "'graded/\(ClipList.mark).mov'; this is '\(output)'")
    }
    let bytes = try NamedFile.read(path: path, what: "list", limit: ClipList.limit)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw CamrecError(.input, "the list '\(path)' is not UTF-8 text")
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
    guard !clips.isEmpty else { throw CamrecError(.input, "the list '\(path)' names no clip; write one path per line") }
    try self.init(clips, output) { (item, before) in
      ("\(path):\(item.place): ", "the clip in line \(before)")
    }
  }

  /// - Parameters:
  ///   - clips: paths, relative to the working folder.
  ///   - output: a folder, or a film's path with the mark.
  /// - Throws: code `usage` as for a file, `output` if the folder cannot be made.
  package init(clips: [String], output: String) throws(CamrecError) {
    let isFolder = !PathText(output).name.contains(ClipList.mark)
    // A slash at the end says that it is one.
    let isLikeFilm = isFolder && PathText(output).kind != "" && !output.hasSuffix("/")
    if isLikeFilm { try ClipList.checkMark(of: output) }
    if isLikeFilm, !FileManager.default.fileExists(atPath: output) {
      throw CamrecError(
        .usage, about: .output,
        "with several clips, \(setting: .output) must be a folder or contain '\(ClipList.mark)', as in "
          + "'graded/\(ClipList.mark).mov'; this is '\(output)'")
    }
    let all = clips.enumerated().map { ($0.element, PathText($0.element).absolute, $0.offset) }
    try self.init(all, isFolder ? PathText(output).appending("\(ClipList.mark).mov") : output) { (_, before) in
      ("", "'\(clips[before])'")
    }
  }

  /// Creates the films' folder if it is missing.
  ///
  /// - Parameter words: for two clips with the same film: what precedes the sentence, and the other clip.
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
          "\(place)'\(clip.clip)' would become the film '\(film)', like \(other); rename one,"
            + " or bake them into two folders")
      }
      items.append(Item(clip: clip.whole, film: film))
    }
    func real(_ path: String) -> String { PathText(path).resolved }
    let own = Set(items.map { real($0.clip) })
    if let item = items.first(where: { own.contains(real($0.film)) }) {
      throw CamrecError(
        .usage, about: .output,
        "the film '\(item.film)' is itself one of the clips; choose another \(setting: .output)")
    }
    self.items = items
    try ClipList.makeFolder(PathText(output).folder)
  }

  /// With the mark in a folder's name only, all films would have the same name.
  private static func checkMark(of output: String) throws(CamrecError) {
    guard output.contains(mark), !PathText(output).name.contains(mark) else { return }
    throw CamrecError(
      .usage,
      "put '\(mark)' in the film's name, as in 'graded/\(mark).mov'; in '\(output)' it is only in a folder's name")
  }

  private static func makeFolder(_ path: String) throws(CamrecError) {
    // The folder's name may have the mark, too.
    guard !path.contains(mark) else { return }
    do { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) } catch {
      throw CamrecError(.output, "the folder '\(path)' cannot be made", cause: error.localizedDescription)
    }
  }
}
