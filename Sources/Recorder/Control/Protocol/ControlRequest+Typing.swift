public import Frames
import Platform

extension ControlRequest {
  /// Reads a typed line: `ev +1/3`, `set zoom 2`, `switch --fps 30`.
  ///
  /// - Throws: code `usage` for an unknown command, and for the same reasons as the other initializers.
  public init(typed line: String) throws(CamrecError) {
    let words = line.split(separator: " ").map(String.init)
    let first = words.first ?? ""
    guard let word = ControlWord(rawValue: first) else {
      let all = ControlWord.allCases.map(\.rawValue)
      let remedy = NearSpelling.of(first, among: all).map { "did you mean \($0)?" }
      throw CamrecError(
        .usage, "there is no command '\(first)'; \(remedy ?? "the commands are \(all.joined(separator: ", "))")")
    }
    if word == .marker {
      let text = ControlRequest.unquoted(line.drop { $0 == " " }.dropFirst(first.count))
      try self.init(word, text.map { ["value": $0] } ?? [:])
      return
    }
    try self.init(word, words: Array(words.dropFirst()))
  }

  /// The members of `switch`, as options or as names with values: `--fps 30`, `--fps=30`, `fps=30`.
  static func pairs(_ words: [String]) throws(CamrecError) -> [String: String] {
    var members: [String: String] = [:], rest = words[...]
    while let word = rest.popFirst() {
      let isOption = word.hasPrefix("--")
      let parts = word.dropFirst(isOption ? 2 : 0).split(separator: "=", maxSplits: 1).map(String.init)
      guard let name = parts.first, let value = parts.count == 2 ? parts[1] : isOption ? rest.popFirst() : nil else {
        throw CamrecError(
          .usage,
          "'switch' takes --camera, --fps, --size or --pixel-format, each with a value, as in"
            + " '\(ControlWord.switchSource.example)' or 'switch fps=25', not '\(word)'")
      }
      members[name == "pixel-format" ? "pixelFormat" : name] = value
    }
    return members
  }

  /// The rest of a line, without quotes around it; `nil` if it is empty.
  private static func unquoted(_ rest: Substring) -> String? {
    let text = rest.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
    guard let first = text.first else { return nil }
    guard text.count > 1, first == text.last, first == "\"" || first == "'" else { return String(text) }
    let inner = text.dropFirst().dropLast()
    return String(inner.contains(first) ? text[...] : inner)
  }
}
