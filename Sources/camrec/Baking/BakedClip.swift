import Frames

/// What became of a clip of a list.
struct BakedClip: Codable, Hashable, Sendable {
  /// How its camrec ended.
  let status: Int32
  /// The last that it said.
  let words: String
  /// What it warned of; `nil` in results of older lists.
  var warnings: [String]?
  let seconds: Double
  /// Of the film that was made; `nil` where none was.
  var film: FileState?

  var exit: ExitStatus { ExitStatus(rawValue: status) ?? .defect }
  /// There is a film.
  var isFilm: Bool { exit == .success || exit == .lost }

  /// For a person.
  func line(_ number: Int, of count: Int, _ item: ClipList.Item) -> String {
    let counter = String(repeating: " ", count: "\(count)".count - "\(number)".count) + "\(number)/\(count)"
    let verdict = exit == .success ? "baked" : exit == .lost ? "lost " : "error"
    let line = "\(counter)  \(verdict)  \(isFilm ? item.film : item.clip)  \(words)"
    return ([line] + (warnings ?? []).map { "    Warning: \($0)" }).joined(separator: "\n")
  }
}
