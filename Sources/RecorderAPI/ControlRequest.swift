public import Frames

/// A command word and its members as text: the content of one line of the protocol.
public struct ControlRequest: Hashable, Sendable {
  public let word: ControlWord
  /// By name; all of them belong to the word.
  public let members: [String: String]

  /// - Throws: code `usage` if a member is unknown or missing.
  public init(_ word: ControlWord, _ members: [String: String] = [:]) throws(CamrecError) {
    let known = word.members.map(\.name)
    let further = word.furtherMembers.map(\.name)
    if let stranger = members.keys.filter({ !known.contains($0) && !further.contains($0) }).min() {
      let takes = known.isEmpty ? "no members" : "only " + known.map { "\"\($0)\"" }.joined(separator: ", ")
      throw CamrecError(.usage, "'\(word.rawValue)' takes \(takes); remove \"\(stranger)\"")
    }
    if let missing = word.members.first(where: { $0.isNeeded && members[$0.name] == nil }) {
      throw CamrecError(
        .usage, "'\(word.rawValue)' needs a \(missing.name), as in '\(word.example)'")
    }
    self.word = word
    self.members = members
  }

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
  static func pairs(_ words: [String]) throws(CamrecError) -> [String: String] {
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
