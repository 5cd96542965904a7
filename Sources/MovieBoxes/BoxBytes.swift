/// Writes boxes: big-endian numbers, and sizes that are known once the content is.
struct BoxBytes {
  private(set) var bytes: [UInt8] = []

  mutating func put(_ number: some FixedWidthInteger) {
    for shift in stride(from: number.bitWidth - 8, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }

  mutating func put(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

  /// A box; its size is filled in after its content.
  mutating func box<E: Error>(_ type: BoxType, _ content: (inout BoxBytes) throws(E) -> Void) throws(E) {
    let start = bytes.count
    put(UInt32(0))
    put(type.code)
    try content(&self)
    let size = UInt32(clamping: bytes.count - start)
    for index in 0..<4 { bytes[start + index] = UInt8(truncatingIfNeeded: size >> (24 - 8 * UInt32(index))) }
  }

  mutating func fullBox(
    _ type: BoxType, version: UInt8 = 0, flags: UInt32 = 0, _ content: (inout BoxBytes) -> Void
  ) {
    box(type) { out in
      out.put(UInt32(version) << 24 | flags)
      content(&out)
    }
  }
}
