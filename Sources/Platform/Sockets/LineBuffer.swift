/// Collects arriving bytes and returns them line by line. Holds one line and whatever one `recv` adds to it.
public struct LineBuffer {
  /// The longest line, in bytes.
  public let limit: Int
  private var bytes: [UInt8] = []
  /// Bytes already searched for a line feed, so that none is searched twice.
  private var searched = 0

  public init(limit: Int) { self.limit = limit }

  /// More bytes have arrived than a line may have.
  public var isTooLong: Bool { searched > limit }

  public mutating func append(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

  /// The next whole line, without its line feed; `nil` if none is complete yet, or if it is too long.
  public mutating func next() -> [UInt8]? {
    guard let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
      searched = bytes.count
      return nil
    }
    guard end <= limit else {
      searched = end
      return nil
    }
    let line = Array(bytes[..<end])
    bytes.removeFirst(end + 1)
    searched = 0
    return line
  }
}
