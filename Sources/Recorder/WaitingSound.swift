import Audio
import Frames

/// Sound that waits for its picture: first until a frame tells where the film begins, then for each frame.
///
/// Holds two seconds, if a microphone fills at least a quarter of each block. If a camera stalls for longer, the sound
/// continues without it (or, before the first frame, the oldest block is dropped). Thread: one at a time. Allocates
/// nothing once it has been full.
struct WaitingSound: ~Copyable {
  private var blocks: FixedRing<AudioBuffer>
  private var spare: FixedRing<AudioBuffer>
  private let format: AudioFormat
  private let blockFrames: Int
  /// Audio frames that are held, and how many may be.
  private var held = 0
  private let most: Int

  init(format: AudioFormat, blockFrames: Int) {
    self.format = format
    self.blockFrames = blockFrames
    most = 2 * format.sampleRate
    let capacity = 4 * most / blockFrames + 1
    blocks = FixedRing(capacity: capacity)
    spare = FixedRing(capacity: capacity)
  }

  var isEmpty: Bool { blocks.isEmpty }

  private var isFull: Bool { blocks.isFull || held >= most }

  /// Keeps a copy of `block`.
  mutating func append(_ block: borrowing AudioBuffer) {
    var kept = (isFull ? takeFirst() : spare.popFirst()) ?? AudioBuffer(format: format, capacity: blockFrames)
    kept.copy(block)
    held += kept.count
    blocks.append(kept)
  }

  /// The oldest block, if it ends by `limit` (seconds of movie time; `nil` for no limit), or if no more blocks fit.
  mutating func next(endingBy limit: Double?, _ clock: PictureClock.Reading) -> AudioBuffer? {
    guard let limit, !isFull else { return takeFirst() }
    guard let end = blocks.withFirst({ clock.movieSeconds(at: $0.endTime) }), end <= limit else { return nil }
    return takeFirst()
  }

  private mutating func takeFirst() -> AudioBuffer? {
    guard let first = blocks.popFirst() else { return nil }
    held -= first.count
    return first
  }

  /// Takes back a block's memory for a later one.
  mutating func giveBack(_ block: consuming AudioBuffer) {
    if !spare.isFull { spare.append(block) }
  }
}
