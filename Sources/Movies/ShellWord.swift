/// A word as a shell reads it: for commands that somebody copies from a sentence.
public enum ShellWord {
  /// As it is where no shell minds, else in single quotes; a name that an option could be is one in this folder.
  public static func of(_ text: String) -> String {
    let word = text.hasPrefix("-") ? "./\(text)" : text
    let isPlain = !word.isEmpty && word.utf8.allSatisfy { byte in
      let letter = Character(UnicodeScalar(byte))
      return byte >= 0x80 || letter.isLetter || letter.isNumber || "_./+=:,@%-".contains(letter)
    }
    return isPlain ? word : "'\(word.replacing("'", with: "'\\''"))'"
  }
}
