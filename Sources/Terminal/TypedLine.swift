/// A line typed on a terminal without echo.
struct TypedLine: Hashable, Sendable {
  enum Outcome: Hashable, Sendable {
    case goesOn, cancelled
    case done(String)
  }

  private var bytes: [UInt8] = []

  /// Bytes: longer than any command.
  private static let longest = 256

  /// The text typed so far.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// - Parameter byte: what was pressed: Return ends the line, Escape cancels it, Backspace deletes a letter.
  mutating func take(_ byte: UInt8) -> Outcome {
    switch byte {
    case 0x0a, 0x0d: return .done(text)
    case 0x1b: return .cancelled
    case 0x08, 0x7f:
      if bytes.isEmpty { return .cancelled }
      // Delete all bytes of a letter.
      while let last = bytes.popLast(), last & 0xc0 == 0x80 {}
    case 0x20... where bytes.count < TypedLine.longest: bytes.append(byte)
    default: break
    }
    return .goesOn
  }
}
