public import Frames

extension ControlRequest {
  /// A line that somebody types: `ev +1/3`, `set zoom 2`, `switch camera=sim: fps=30`.
  ///
  /// - Throws: code `usage` for a word that there is not, and as the others.
  public init(typed line: String) throws(CamrecError) {
    let words = line.split(separator: " ").map(String.init)
    guard let first = words.first, let word = ControlWord(rawValue: first) else {
      throw CamrecError(
        .usage, "'\(words.first ?? "")' is no command; there is "
          + ControlWord.allCases.map(\.rawValue).joined(separator: ", "))
    }
    guard word == .switchSource else {
      try self.init(word, words: Array(words.dropFirst()))
      return
    }
    var members: [String: String] = [:]
    for part in words.dropFirst() {
      let pair = part.split(separator: "=", maxSplits: 1).map(String.init)
      guard pair.count == 2 else {
        throw CamrecError(
          .usage, "'switch' wants camera=, fps=, size= or pixelFormat=, as in 'switch fps=30'; this is '\(part)'")
      }
      members[pair[0]] = pair[1]
    }
    try self.init(word, members)
  }
}
