public import Frames

/// Reads a sidecar from its beginning to its end, or as far as it goes, in constant memory.
public struct SidecarReader: Sendable {
  /// What reading has found out about the whole file.
  public struct Extent: Hashable, Sendable {
    /// Bytes of the whole file.
    public var bytes: Int64 = 0
    /// Bytes of a last record that is cut off; 0 if it is complete.
    public var tornBytes: Int64 = 0
    /// Lines before it that are not records.
    public var damagedLines = 0
    /// The line number of the first of them, counted from 1.
    public var firstDamagedLine: Int?
    /// Records of kinds that this version does not know.
    public var unknownRecords = 0

    public init(bytes: Int64 = 0) { self.bytes = bytes }
  }

  /// Longer lines are not records: a warning is a sentence.
  static let longestLine = 1 << 20
  private static let piece = 1 << 18

  public let path: String
  public let head: SidecarHead

  /// Reads the head.
  ///
  /// - Throws: code `input`: the file does not exist, is not a sidecar, has a later version, or is damaged in its first
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
      throw CamrecError(.input, "'\(path)' is not the sidecar of a film")
    }
    let end = buffer[..<filled].firstIndex(of: SidecarReader.newline) ?? filled
    self.path = path
    head = try SidecarHead(line: buffer[..<end], path: path)
  }

  /// Calls `body` with every complete record, in order.
  ///
  /// - Throws: code `input` if the file cannot be read any further.
  public func records(_ body: (SidecarRecord) -> Void) throws(CamrecError) -> Extent {
    var cursor = try SidecarCursor(self)
    while let record = try cursor.next() { body(record) }
    return cursor.extent
  }

  /// Room for a piece of a file, or for all of a small one.
  static func buffer(for size: Int64) -> [UInt8] {
    [UInt8](repeating: 0, count: max(256, Int(min(Int64(piece), size + 1))))
  }

  static let newline = UInt8(ascii: "\n")
}
