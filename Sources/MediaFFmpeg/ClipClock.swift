import Foundation
import Frames
import Platform
import Synchronization

/// The clock that a clip's camera and microphone share: it turns the file's presentation times into instants.
///
/// Paced, the clip plays on the monotonic clock from the first `begin` on, its earliest frame or audio first. Unpaced,
/// instants are the presentation times themselves, in nanoseconds. Thread: any.
public final class ClipClock: Sendable {
  /// Real time, or as fast as it is read.
  public let isPaced: Bool
  /// The file's earliest presentation time, in nanoseconds.
  private let start: Int64
  private let origin = Mutex<MonotonicTime?>(nil)

  init(isPaced: Bool, start: Int64) {
    self.isPaced = isPaced
    self.start = start
  }

  /// Lets the clip's time run from now on; later calls change nothing.
  func begin() {
    origin.withLock { $0 = $0 ?? .now() }
  }

  /// The instant of `presentation` (nanoseconds in the file).
  func instant(of presentation: Int64) -> MonotonicTime {
    guard isPaced else { return MonotonicTime(nanoseconds: presentation) }
    let origin = origin.withLock { $0 } ?? .now()
    return origin.advanced(by: presentation.subtractingSaturated(start))
  }

  /// Waits for `instant`, at most 100 ms. Returns whether it has come; unpaced, it always has.
  func wait(for instant: MonotonicTime) -> Bool {
    guard isPaced else { return true }
    let left = instant - .now()
    guard left > 0 else { return true }
    Thread.sleep(forTimeInterval: Double(min(left, 100_000_000)) * 1e-9)
    return left <= 100_000_000
  }
}
