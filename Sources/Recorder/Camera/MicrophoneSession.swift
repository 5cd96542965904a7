public import Audio
import Foundation
public import Frames
import Platform
import Synchronization

/// A live microphone that runs as long as a camera does, on a thread of its own, and gives its sound to every film.
///
/// A film gets the last second as well: its first frame's exposure began before that frame arrived. While the
/// microphone is away, camrec looks for it five times a second; one that falls silent is opened again.
///
/// Thread: any.
///
/// `@unchecked Sendable`: what is not constant is touched only under `lock`.
public final class MicrophoneSession: @unchecked Sendable {
  public let microphone: any Microphone
  /// Audio frames of a block at most.
  let blockFrames: Int
  let level = PublishedLevel()

  private struct Feed {
    let queue: SoundFeed
    /// Samples that found no place.
    var lost = 0
  }

  private let lock = NSLock()
  private var feeds: [Feed] = []
  private var history: FixedRing<AudioBuffer>
  private var thread: WorkThread?
  private var users = 0
  /// Why it delivers nothing now.
  private var failure: CamrecError?
  /// How often it has gone away.
  private var absences = 0
  private let closing = Atomic<Bool>(false)

  /// Nanoseconds between two looks for it.
  private static let interval: Int64 = 200_000_000
  /// Nanoseconds without sound after which it is opened again.
  private static let patience: Int64 = 5_000_000_000
  /// Seconds of sound that a film gets from before its start.
  private static let memory = 1.0
  /// Seconds that may wait for a film.
  private static let waiting = 3.0

  /// - Parameter frameRate: of the camera.
  public init(_ microphone: any Microphone, frameRate: FrameRate) {
    self.microphone = microphone
    blockFrames = MicrophoneSession.blockFrames(microphone.format, frameRate)
    history = FixedRing(capacity: MicrophoneSession.blocks(MicrophoneSession.memory, microphone.format, blockFrames))
  }

  /// Shorter than a frame: sound written before the last frame does not reach beyond it.
  static func blockFrames(_ format: AudioFormat, _ rate: FrameRate) -> Int {
    max(64, Int(Double(format.sampleRate) * min(0.02, rate.frameDuration.doubleValue / 2)))
  }

  private static func blocks(_ seconds: Double, _ format: AudioFormat, _ blockFrames: Int) -> Int {
    // Devices deliver less than a block at a time: about 10 ms.
    max(Int(seconds * Double(format.sampleRate)) / blockFrames, Int(seconds * 120)) + 1
  }

  // MARK: Cameras

  /// A camera begins to use it. The first one starts it.
  package func begin() {
    lock.withLock {
      users += 1
      guard users == 1 else { return }
      closing.store(false, ordering: .releasing)
      (failure, absences) = (nil, 0)
      thread = WorkThread(name: "camrec-mic") { [self] in run() }
    }
  }

  /// A camera is closed. The last one stops it.
  package func end() {
    let ended = lock.withLock { () -> WorkThread? in
      users -= 1
      guard users == 0 else { return nil }
      closing.store(true, ordering: .releasing)
      defer { thread = nil }
      return thread
    }
    ended?.join()
  }

  // MARK: Films

  /// Begins to feed a film.
  func attach() -> SoundFeed {
    let blocks = MicrophoneSession.blocks(MicrophoneSession.waiting, microphone.format, blockFrames)
    let feed = SoundFeed(format: microphone.format, blockFrames: blockFrames, blocks: blocks)
    lock.withLock {
      for _ in 0..<history.count {
        guard let block = history.popFirst() else { break }
        _ = feed.give(block, absences: absences, lost: 0)
        history.append(block)
      }
      feeds.append(Feed(queue: feed))
    }
    return feed
  }

  func detach(_ feed: SoundFeed) { lock.withLock { feeds.removeAll { $0.queue === feed } } }

  /// Why it delivers nothing now, if so, and how often it has gone away.
  var absence: (failure: CamrecError?, count: Int) { lock.withLock { (failure, absences) } }

  // MARK: The microphone's thread

  private func run() {
    var block = AudioBuffer(format: microphone.format, capacity: blockFrames)
    var meter = LevelMeter(), last = MonotonicTime.now()
    start()
    while !closing.load(ordering: .acquiring) {
      let now = MonotonicTime.now()
      if isAway || now - last > MicrophoneSession.patience {
        if !lookForIt() { WorkThread.sleep(.milliseconds(MicrophoneSession.interval / 1_000_000)) }
        last = .now()
        continue
      }
      do throws(CamrecError) {
        let goesOn = try microphone.read(into: &block)
        if block.count > 0 {
          last = .now()
          meter.hear(block.peak, at: last)
          level.publish(meter, at: last)
          pass(block)
        } else if !goesOn {
          WorkThread.sleep(.milliseconds(1))
        }
      } catch {
        lose(error)
      }
    }
    microphone.stop()
    lock.withLock { while history.popFirst() != nil {} }
  }

  private var isAway: Bool { lock.withLock { failure != nil } }

  private func start() {
    do throws(CamrecError) {
      try microphone.start()
    } catch {
      // It may have come back with the camera, under another name.
      if (try? microphone.reopen()) == nil { lose(error) }
    }
  }

  private func lose(_ error: CamrecError) {
    lock.withLock {
      failure = error
      absences += 1
      // What it heard before does not belong to what it hears when it is back.
      while history.popFirst() != nil {}
    }
  }

  /// - Returns: whether it works again.
  private func lookForIt() -> Bool {
    do throws(CamrecError) {
      try microphone.reopen()
    } catch {
      if !isAway { lose(error) }
      return false
    }
    lock.withLock { failure = nil }
    return true
  }

  private func pass(_ block: borrowing AudioBuffer) {
    lock.withLock {
      for index in feeds.indices {
        let isTaken = feeds[index].queue.give(block, absences: absences, lost: feeds[index].lost)
        feeds[index].lost = isTaken ? 0 : feeds[index].lost + block.count + block.lostBefore
      }
      var kept = (history.isFull ? history.popFirst() : nil) ?? AudioBuffer(
          format: microphone.format, capacity: blockFrames)
      kept.copy(block)
      history.append(kept)
    }
  }
}
