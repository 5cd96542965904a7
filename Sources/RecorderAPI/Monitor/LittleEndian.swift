/// Reads numbers one after another.
struct LittleEndianReading<Bytes: Collection> where Bytes.Element == UInt8 {
  private let bytes: Bytes
  private var place: Bytes.Index

  init(_ bytes: Bytes) {
    self.bytes = bytes
    place = bytes.startIndex
  }

  /// The next number; bytes that are missing count as 0.
  mutating func next<Number: FixedWidthInteger>(_: Number.Type) -> Number {
    var number: Number.Magnitude = 0
    for byte in 0..<Number.bitWidth / 8 {
      guard place != bytes.endIndex else { break }
      number |= Number.Magnitude(truncatingIfNeeded: bytes[place]) << Number.Magnitude(8 * byte)
      bytes.formIndex(after: &place)
    }
    return Number(truncatingIfNeeded: number)
  }
}

extension [UInt8] {
  mutating func append<Number: FixedWidthInteger>(littleEndian number: Number) {
    for byte in 0..<Number.bitWidth / 8 { append(UInt8(truncatingIfNeeded: number >> Number(8 * byte))) }
  }
}
