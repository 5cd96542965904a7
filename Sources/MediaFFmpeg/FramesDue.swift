/// Finds out which frames a decoder leaves out.
///
/// Packets go into a decoder in decoding order, and frames come out in the order of their times: a damaged frame is
/// missing once a later one comes out. A frame without an error may be missing as well, because not every packet is
/// shown.
struct FramesDue {
  /// The times of packets whose frames have not come out, in order.
  private var times: [Int64] = []
  /// Errors whose place is unknown, each with the latest time among the packets that it may belong to.
  private var errors: [Int64] = []

  /// No decoder holds back that many.
  private static let most = 512

  /// Notes a packet that the decoder gets.
  mutating func sent(_ time: Int64) {
    times.insert(time, at: (times.lastIndex { $0 <= time } ?? -1) + 1)
    if times.count > FramesDue.most { times.removeFirst() }
  }

  /// Notes an error of the decoder. Returns false if no time tells which frame it concerns.
  mutating func failed() -> Bool {
    guard let last = times.last else { return false }
    errors.append(last)
    return true
  }

  /// Notes a frame that the decoder delivers.
  ///
  /// - Returns: the times of the damaged frames before it; `nil` for a frame whose time is unknown.
  mutating func came(_ time: Int64) -> [Int64?] {
    var damaged: [Int64?] = []
    while let missing = times.first, missing < time {
      times.removeFirst()
      guard let last = errors.first, missing <= last else { continue }
      errors.removeFirst()
      damaged.append(missing)
    }
    if times.first == time { times.removeFirst() }
    while let last = errors.first, last < time {
      errors.removeFirst()
      damaged.append(nil)
    }
    return damaged
  }

  /// Notes that the decoder delivers no more frames. Returns the same as `came`.
  mutating func ended() -> [Int64?] { came(.max) }
}
