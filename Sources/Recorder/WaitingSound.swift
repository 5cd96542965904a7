import Audio
import Frames

/// Sound that waits for its picture: first until a frame tells where the film begins, then for each frame.
///
/// Holds two seconds of full blocks. If a camera stalls for longer, the sound continues without it (or, before the
/// first frame, the oldest block is dropped). Thread: one at a time. Allocates nothing once it has been full.
struct WaitingSound: ~Copyable {
  private var blocks: FixedRing<AudioBuffer>
  private var spare: FixedRing<AudioBuffer>
  private let format: AudioFormat
  private let blockFrames: Int

  init(format: AudioFormat, blockFrames: Int) {
    self.format = format
    self.blockFrames = blockFrames
    let capacity = 2 * format.sampleRate / blockFrames + 1
    blocks = FixedRing(capacity: capacity)
    spare = FixedRing(capacity: capacity)
  }

  var isEmpty: Bool { blocks.isEmpty }

  /// Keeps a copy of `block`.
  mutating func append(_ block: borrowing AudioBuffer) {
    var kept = (blocks.isFull ? blocks.popFirst() : spare.popFirst())
      ?? AudioBuffer(format: format, capacity: blockFrames)
    kept.copy(block)
    blocks.append(kept)
  }

  /// The oldest block, if it ends by `limit` (seconds of movie time; `nil` for no limit), or if no more blocks fit.
  mutating func next(endingBy limit: Double?, _ clock: PictureClock.Reading) -> AudioBuffer? {
    guard let limit, !blocks.isFull else { return blocks.popFirst() }
    guard let end = blocks.withFirst({ clock.movieSeconds(at: $0.endTime) }), end <= limit else { return nil }
    return blocks.popFirst()
  }

  /// Takes back a block's memory for a later one.
  mutating func giveBack(_ block: consuming AudioBuffer) {
    if !spare.isFull { spare.append(block) }
  }
}
