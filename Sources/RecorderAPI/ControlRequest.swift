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
}
