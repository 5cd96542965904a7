/// Quotes a word for a shell, in commands that a user copies from a message.
public enum ShellWord {
  /// `text` as it is if any shell takes it literally, otherwise in single quotes. A name that could be an option gets
  /// `./` in front.
  public static func of(_ text: String) -> String {
    let word = text.hasPrefix("-") ? "./\(text)" : text
    let isPlain = !word.isEmpty && word.utf8.allSatisfy { byte in
      let letter = Character(UnicodeScalar(byte))
      return byte >= 0x80 || letter.isLetter || letter.isNumber || "_./+=:,@%-".contains(letter)
    }
    return isPlain ? word : "'\(word.replacing("'", with: "'\\''"))'"
  }
}
