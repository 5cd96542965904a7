import Frames

/// Cuts a .cube file that arrives in pieces into lines, and hashes it on the way.
struct CubeReader {
  /// The next piece goes in from `held` on.
  var buffer = [UInt8](repeating: 0, count: 256 * 1024)
  /// Bytes of an unfinished line at the front of the buffer.
  private(set) var held = 0

  private var parser: CubeParser
  private var hash = SHA256()
  /// Bytes taken so far.
  private var taken = 0
  /// The last line ended with a CR; an LF right behind it belongs to it.
  private var endedWithCR = false

  /// - Parameter size: of the whole file, bytes.
  init(name: String, size: Int) {
    parser = CubeParser(name: name, fileSize: size)
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

  /// Returns where the unfinished line starts.
  private mutating func takeLines(upTo end: Int, new count: Int) throws(CamrecError) -> Int {
    let source = buffer
    let bytes = source.span
    hash.update(bytes.extracting(held..<held + count))
    var start = 0
    if taken == 0, end >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { start = 3 }
    for index in held..<end {
      let byte = bytes[index]
      guard byte == 0x0A || byte == 0x0D else { continue }
      if byte == 0x0A, endedWithCR, index == start {
        endedWithCR = false
      } else {
        try parser.read(bytes.extracting(start..<index))
        endedWithCR = byte == 0x0D
      }
      start = index + 1
    }
    return start
  }
}
