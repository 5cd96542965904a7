public import Frames
public import RecorderAPI

extension ControlRequest {
  /// Reads the words of a command line: `ev`, `+1/3`.
  ///
  /// - Throws: code `usage` for too few or too many words.
  public init(_ word: ControlWord, words: [String]) throws(CamrecError) {
    if word == .switchSource {
      try self.init(word, try ControlRequest.pairs(words))
      return
    }
    // Everything after it is the marker's text.
    let words = word == .marker && words.count > 1 ? [words.joined(separator: " ")] : words
    guard words.count <= word.members.count else {
      throw CamrecError(.usage, "'\(words[word.members.count])' is one word too many; write '\(word.example)'")
    }
    let names = word.members.map(\.name)
    try self.init(word, Dictionary(uniqueKeysWithValues: zip(names, words)))
  }

  /// The members of `switch`, as options or as names with values: `--fps 30`, `--fps=30`, `fps=30`.
  private static func pairs(_ words: [String]) throws(CamrecError) -> [String: String] {
    var members: [String: String] = [:], rest = words[...]
    while let word = rest.popFirst() {
      let isOption = word.hasPrefix("--")
      let parts = word.dropFirst(isOption ? 2 : 0).split(separator: "=", maxSplits: 1).map(String.init)
      guard let name = parts.first, let value = parts.count == 2 ? parts[1] : isOption ? rest.popFirst() : nil else {
        throw CamrecError(
          .usage, about: nil,
          "'switch' takes \(setting: .camera), \(setting: .fps), \(setting: .size) or \(setting: .pixelFormat), each "
            + "with a value, as in '\(ControlWord.switchSource.example)' or 'switch fps=25', not '\(word)'")
      }
      members[name == "pixel-format" ? "pixelFormat" : name] = value
    }
    return members
  }
}
