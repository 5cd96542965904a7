public import Frames
import Platform
public import RecorderAPI

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

  /// The rest of a line, without quotes around it; `nil` if it is empty.
  private static func unquoted(_ rest: Substring) -> String? {
    let text = rest.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
    guard let first = text.first else { return nil }
    guard text.count > 1, first == text.last, first == "\"" || first == "'" else { return String(text) }
    let inner = text.dropFirst().dropLast()
    return String(inner.contains(first) ? text[...] : inner)
  }
}
