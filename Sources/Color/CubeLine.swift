/// One line of a .cube file, cut into words.
struct CubeLine {
  /// The words between the blanks, up to a `#`.
  let words: [String]
  /// The text after the first word, with its blanks and `#`; for titles.
  let rest: String

  init(_ bytes: Span<UInt8>) {
    var words: [String] = []
    var word: [UInt8] = []
    var rest: [UInt8] = []
    var isComment = false
    for index in bytes.indices {
      let byte = bytes[index]
      if !words.isEmpty { rest.append(byte) }
      if byte == UInt8(ascii: "#") { isComment = true }
      guard !isComment else { continue }
      if Self.isBlank(byte) {
        if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
        word = []
      } else {
        word.append(byte)
      }
    }
    if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
    self.words = words
    self.rest = String(decoding: rest, as: UTF8.self)
  }

  /// Blank, tab, vertical tab, form feed.
  @inline(__always)
  static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0B || byte == 0x0C }

  /// A word for a message: in quotation marks, cut to 32 characters, without control characters.
  static func quoted(_ word: String) -> String {
    var shown = ""
    for scalar in word.unicodeScalars.prefix(32) {
      shown.unicodeScalars.append(scalar.properties.generalCategory == .control ? "\u{FFFD}" : scalar)
    }
    return "“\(shown)\(word.unicodeScalars.count > 32 ? "…" : "")”"
  }
}
