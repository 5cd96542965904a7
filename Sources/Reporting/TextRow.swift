/// A row of text, written column by column.
package struct TextRow {
  private var characters: [Character] = []

  package init() {}

  /// Without blanks at its end.
  package var text: String { String(characters) }

  /// Writes `text` with its middle at `column`; of an even number of letters, the first of the right half.
  package mutating func put(_ text: String, at column: Int) {
    let start = max(0, column - text.count / 2)
    while characters.count < start + text.count { characters.append(" ") }
    characters.replaceSubrange(start..<start + text.count, with: text)
  }

  /// Whether a blank would remain between the present text and `text`.
  package func hasRoom(for text: String, at column: Int) -> Bool {
    characters.isEmpty || column - text.count / 2 > characters.count
  }
}
