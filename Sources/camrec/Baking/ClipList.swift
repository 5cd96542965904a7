import Foundation
import Frames

/// Clips that are baked in one go, a path a line; empty lines and those that begin with `#` say nothing.
struct ClipList: Sendable {
  struct Item: Hashable, Sendable {
    let clip: String
    let film: String

    /// Of what is known of it.
    var name: String { PathText(film).name }
  }

  let items: [Item]

  private static let limit = 64 << 20
  /// What stands for a clip's name in a film's.
  static let mark = "{clip}"

  /// - Parameters:
  ///   - path: relative paths of clips are meant from where it lies.
  ///   - output: a film's path, in which the mark stands in the last part.
  /// - Throws: code `input` for a file that cannot be read or names no clip, `usage` for an output without a mark, and for two
  ///   clips that come to one film or a film that is a clip.
  init(readingFile path: String, output: String) throws(CamrecError) {
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
    // Tasks elsewhere may have another working folder.
    let output = PathText(output).absolute
    var items: [Item] = []
    var lines: [String: Int] = [:]
    for (index, line) in text.drop(while: { $0 == "\u{FEFF}" }).split(
      omittingEmptySubsequences: false, whereSeparator: \.isNewline
    ).enumerated() {
      let clip = line.trimmingCharacters(in: .whitespaces)
      if clip.isEmpty || clip.hasPrefix("#") { continue }
      let whole = clip.hasPrefix("/") ? clip : "\(home)/\(clip)"
      let name = PathText(whole).stem
      let film = output.replacing(ClipList.mark, with: name)
      if let before = lines.updateValue(index + 1, forKey: film) {
        throw CamrecError(
          .usage,
          "\(path):\(index + 1): '\(clip)' comes to the film '\(film)', as the clip of line \(before) does; rename one,"
            + " or bake them into two folders")
      }
      items.append(Item(clip: whole, film: film))
    }
    guard !items.isEmpty else { throw CamrecError(.input, "the list '\(path)' names no clip; it has a path a line") }
    func real(_ path: String) -> String { PathText(path).resolved }
    let clips = Set(items.map { real($0.clip) })
    if let item = items.first(where: { clips.contains(real($0.film)) }) {
      throw CamrecError(.usage, "the film '\(item.film)' would be a clip of the list itself; choose another --output")
    }
    self.items = items
  }
}
