public import Frames

/// Reads a sidecar from its beginning to its end, or as far as it goes, in constant memory.
public struct SidecarReader {
  /// What a file turned out to be as a whole.
  public struct Extent: Hashable, Sendable {
    /// Of the whole file.
    public var bytes: Int64 = 0
    /// Bytes of a last record that is cut off, 0 where it is whole.
    public var tornBytes: Int64 = 0
    /// Lines before that which are no records.
    public var damagedLines = 0
    /// The number of the first of them, counted from 1.
    public var firstDamagedLine: Int?
    /// Records of kinds that this version does not know.
    public var unknownRecords = 0

    public init(bytes: Int64 = 0) { self.bytes = bytes }
  }

  /// Longer lines are no records: a warning is a sentence.
  private static let longestLine = 1 << 20
  private static let piece = 1 << 18

  public let path: String
  public let head: SidecarHead

  /// Reads the head.
  ///
  /// - Throws: code `input`: there is no such file, it is no sidecar, one of a later version, or damaged in its first
  ///   line.
  public init(path: String) throws(CamrecError) {
    let file = try SidecarInput(path: path)
    var buffer = SidecarReader.buffer(for: file.size)
    var filled = 0
    while filled < buffer.count {
      let count = try file.read(into: &buffer, at: filled)
      if count == 0 { break }
      filled += count
    }
    guard buffer[..<filled].starts(with: SidecarFile.mark.utf8) else {
      throw CamrecError(.input, "'\(path)' is no sidecar of a film")
    }
    let end = buffer[..<filled].firstIndex(of: SidecarReader.newline) ?? filled
    self.path = path
    head = try SidecarHead(line: buffer[..<end], path: path)
  }

  /// Calls `body` with every record that is whole, in their order.
  ///
  /// - Throws: code `input` where the file cannot be read on.
  public func records(_ body: (SidecarRecord) -> Void) throws(CamrecError) -> Extent {
    let file = try SidecarInput(path: path)
    var extent = Extent(), decoder = SidecarDecoder(head: head)
    var buffer = SidecarReader.buffer(for: file.size)
    var filled = 0, number = 0, isSkipping = false
    while true {
      if filled == buffer.count {
        // A line that fills it all.
        if buffer.count < SidecarReader.longestLine {
          buffer.append(contentsOf: repeatElement(0, count: buffer.count))
        } else {
          if !isSkipping { SidecarReader.note(&extent, damaged: number + 1) }
          isSkipping = true
          filled = 0
        }
      }
      let count = try file.read(into: &buffer, at: filled)
      let isLast = count == 0
      extent.bytes += Int64(count)
      filled += count
      var begin = 0
      while begin < filled {
        let newline = buffer[begin..<filled].firstIndex(of: SidecarReader.newline)
        if newline == nil, !isLast { break }
        let end = newline ?? filled
        number += 1
        // The first line is the head.
        if number > 1, !isSkipping, end > begin {
          read(buffer[begin..<end], isLast: newline == nil, number, &decoder, &extent, body)
        }
        isSkipping = false
        begin = min(end + 1, filled)
      }
      if isLast { return extent }
      buffer.replaceSubrange(0..<(filled - begin), with: buffer[begin..<filled])
      filled -= begin
    }
  }

  /// Room for a piece of a file, or for all of a small one.
  private static func buffer(for size: Int64) -> [UInt8] {
    [UInt8](repeating: 0, count: max(256, Int(min(Int64(piece), size + 1))))
  }

  private static let newline = UInt8(ascii: "\n")

  private func read(
    _ line: ArraySlice<UInt8>, isLast: Bool, _ number: Int, _ decoder: inout SidecarDecoder, _ extent: inout Extent,
    _ body: (SidecarRecord) -> Void
  ) {
    do throws(SidecarFields.Malformed) {
      let record = try decoder.record(line)
      if record == .other { extent.unknownRecords += 1 }
      body(record)
    } catch {
      if isLast {
        extent.tornBytes = Int64(line.count)
      } else {
        SidecarReader.note(&extent, damaged: number)
      }
    }
  }

  private static func note(_ extent: inout Extent, damaged number: Int) {
    extent.damagedLines += 1
    if extent.firstDamagedLine == nil { extent.firstDamagedLine = number }
  }
}
