/// Adapts the decoding times that an encoder gives its packets to the presentation times.
///
/// An encoder that reorders takes a packet's decoding time from a frame that came a few frames earlier. Next to a gap
/// that distance in time differs from elsewhere, and a track that is as long as its decoding times would become longer
/// or shorter than the film. So no packet's decoding time is later than the presentation time of the frame of the same
/// rank, less the delay of the first packet. Times only become earlier, and stay in order: the lesser of two rising
/// sequences rises. Thread: one at a time.
struct DecodingTimes {
  /// Presentation times of frames whose packets have not come; those before `next` are used up.
  private var times: [Int64] = []
  private var next = 0
  /// How many ticks before its presentation the first packet is decoded.
  private(set) var delay: Int64?

  init() { times.reserveCapacity(DecodingTimes.room) }

  /// More than any encoder holds, so that the list is allocated once.
  private static let room = 1024

  /// Adds the presentation time of a frame of the film, later than those before.
  mutating func add(pictureAt time: Int64) {
    if times.count == DecodingTimes.room {
      times.removeSubrange(..<next)
      next = 0
    }
    times.append(time)
  }

  /// The decoding time of the packet that comes out next, to which the encoder gave `decoding`.
  mutating func settle(_ decoding: Int64) -> Int64 {
    guard next < times.count else { return decoding }
    defer { next += 1 }
    let delay = delay ?? (times[next] - decoding)
    self.delay = delay
    return min(decoding, times[next] - delay)
  }
}
