import Audio
import Frames
import Platform

/// Sound on its way from a microphone that runs on to one film: a bounded queue of blocks, allocated once.
///
/// Thread: one feeds, one reads.
final class SoundFeed: Sendable {
  /// A block, and how often the microphone had gone away before it.
  struct Block: ~Copyable, Sendable {
    var sound: AudioBuffer
    let absences: Int
  }

  private let full: BoundedQueue<Block>
  private let free: BoundedQueue<AudioBuffer>
  private let bell = MonotonicSemaphore()

  init(format: AudioFormat, blockFrames: Int, blocks: Int) {
    full = BoundedQueue(capacity: blocks)
    free = BoundedQueue(capacity: blocks)
    for _ in 0..<blocks { _ = free.offer(AudioBuffer(format: format, capacity: blockFrames)) }
  }

  /// Passes a copy on.
  ///
  /// - Parameter lost: samples that found no place before; counted as lost in front of this block.
  /// - Returns: false if there is no place, because the reader is late.
  func give(_ sound: borrowing AudioBuffer, absences: Int, lost: Int) -> Bool {
    guard var copy = free.poll() else { return false }
    copy.copy(sound)
    copy.lostBefore += lost
    _ = full.offer(Block(sound: copy, absences: absences))
    bell.signal()
    return true
  }

  /// The next block, if one comes within so many seconds.
  func take(within seconds: Double) -> Block? {
    guard bell.wait(within: seconds) else { return nil }
    return full.poll()
  }

  func giveBack(_ buffer: consuming AudioBuffer) { _ = free.offer(buffer) }
}
