import Foundation

/// Reads the members of one flat JSON object (RFC 8259) one after another. It ends and does not trap, whatever the
/// bytes are.
struct SidecarFields {
  enum Value {
    case integer(Int64)
    case number(Double)
    /// The text between the quotes, with its escapes.
    case string(ArraySlice<UInt8>)
    case null
    /// True, false, an array or an object: nothing that this version writes.
    case nested
  }

  /// The bytes are not a flat JSON object.
  struct Malformed: Error {}

  /// A later version may nest this deep and no deeper.
  private static let deepest = 64

  private var rest: ArraySlice<UInt8>
  private var isFirst = true
  private var isAtEnd = false

  init(_ line: ArraySlice<UInt8>) { rest = line }

  /// `nil` after the last member.
  mutating func next() throws(Malformed) -> (key: ArraySlice<UInt8>, value: Value)? {
    guard !isAtEnd else { return nil }
    try skip(UInt8(ascii: isFirst ? "{" : ","), orEnd: !isFirst)
    if isAtEnd { return nil }
    if isFirst {
      isFirst = false
      skipSpace()
      if rest.first == UInt8(ascii: "}") {
        try close()
        return nil
      }
    }
    skipSpace()
    let key = try string()
    try skip(UInt8(ascii: ":"), orEnd: false)
    skipSpace()
    return (key, try value())
  }

  private mutating func skipSpace() {
    while let byte = rest.first, byte == 0x20 || byte == 0x09 || byte == 0x0D { rest = rest.dropFirst() }
  }

  private mutating func skip(_ byte: UInt8, orEnd: Bool) throws(Malformed) {
    skipSpace()
    if orEnd, rest.first == UInt8(ascii: "}") { return try close() }
    guard rest.first == byte else { throw Malformed() }
    rest = rest.dropFirst()
  }

  /// The closing brace, which nothing may follow.
  private mutating func close() throws(Malformed) {
    rest = rest.dropFirst()
    skipSpace()
    guard rest.isEmpty else { throw Malformed() }
    isAtEnd = true
  }

  private mutating func string() throws(Malformed) -> ArraySlice<UInt8> {
    guard rest.first == UInt8(ascii: "\"") else { throw Malformed() }
    rest = rest.dropFirst()
    var at = rest.startIndex
    while at < rest.endIndex, rest[at] != UInt8(ascii: "\"") {
      guard rest[at] >= 0x20 else { throw Malformed() }
      at += rest[at] == UInt8(ascii: "\\") ? 2 : 1
    }
    guard at < rest.endIndex else { throw Malformed() }
    defer { rest = rest[(at + 1)...] }
    return rest[..<at]
  }

  private mutating func value() throws(Malformed) -> Value {
    switch rest.first {
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "n"):
      try word("null")
      return .null
    case UInt8(ascii: "t"):
      try word("true")
      return .nested
    case UInt8(ascii: "f"):
      try word("false")
      return .nested
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      try skipNested()
      return .nested
    default: return try number()
    }
  }

  private mutating func word(_ word: String) throws(Malformed) {
    guard rest.starts(with: word.utf8) else { throw Malformed() }
    rest = rest.dropFirst(word.utf8.count)
  }

  /// Skips an array or an object, trusting its commas.
  private mutating func skipNested() throws(Malformed) {
    var depth = 0
    repeat {
      guard let byte = rest.first else { throw Malformed() }
      if byte == UInt8(ascii: "\"") {
        _ = try string()
        continue
      }
      if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") { depth += 1 }
      if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") { depth -= 1 }
      guard depth <= SidecarFields.deepest else { throw Malformed() }
      rest = rest.dropFirst()
    } while depth > 0
  }

  private mutating func number() throws(Malformed) -> Value {
    let begin = rest.startIndex
    let isNegative = rest.first == UInt8(ascii: "-")
    var at = isNegative ? begin + 1 : begin
    let digitsBegin = at
    var integer: Int64 = 0
    while at < rest.endIndex, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(rest[at]) {
      integer = integer &* 10 &+ Int64(rest[at] - UInt8(ascii: "0"))
      at += 1
    }
    // 18 digits always fit.
    let isWhole = at == rest.endIndex || !".eE".utf8.contains(rest[at])
    if isWhole, at > digitsBegin, at - digitsBegin <= 18 {
      rest = rest[at...]
      return .integer(isNegative ? -integer : integer)
    }
    while at < rest.endIndex, "0123456789.eE+-".utf8.contains(rest[at]) { at += 1 }
    // No line that camrec writes has a number that long.
    guard at > digitsBegin, at - begin <= 40,
      let value = Double(String(decoding: rest[begin..<at], as: UTF8.self)), value.isFinite
    else { throw Malformed() }
    rest = rest[at...]
    return .number(value)
  }
}

extension SidecarFields.Value {
  var int: Int64? {
    if case .integer(let value) = self { value } else { nil }
  }

  var double: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }

  /// The text without its escapes; `nil` if they are wrong.
  var text: String? {
    guard case .string(let spelled) = self else { return nil }
    if !spelled.contains(UInt8(ascii: "\\")) { return String(decoding: spelled, as: UTF8.self) }
    let quoted = [UInt8(ascii: "\"")] + spelled + [UInt8(ascii: "\"")]
    return try? JSONDecoder().decode(String.self, from: Data(quoted))
  }
}
