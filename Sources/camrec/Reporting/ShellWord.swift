/// A word as a shell has to be given it.
enum ShellWord {
  /// As it is where no shell makes anything else of it, else between single quotes (POSIX, 2.2.2).
  static func quoted(_ word: String) -> String {
    let isPlain = !word.isEmpty && word.allSatisfy {
      $0.isASCII && ($0.isLetter || $0.isNumber || "_./-+,:@%=".contains($0))
    }
    return isPlain ? word : "'" + word.replacing("'", with: #"'\''"#) + "'"
  }
}
