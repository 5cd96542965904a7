/// Bytes that have arrived, taken out in lines. Holds one line and what one `recv` brings beyond it.
struct LineBuffer {
  /// Bytes of a line, at most.
  let limit: Int
  private var bytes: [UInt8] = []
  /// So far there is no line feed, so that nothing is looked at twice.
  private var searched = 0

  init(limit: Int) { self.limit = limit }

  /// What has come is more than a line may have.
  var isTooLong: Bool { searched > limit }

  mutating func append(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

  /// The next whole line, without its line feed; `nil` as long as there is none, or it is too long.
  mutating func next() -> [UInt8]? {
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
