/// A line that is typed where the terminal shows nothing by itself.
struct TypedLine: Hashable, Sendable {
  enum Outcome: Hashable, Sendable {
    case goesOn, cancelled
    case done(String)
  }

  private var bytes: [UInt8] = []

  /// More than any command has.
  private static let longest = 256

  /// As far as it is typed.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// - Parameter byte: what was pressed: Return ends the line, Escape gives it up, Backspace takes a letter back.
  mutating func take(_ byte: UInt8) -> Outcome {
    switch byte {
    case 0x0a, 0x0d: return .done(text)
    case 0x1b: return .cancelled
    case 0x08, 0x7f:
      if bytes.isEmpty { return .cancelled }
      // All bytes of a letter that has several.
      while let last = bytes.popLast(), last & 0xc0 == 0x80 {}
    case 0x20... where bytes.count < TypedLine.longest: bytes.append(byte)
    default: break
    }
    return .goesOn
  }
}
