public import Frames
public import RecorderAPI

/// A request as a line of JSON: `{"do":"ev","id":1,"value":"+1/3"}`.
extension ControlRequest {
  /// - Parameter id: repeated in the answer.
  public func line(id: Int64? = nil) -> [UInt8] {
    var fields = members.mapValues(JSONValue.text)
    fields["do"] = .text(word.rawValue)
    fields["id"] = id.map(JSONValue.integer)
    return ControlProtocol.line(fields)
  }

  /// - Parameter fields: the members of a request's line.
  /// - Throws: code `usage`, with a sentence that names the mistake.
  public init(fields: [String: JSONValue]) throws(CamrecError) {
    guard let said = fields["do"] else {
      throw CamrecError(.usage, "the request has no \"do\"; write one, as in {\"do\":\"state\"}")
    }
    guard case .text(let name) = said else {
      throw CamrecError(.usage, "\"do\" must be a string, as in {\"do\":\"state\"}")
    }
    guard let word = ControlWord(rawValue: name) else {
      let words = ControlWord.allCases.map(\.rawValue).joined(separator: ", ")
      throw CamrecError(.usage, "there is no command '\(name)'; the commands are \(words)")
    }
    var members: [String: String] = [:]
    for (name, value) in fields where name != "do" && name != "id" {
      let member = (word.members + word.furtherMembers).first { $0.name == name }
      // An unknown member is refused whatever its value.
      members[name] = member == nil ? "" : try ControlRequest.text(value, member?.isPoint == true, of: word, name)
    }
    try self.init(word, members)
  }

  private static func text(
    _ value: JSONValue, _ isPoint: Bool, of word: ControlWord, _ name: String
  ) throws(CamrecError) -> String {
    if let text = value.words { return text }
    if isPoint, case .array(let parts) = value, parts.count == 2, parts.allSatisfy(\.isNumber) {
      return parts.compactMap(\.words).joined(separator: ",")
    }
    let also = isPoint ? ", or two numbers in an array" : ""
    throw CamrecError(.usage, "\"\(name)\" of '\(word.rawValue)' must be a string or a number\(also)")
  }
}
