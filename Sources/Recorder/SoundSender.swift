import Audio
import Frames
import Platform

/// Hands sound to the writer in full blocks, so that the queue holds its full time however little a microphone delivers
/// at once. Waits if the writer has all blocks. Thread: one at a time.
struct SoundSender: ~Copyable {
  private let queue: WriteQueue
  private let free: BoundedQueue<AudioBuffer>
  private let sendsAtOnce: Bool
  private var filling: AudioBuffer?
  /// Audio frames handed over.
  private var sent: Int64 = 0

  /// - Parameters:
  ///   - free: empty blocks.
  ///   - sendsAtOnce: sends blocks before they are full: frames of a pulled source may wait for their sound.
  init(queue: WriteQueue, free: BoundedQueue<AudioBuffer>, sendsAtOnce: Bool) {
    self.queue = queue
    self.free = free
    self.sendsAtOnce = sendsAtOnce
  }

  mutating func send(_ sound: borrowing AudioBuffer) {
    var first = 0
    while first < sound.count, var block = filling.take() ?? free.pop() {
      let count = min(sound.count - first, block.capacity - block.count)
      block.append(sound, from: first, count: count)
      first += count
      let isFull = block.count == block.capacity
      filling = consume block
      if isFull { flush() }
    }
    if sendsAtOnce { flush() }
  }

  /// Hands over a partly filled block.
  mutating func flush() {
    guard let block = filling.take() else { return }
    let start = Double(sent) / Double(block.format.sampleRate)
    sent += Int64(block.count)
    queue.push(WriteQueue.TimedSound(buffer: block, seconds: start))
  }
}
