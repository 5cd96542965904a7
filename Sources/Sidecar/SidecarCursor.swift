import Frames

/// Reads the complete records of a sidecar, one after another, in constant memory.
///
/// Thread: one at a time.
struct SidecarCursor: ~Copyable {
  /// What was read so far.
  private(set) var extent = SidecarReader.Extent()

  private let file: SidecarInput
  private var decoder: SidecarDecoder
  private var buffer: [UInt8]
  private var begin = 0
  private var filled = 0
  private var number = 0
  private var isSkipping = false
  private var isAtEnd = false

  /// - Throws: code `input`.
  init(_ reader: SidecarReader) throws(CamrecError) {
    file = try SidecarInput(path: reader.path)
    decoder = SidecarDecoder(head: reader.head)
    buffer = SidecarReader.buffer(for: file.size)
  }

  /// - Returns: `nil` at the end.
  /// - Throws: code `input` if the file cannot be read any further.
  mutating func next() throws(CamrecError) -> SidecarRecord? {
    while true {
      if let record = recordInBuffer() { return record }
      guard !isAtEnd else { return nil }
      try fill()
    }
  }

  private mutating func recordInBuffer() -> SidecarRecord? {
    while begin < filled {
      let newline = buffer[begin..<filled].firstIndex(of: SidecarReader.newline)
      if newline == nil, !isAtEnd { return nil }
      let line = begin..<(newline ?? filled), isSkipped = isSkipping
      begin = min(line.upperBound + 1, filled)
      number += 1
      isSkipping = false
      // The first line is the head.
      guard number > 1, !isSkipped, !line.isEmpty else { continue }
      if let record = read(line, isLast: newline == nil) { return record }
    }
    return nil
  }

  private mutating func fill() throws(CamrecError) {
    buffer.replaceSubrange(0..<(filled - begin), with: buffer[begin..<filled])
    (begin, filled) = (0, filled - begin)
    if filled == buffer.count {
      // A line fills the whole buffer.
      if buffer.count < SidecarReader.longestLine {
        buffer.append(contentsOf: repeatElement(0, count: buffer.count))
      } else {
        if !isSkipping { noteDamage(number + 1) }
        isSkipping = true
        filled = 0
      }
    }
    let count = try file.read(into: &buffer, at: filled)
    isAtEnd = count == 0
    extent.bytes += Int64(count)
    filled += count
  }

  private mutating func read(_ line: Range<Int>, isLast: Bool) -> SidecarRecord? {
    do throws(SidecarFields.Malformed) {
      let record = try decoder.record(buffer[line])
      if record == .other { extent.unknownRecords += 1 }
      return record
    } catch {
      if isLast {
        extent.tornBytes = Int64(line.count)
      } else {
        noteDamage(number)
      }
      return nil
    }
  }

  private mutating func noteDamage(_ number: Int) {
    extent.damagedLines += 1
    if extent.firstDamagedLine == nil { extent.firstDamagedLine = number }
  }
}
