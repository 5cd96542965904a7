import Digest
import Frames

/// Splits a .cube file that arrives in pieces into lines, and hashes it on the way.
struct CubeReader {
  /// The next piece is written here, from `held` on.
  var buffer: [UInt8]
  /// Bytes of an unfinished line at the front of the buffer.
  private(set) var held = 0

  static let pieceSize = 256 * 1024

  private var parser: CubeParser
  private var hash = SHA256()
  /// Bytes taken so far.
  private var taken = 0
  /// The last line ended with a CR; an LF right after it belongs to the same line end.
  private var endedWithCR = false

  /// - Parameters:
  ///   - size: of the whole file, in bytes.
  ///   - warnings: how many are listed.
  ///   - capacity: of the buffer; no more than the size is needed unless the file may grow.
  init(name: String, size: Int, listing warnings: Int, capacity: Int = pieceSize) {
    buffer = [UInt8](repeating: 0, count: capacity)
    parser = CubeParser(name: name, fileSize: size, listing: warnings)
  }

  /// Takes `count` new bytes of the buffer.
  mutating func take(_ count: Int) throws(CamrecError) {
    let end = held + count
    let start = try takeLines(upTo: end, new: count)
    taken += count
    try parser.checkSize(taken: taken)
    if end - start > 64 * 1024 { throw parser.tooLong(isBinary: buffer[start..<end].contains(0)) }
    for index in start..<end { buffer[index - start] = buffer[index] }
    held = end - start
  }

  consuming func finish() throws(CamrecError) -> LookupTable {
    let last = buffer
    if held > 0 { try parser.read(last.span.extracting(0..<held)) }
    return try parser.finish(sha256: hash.finish())
  }

  /// Takes all complete lines; returns the start of the unfinished one.
  private mutating func takeLines(upTo end: Int, new count: Int) throws(CamrecError) -> Int {
    let source = buffer
    let bytes = source.span
    hash.update(bytes.extracting(held..<held + count))
    var start = 0
    if taken == 0, end >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { start = 3 }
    var index = Self.lineEnd(bytes, from: held, upTo: end)
    while index < end {
      if bytes[index] == 0x0A, endedWithCR, index == start {
        endedWithCR = false
      } else {
        try parser.read(bytes.extracting(start..<index))
        endedWithCR = bytes[index] == 0x0D
      }
      start = index + 1
      index = Self.lineEnd(bytes, from: start, upTo: end)
    }
    return start
  }

  /// The position of the next LF or CR, or `end`. Looks at eight bytes at a time: subtracting 1 from each borrows out
  /// of the first that is zero, which is the one that was an LF or a CR.
  @inline(__always)
  private static func lineEnd(_ bytes: Span<UInt8>, from start: Int, upTo end: Int) -> Int {
    let (ones, tops): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
    let (feeds, returns) = (ones &* 0x0A, ones &* 0x0D)
    var index = start
    while index + 8 <= end {
      // In bounds: `end` is at most the span's.
      let eight = unsafe UInt64(littleEndian: bytes.bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
      let (feed, carriage) = (eight ^ feeds, eight ^ returns)
      let found = (((feed &- ones) & ~feed) | ((carriage &- ones) & ~carriage)) & tops
      if found != 0 { return index + found.trailingZeroBitCount / 8 }
      index += 8
    }
    while index < end, bytes[index] != 0x0A, bytes[index] != 0x0D { index += 1 }
    return index
  }
}
