/// Checks a YAML text before a YAML library reads it, for what camrec's files do not need and what would cost a
/// parser time, memory or stack: anchors and aliases (a few lines can stand for more nodes than there are atoms), deep
/// nesting, tabs as indentation.
///
/// A minimal tokenizer (YAML 1.2.2, chapters 6 to 8): it knows only quotes, comments and where a token can begin.
struct YAMLGuard {
  /// Most levels of brackets and braces, and of dashes on a line. Two are enough for all files of camrec's.
  static let depthLimit = 8

  private let text: [UInt8]
  private let words: Words
  private var index = 0
  private var place = FilePlace(line: 1, column: 1)
  private var depth = 0
  private var dashes = 0
  private(set) var findings: [FileFinding] = []

  /// What the file is called in findings.
  struct Words {
    /// `rig file`.
    let file: String
    /// What to do instead of an alias: `put what cameras share under defaults, and `; empty: nothing.
    let insteadOfAlias: String
    /// `only cameras, their keys and lists`.
    let depth: String

    init(_ names: SectionSchema.Names) {
      file = names.file
      insteadOfAlias = "put what \(names.all) share under defaults, and "
      depth = "only \(names.all), their keys and lists"
    }

    init(file: String) {
      (self.file, insteadOfAlias, depth) = (file, "", "only keys, values and lists")
    }
  }

  static func findings(in text: [UInt8], words: Words) -> [FileFinding] {
    var scan = YAMLGuard(text, words)
    scan.run()
    return scan.findings
  }

  private init(_ text: [UInt8], _ words: Words) {
    self.text = text
    self.words = words
  }

  private var byte: UInt8? { index < text.count ? text[index] : nil }
  private var next: UInt8? { index + 1 < text.count ? text[index + 1] : nil }

  private mutating func step() {
    guard index < text.count else { return }
    if text[index] == UInt8(ascii: "\n") {
      place = FilePlace(line: place.line + 1, column: 1)
      dashes = 0
    } else if text[index] & 0xC0 != 0x80 {
      place.column += 1
    }
    index += 1
  }

  private mutating func run() {
    var hasTab = false
    while let byte, findings.count < 20 {
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\r"), UInt8(ascii: "\n"):
        if byte == UInt8(ascii: "\n") { hasTab = false }
        step()
      case UInt8(ascii: "\t"):
        if !hasTab, isIndentation {
          findings.append(
            FileFinding(.error, place, "YAML does not allow tabs as indentation; use spaces"))
        }
        hasTab = true
        step()
      case UInt8(ascii: "#"): skipLine()
      case UInt8(ascii: "'"), UInt8(ascii: "\""): skipQuoted(byte)
      case UInt8(ascii: "&"), UInt8(ascii: "*"):
        findings.append(
          FileFinding(
            .error, place,
            "a \(words.file) has no anchors and aliases (& and *); \(words.insteadOfAlias)"
              + "quote a value that begins with one of these"))
        while let byte = self.byte, !isBlank(byte), !",[]{}".utf8.contains(byte) { step() }
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        depth += 1
        if depth == YAMLGuard.depthLimit + 1 { tooDeep() }
        step()
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        depth = max(0, depth - 1)
        step()
      case UInt8(ascii: ","): step()
      case UInt8(ascii: "-"), UInt8(ascii: "?"), UInt8(ascii: ":"):
        guard isBlank(next) else {
          skipPlain()
          continue
        }
        // Between brackets and braces only these nest.
        if depth == 0 { dashes += 1 }
        if dashes == YAMLGuard.depthLimit + 1 { tooDeep() }
        step()
      default: skipPlain()
      }
    }
  }

  private mutating func tooDeep() {
    findings.append(
      FileFinding(
        .error, place,
        "more than \(YAMLGuard.depthLimit) nested levels; a \(words.file) has \(words.depth)"))
    index = text.count
  }

  /// Whether there are only spaces before it on its line, and something after it.
  private var isIndentation: Bool {
    var back = index
    while back > 0, text[back - 1] != UInt8(ascii: "\n") {
      guard text[back - 1] == UInt8(ascii: " ") else { return false }
      back -= 1
    }
    var ahead = index
    while ahead < text.count, text[ahead] == UInt8(ascii: "\t") || text[ahead] == UInt8(ascii: " ") { ahead += 1 }
    return ahead < text.count && !"\r\n#".utf8.contains(text[ahead])
  }

  private func isBlank(_ byte: UInt8?) -> Bool { byte.map(" \t\r\n".utf8.contains) ?? true }

  private mutating func skipLine() {
    while let byte, byte != UInt8(ascii: "\n") { step() }
  }

  private mutating func skipQuoted(_ quote: UInt8) {
    step()
    while let byte {
      step()
      if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\""), self.byte != nil { step() }
      if byte == quote { return }
    }
  }

  /// Goes to where the next token can begin: after `: `, before ` #`, at the end of the line, at a flow's own marks.
  private mutating func skipPlain() {
    while let byte {
      if byte == UInt8(ascii: "\n") { return }
      if byte == UInt8(ascii: ":"), isBlank(next) { return }
      if byte == UInt8(ascii: " "), next == UInt8(ascii: "#") { return }
      if depth > 0, ",[]{}".utf8.contains(byte) { return }
      step()
    }
  }
}
