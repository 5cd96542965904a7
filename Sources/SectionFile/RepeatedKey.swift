/// A key that is repeated in a block; a YAML library names only the place of the first one.
struct RepeatedKey {
  /// Put before repeated keys that were reported, so that the rest can be read: a private character, which nobody
  /// types.
  static let mark = "\u{E000}"

  let place: FilePlace
  /// The text with that key renamed.
  let textWithout: String

  /// - Returns: `nil` if it is not on a line of its own, as in braces.
  static func find(_ name: String, first: FilePlace, in text: String) -> RepeatedKey? {
    var lines = text.split(separator: /\r?\n/, omittingEmptySubsequences: false).map(String.init)
    let indentation = String(repeating: " ", count: max(0, first.column - 1))
    for index in min(first.line, lines.count)..<lines.count {
      let line = lines[index]
      guard line.hasPrefix(indentation) else {
        // A shallower line ends the block.
        if line.allSatisfy({ $0 == " " }) || line.drop(while: { $0 == " " }).hasPrefix("#") { continue }
        return nil
      }
      for spelled in [name, "\"\(name)\"", "'\(name)'"] {
        let rest = line.dropFirst(indentation.count)
        guard rest.hasPrefix(spelled), rest.dropFirst(spelled.count).drop(while: { $0 == " " }).hasPrefix(":") else {
          continue
        }
        lines[index] = indentation + mark + name + rest.dropFirst(spelled.count)
        return RepeatedKey(
          place: FilePlace(line: index + 1, column: first.column), textWithout: lines.joined(separator: "\n"))
      }
    }
    return nil
  }
}
