/// A four-character code as V4L2 and containers write it, first character in the lowest byte.
public struct FourCC: Hashable, Sendable, CustomStringConvertible {
  public let code: UInt32

  public init(code: UInt32) { self.code = code }

  /// - Precondition: `text` is one to four ASCII characters; shorter ones are padded with blanks.
  public init(_ text: String) {
    let bytes = Array(text.utf8)
    precondition((1...4).contains(bytes.count) && bytes.allSatisfy { $0 < 0x80 }, "a FourCC is 1 to 4 ASCII characters")
    code = (0..<4).reduce(0) { $0 | UInt32($1 < bytes.count ? bytes[$1] : 0x20) << (8 * UInt32($1)) }
  }

  /// The four characters, without blanks at the end; bytes outside printable ASCII show as `?`.
  public var description: String {
    let bytes = (0..<4).map { UInt8(truncatingIfNeeded: code >> (8 * UInt32($0))) }
    let text = String(decoding: bytes.map { (0x20..<0x7F).contains($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
    return String(text.reversed().drop { $0 == " " }.reversed())
  }
}
