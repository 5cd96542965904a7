package import Frames
package import Recorder

/// The value of `--segment`: `10m` of film, `2GB` at most, or `clock:10m`, at every full ten minutes of the wall clock.
package struct SegmentChoice: Hashable, Sendable {
  package var length: SegmentLength?
  package var mostBytes: Int64?

  private static let clock = "clock:"
  private static let day = 86_400
  /// Nanoseconds that frames may stay inside an encoder.
  private static let shortest: Int64 = 1_000_000_000
  /// Smaller files would not hold a second of any film.
  private static let smallest: Int64 = 100_000

  package init(length: SegmentLength?, mostBytes: Int64?) {
    self.length = length
    self.mostBytes = mostBytes
  }

  /// - Throws: code `usage`.
  package init(parsing text: String) throws(CamrecError) {
    if text.hasPrefix(SegmentChoice.clock) {
      self.init(
        length: .clock(seconds: try SegmentChoice.step(String(text.dropFirst(SegmentChoice.clock.count)))),
        mostBytes: nil)
    } else if let span = try? TimeSpan(parsing: text) {
      guard span.nanoseconds >= SegmentChoice.shortest else {
        throw CamrecError(.usage, "a segment lasts at least 1s, as in 10m; '\(text)' is too short")
      }
      self.init(length: .seconds(span.seconds), mostBytes: nil)
    } else if let size = ByteSize(text), text.last?.isNumber == false {
      guard size.bytes >= SegmentChoice.smallest else {
        throw CamrecError(.usage, "a segment has at least 100kB, as in 2GB; '\(text)' is too small")
      }
      self.init(length: nil, mostBytes: size.bytes)
    } else {
      throw CamrecError(
        .usage, "write a time (10m, 1h30m), a size (500MB, 2GB, 4GiB), or clock: and a time (clock:10m)")
    }
  }

  private static func step(_ text: String) throws(CamrecError) -> Int {
    guard let span = try? TimeSpan(parsing: text), span.nanoseconds >= shortest,
      span.nanoseconds.isMultiple(of: shortest), day.isMultiple(of: Int(span.nanoseconds / shortest))
    else {
      throw CamrecError(
        .usage,
        "clock: needs whole seconds that divide a day evenly, as in clock:10m, clock:1h or clock:24h; not '\(text)'")
    }
    return Int(span.nanoseconds / shortest)
  }
}
