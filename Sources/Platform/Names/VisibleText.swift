/// Makes text from files, devices and other people safe to show on a terminal.
///
/// Escape sequences, which may clear the screen or rename the window, begin with control characters: those below U+0020
/// and U+007F to U+009F. Other characters reverse the direction of the text around them, so that one name reads as
/// another, or begin a new line.
public enum VisibleText {
  /// `text` with each such character as an escape: `\x1b`, `\u{202e}`; a line feed as `\n`.
  public static func line(_ text: String) -> String { visible(text, keeping: nil) }

  /// The same for text of several lines: line feeds stay.
  public static func lines(_ text: String) -> String { visible(text, keeping: "\n") }

  /// A line of JSON with such characters escaped as JSON does: `\u009b`. Its meaning stays the same.
  public static func json(_ text: String) -> String {
    rewrite(text) { scalar in
      // None of them has more than 16 bits.
      isRisky(scalar) && scalar.value > 0x1F ? "\\u" + hexadecimal(scalar, digits: 4) : nil
    }
  }

  private static func visible(_ text: String, keeping kept: Unicode.Scalar?) -> String {
    rewrite(text) { scalar in
      guard isRisky(scalar), scalar != kept else { return nil }
      switch scalar {
      case "\n": return "\\n"
      case "\t": return "\\t"
      case "\r": return "\\r"
      default: break
      }
      return scalar.value < 0x100 ? "\\x" + hexadecimal(scalar, digits: 2) : "\\u{\(hexadecimal(scalar, digits: 4))}"
    }
  }

  private static func rewrite(_ text: String, _ escape: (Unicode.Scalar) -> String?) -> String {
    guard text.unicodeScalars.contains(where: isRisky) else { return text }
    var rewritten = ""
    for scalar in text.unicodeScalars {
      if let escaped = escape(scalar) { rewritten += escaped } else { rewritten.unicodeScalars.append(scalar) }
    }
    return rewritten
  }

  /// Controls (Unicode's Cc), line and paragraph separators, and characters that change the direction of text (UAX #9,
  /// 2).
  private static func isRisky(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0...0x1F, 0x7F...0x9F: true
    case 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  private static func hexadecimal(_ scalar: Unicode.Scalar, digits: Int) -> String {
    let number = String(scalar.value, radix: 16)
    return String(repeating: "0", count: max(0, digits - number.count)) + number
  }
}
