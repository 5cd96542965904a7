import Audio
import Frames

/// Sound that waits for its picture: first until a frame tells where the film begins, then for each frame.
///
/// Holds two seconds, if a microphone fills at least a quarter of each block. If a camera stalls for longer, the sound
/// continues without it (or, before the first frame, the oldest block is dropped). Thread: one at a time. Allocates
/// nothing once it has been full.
struct WaitingSound: ~Copyable {
  struct Block: ~Copyable {
    var sound: AudioBuffer
    /// The microphone was away, or silent for long, right before it.
    let followsBreak: Bool
  }

  private var blocks: FixedRing<Block>
  private var spare: FixedRing<AudioBuffer>
  private let format: AudioFormat
  private let blockFrames: Int
  /// Audio frames that are held, and how many may be.
  private var held = 0
  private let most: Int
  /// The next block to be kept follows a break.
  private var isInterrupted = false
  /// Blocks behind a break were dropped: the oldest one that is left follows it.
  private var hasDroppedBreak = false

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

  /// The microphone was away, or silent for long: the time of the next block that is kept decides its place. What waits
  /// already has its own.
  mutating func interrupt() { isInterrupted = true }

  /// Keeps a copy of `sound`.
  mutating func append(_ sound: borrowing AudioBuffer) {
    var kept = (isFull ? drop() : spare.popFirst()) ?? AudioBuffer(format: format, capacity: blockFrames)
    kept.copy(sound)
    held += kept.count
    blocks.append(Block(sound: kept, followsBreak: isInterrupted))
    isInterrupted = false
  }

  /// The oldest block, if it ends by `limit` (seconds of movie time; `nil` for no limit), or if no more blocks fit.
  mutating func next(endingBy limit: Double?, _ clock: PictureClock.Reading) -> Block? {
    guard let limit, !isFull else { return takeFirst() }
    guard let end = blocks.withFirst({ clock.movieSeconds(at: $0.sound.endTime) }), end <= limit else { return nil }
    return takeFirst()
  }

  private mutating func takeFirst() -> Block? {
    guard let first = blocks.popFirst() else { return nil }
    let count = first.sound.count, followsBreak = first.followsBreak || hasDroppedBreak
    held -= count
    hasDroppedBreak = false
    return Block(sound: first.sound, followsBreak: followsBreak)
  }

  private mutating func drop() -> AudioBuffer? {
    guard let first = takeFirst() else { return nil }
    hasDroppedBreak = first.followsBreak
    return first.sound
  }

  /// Takes back a block's memory for a later one.
  mutating func giveBack(_ block: consuming AudioBuffer) {
    if !spare.isFull { spare.append(block) }
  }
}
