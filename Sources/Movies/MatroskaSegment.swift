package import Platform

/// The segment of a Matroska file, which contains the film.
public enum MatroskaSegment {
  /// Whether the length of the only segment is known, which is written when the film ends (RFC 8794, 6.2).
  ///
  /// - Parameter head: the file's first 4096 bytes, or more.
  public static func hasLength(_ head: [UInt8]) -> Bool {
    guard let place = head.firstRange(of: identifier)?.upperBound, place + 8 <= head.count else { return false }
    return head[place..<place + 8] != [0x01, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]
  }

  /// Whether the file has its whole segment: each element in it follows the one before, up to the segment's end.
  package static func isWhole(in file: borrowing InputFile) -> Bool {
    var offset: UInt64 = 0, end = UInt64(clamping: file.size), isInside = false
    while offset < end {
      guard let bytes = try? file.bytes(at: offset, count: Element.mostHeadBytes), let element = Element(bytes) else {
        return false
      }
      offset += UInt64(element.headBytes)
      let next = offset.addingReportingOverflow(element.length)
      guard !next.overflow, next.partialValue <= end else { return false }
      if !isInside, element.identifier == identifier {
        (isInside, end) = (true, next.partialValue)
      } else {
        offset = next.partialValue
      }
    }
    return isInside
  }

  private static let identifier: [UInt8] = [0x18, 0x53, 0x80, 0x67]

  /// The head of an element (RFC 8794, 4 and 5).
  private struct Element {
    let identifier: [UInt8]
    let headBytes: Int
    let length: UInt64

    static let mostHeadBytes = 12

    /// `nil` for bytes that begin no element, and for one of unknown length.
    init?(_ bytes: [UInt8]) {
      guard let first = bytes.first, first.leadingZeroBitCount < 4 else { return nil }
      let place = first.leadingZeroBitCount + 1
      guard place < bytes.count, bytes[place].leadingZeroBitCount < 8 else { return nil }
      let width = bytes[place].leadingZeroBitCount + 1
      headBytes = place + width
      guard headBytes <= bytes.count else { return nil }
      let unknown = UInt64(1) << UInt64(7 * width) - 1
      length = bytes[place..<headBytes].reduce(UInt64(0)) { $0 << 8 | UInt64($1) } & unknown
      guard length != unknown else { return nil }
      identifier = Array(bytes[..<place])
    }
  }
}
