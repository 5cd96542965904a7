import Audio
import Frames
import Platform
import Sidecar

/// Baked frames and sound that wait to be written, each in its own bounded queue, taken by one thread.
///
/// The first frame comes before any sound: it opens the film. Afterwards live items are taken as they arrive, sound
/// first. From pulled sources the earlier of the two is taken, so that they lie side by side in the file.
///
/// `@unchecked Sendable`: every `var` is touched only while `condition` is locked.
final class WriteQueue: @unchecked Sendable {
  struct TimedFrame: ~Copyable, Sendable {
    var frame: Frame
    /// The frame's place, and how it was taken.
    var ticket: FrameTicket
    /// Movie time.
    var seconds: Double
  }

  struct TimedSound: ~Copyable, Sendable {
    var buffer: AudioBuffer
    /// Movie time of the buffer's start.
    var seconds: Double
  }

  enum Item: ~Copyable, Sendable {
    case frame(TimedFrame)
    case sound(TimedSound)
    /// Nothing has come for a while.
    case nothing
  }

  /// The longest wait of `pop`, in nanoseconds.
  private static let patience: Int64 = 500_000_000

  private let condition = MonotonicCondition()
  private let isOrdered: Bool
  private var frames: FixedRing<TimedFrame>
  private var sounds: FixedRing<TimedSound>
  private var framesBegan = false
  private var framesEnded = false
  private var soundEnded: Bool

  /// - Parameters:
  ///   - isOrdered: takes the earlier of the next frame and the next sound, waiting until both are known.
  ///   - hasSound: whether to expect sound.
  init(frameCapacity: Int, soundCapacity: Int, isOrdered: Bool, hasSound: Bool) {
    frames = FixedRing(capacity: frameCapacity)
    sounds = FixedRing(capacity: soundCapacity)
    self.isOrdered = isOrdered
    soundEnded = !hasSound
  }

  /// Waits for a place.
  func push(_ frame: consuming TimedFrame) {
    condition.lock()
    defer { condition.unlock() }
    while frames.isFull { condition.wait() }
    frames.append(frame)
    condition.broadcast()
  }

  /// Waits for a place.
  func push(_ sound: consuming TimedSound) {
    condition.lock()
    defer { condition.unlock() }
    while sounds.isFull { condition.wait() }
    sounds.append(sound)
    condition.broadcast()
  }

  func endFrames() { end { $0.framesEnded = true } }
  func endSound() { end { $0.soundEnded = true } }

  /// Waits a while for the next item; `nil` when both have ended and everything is taken.
  ///
  /// - Parameters:
  ///   - soundLimit: in seconds of movie time: sound that begins there or later stays in the queue until the frames
  ///     have ended.
  ///   - due: when the wait ends at the latest, if that is sooner.
  func pop(soundBefore soundLimit: Double = .infinity, until due: MonotonicTime? = nil) -> Item? {
    let longest = MonotonicTime.now().advanced(by: WriteQueue.patience), end = min(longest, due ?? longest)
    condition.lock()
    defer { condition.unlock() }
    while true {
      if takesSound(before: soundLimit), let sound = sounds.popFirst() {
        condition.broadcast()
        return .sound(sound)
      }
      if takesFrame, let frame = frames.popFirst() {
        framesBegan = true
        condition.broadcast()
        return .frame(frame)
      }
      if frames.isEmpty, sounds.isEmpty, framesEnded, soundEnded { return nil }
      guard condition.wait(until: end) else { return .nothing }
    }
  }

  /// How many items wait now.
  var depths: (frames: Int, sounds: Int) {
    condition.lock()
    defer { condition.unlock() }
    return (frames.count, sounds.count)
  }

  /// No more sound will come.
  var isSoundOver: Bool {
    condition.lock()
    defer { condition.unlock() }
    return soundEnded && sounds.isEmpty
  }

  private func takesSound(before limit: Double) -> Bool {
    guard !sounds.isEmpty, framesBegan || framesEnded else { return false }
    if limit < .infinity, !frames.isEmpty || !framesEnded {
      guard let start = sounds.withFirst({ $0.seconds }), start < limit else { return false }
    }
    guard isOrdered, !frames.isEmpty || !framesEnded else { return true }
    guard let frame = frames.withFirst({ $0.seconds }), let sound = sounds.withFirst({ $0.seconds }) else {
      return false
    }
    return sound < frame
  }

  private var takesFrame: Bool {
    guard !frames.isEmpty else { return false }
    return !isOrdered || !framesBegan || !sounds.isEmpty || soundEnded
  }

  private func end(_ change: (WriteQueue) -> Void) {
    condition.lock()
    change(self)
    condition.broadcast()
    condition.unlock()
  }
}
