/// The segment of a Matroska file, which contains the film.
public enum MatroskaSegment {
  /// Whether the length of the only segment is known, which is written when the film ends (RFC 8794, 6.2).
  ///
  /// - Parameter head: the file's first 4096 bytes, or more.
  public static func hasLength(_ head: [UInt8]) -> Bool {
    guard let place = head.firstRange(of: identifier)?.upperBound, place + 8 <= head.count else { return false }
    return head[place..<place + 8] != [0x01, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]
  }

  private static let identifier: [UInt8] = [0x18, 0x53, 0x80, 0x67]
}
