/// Finds out which frames a decoder does not give.
///
/// Packets go into a decoder in the order of decoding, and frames come out in the order of their times: a frame that is
/// damaged is missing where a later one comes out. A frame without an error may be missing as well: not every packet is
/// one that shows.
struct FramesDue {
  /// The times of packets whose frames have not come out, in their order.
  private var times: [Int64] = []
  /// Errors whose place is not known: each with the latest time among the packets that it may belong to.
  private var errors: [Int64] = []

  /// No decoder holds back as many.
  private static let most = 512

  /// The decoder gets a packet.
  mutating func sent(_ time: Int64) {
    times.insert(time, at: (times.lastIndex { $0 <= time } ?? -1) + 1)
    if times.count > FramesDue.most { times.removeFirst() }
  }

  /// The decoder has told of an error. False where no time says which frame that is.
  mutating func failed() -> Bool {
    guard let last = times.last else { return false }
    errors.append(last)
    return true
  }

  /// The decoder gives a frame.
  ///
  /// - Returns: the damaged frames in front of it, by their times; `nil` for one whose time is not known.
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

  /// The decoder gives no frame any more. Returns what `came` does.
  mutating func ended() -> [Int64?] { came(.max) }
}
