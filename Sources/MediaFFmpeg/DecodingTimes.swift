/// Brings the decoding times that an encoder gives its packets onto the clock of the presentation.
///
/// An encoder that reorders takes a packet's decoding time from a picture that came some pictures earlier. Beside a
/// hole between pictures that is another distance in time than elsewhere, and a track as long as its decoding times
/// would become longer or shorter than the film. So no packet is decoded later than the picture of the same rank is
/// shown, less the delay of the first packet. Times only become earlier, and stay in order: the lesser of two rising
/// sequences rises. Thread: one at a time.
struct DecodingTimes {
  /// Presentation times of pictures whose packets have not come; those before `next` are used up.
  private var times: [Int64] = []
  private var next = 0
  /// By how much the first packet is decoded before it is shown.
  private(set) var delay: Int64?

  init() { times.reserveCapacity(DecodingTimes.room) }

  /// More than any encoder holds, so that the list is allocated once.
  private static let room = 1024

  /// The film has a picture at this presentation time, later than those before.
  mutating func add(pictureAt time: Int64) {
    if times.count == DecodingTimes.room {
      times.removeSubrange(..<next)
      next = 0
    }
    times.append(time)
  }

  /// The decoding time of the packet that comes out next, for which the encoder says `decoding`.
  mutating func settle(_ decoding: Int64) -> Int64 {
    guard next < times.count else { return decoding }
    defer { next += 1 }
    let delay = delay ?? (times[next] - decoding)
    self.delay = delay
    return min(decoding, times[next] - delay)
  }
}
