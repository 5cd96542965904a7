/// Reads numbers and boxes one after another, and never beyond the end.
package struct BoxReader {
  package struct Box {
    package let type: BoxType
    /// Everything after the header.
    package let content: ArraySlice<UInt8>
    /// The box with its header.
    package let whole: ArraySlice<UInt8>

    package var reader: BoxReader { BoxReader(content, of: type) }
  }

  private var rest: ArraySlice<UInt8>
  private let owner: BoxType

  /// - Parameter owner: the box that reports of damage name.
  package init(_ bytes: ArraySlice<UInt8>, of owner: BoxType) {
    rest = bytes
    self.owner = owner
  }

  package var isAtEnd: Bool { rest.isEmpty }
  package var remaining: ArraySlice<UInt8> { rest }

  package func damage(_ reason: String) -> BoxDamage { BoxDamage(owner, at: rest.startIndex, reason) }

  /// A big-endian number of `count` bytes.
  private mutating func number(_ count: Int) throws(BoxDamage) -> UInt64 {
    guard rest.count >= count else { throw damage("ends within a number") }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count).reduce(0) { $0 << 8 | UInt64($1) }
  }

  package mutating func u8() throws(BoxDamage) -> UInt8 { UInt8(try number(1)) }
  package mutating func u16() throws(BoxDamage) -> UInt16 { UInt16(try number(2)) }
  package mutating func u32() throws(BoxDamage) -> UInt32 { UInt32(try number(4)) }
  package mutating func i32() throws(BoxDamage) -> Int32 { Int32(bitPattern: try u32()) }
  package mutating func u64() throws(BoxDamage) -> UInt64 { try number(8) }

  package mutating func skip(_ count: Int) throws(BoxDamage) {
    guard rest.count >= count else { throw damage("is too short") }
    rest = rest.dropFirst(count)
  }

  /// Version and flags of a full box.
  package mutating func versionAndFlags() throws(BoxDamage) -> (version: UInt8, flags: UInt32) {
    let word = try u32()
    return (UInt8(word >> 24), word & 0xFF_FFFF)
  }

  /// The next box; `nil` at the end, and at the four zero bytes that may end QuickTime's lists.
  package mutating func box() throws(BoxDamage) -> Box? {
    guard !rest.isEmpty, !(rest.count == 4 && rest.allSatisfy { $0 == 0 }) else { return nil }
    let start = rest
    let short = try u32()
    let type = BoxType(code: try u32())
    let size: UInt64 =
      switch short {
      case 0: UInt64(start.count)
      case 1: try u64()
      default: UInt64(short)
      }
    let header = start.count - rest.count
    guard size >= header, size <= UInt64(start.count) else {
      throw BoxDamage(type, at: start.startIndex, "says that it has \(size) bytes, but \(start.count) are there")
    }
    let whole = start.prefix(Int(size))
    rest = start.dropFirst(Int(size))
    return Box(type: type, content: whole.dropFirst(header), whole: whole)
  }

  /// All that is left, as boxes.
  package mutating func boxes() throws(BoxDamage) -> [Box] {
    var boxes: [Box] = []
    while let box = try box() { boxes.append(box) }
    return boxes
  }
}
