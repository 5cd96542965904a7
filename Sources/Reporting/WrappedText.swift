/// Text for a terminal, in lines that fit into it.
package enum WrappedText {
  /// Breaks a line at its blanks. A word that is longer than a line stays whole.
  ///
  /// - Parameters:
  ///   - columns: the terminal's width.
  ///   - indent: blanks in front of each line but the first, where breaking begins, too; half of the width at most.
  package static func lines(_ text: String, columns: Int, indent: Int) -> [String] {
    let indent = max(0, min(indent, columns / 2))
    var lines: [String] = []
    var rest = Array(text)
    while rest.count > columns {
      // The last blank that fits, or the first one behind.
      let blank =
        rest.indices.prefix(columns + 1).last { $0 > indent && rest[$0] == " " }
        ?? rest.indices.dropFirst(columns + 1).first { rest[$0] == " " }
      guard let blank else { break }
      let end = rest[..<blank].lastIndex { $0 != " " } ?? blank
      lines.append(String(rest[...end]))
      rest = [Character](repeating: " ", count: indent) + rest[blank...].drop { $0 == " " }
    }
    return lines + [String(rest)]
  }
}
