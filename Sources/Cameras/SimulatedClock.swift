import Foundation
public import Frames
import Platform
import Synchronization

/// The common clock of a simulated camera and a simulated microphone.
///
/// Both use the same clock, so that a tone begins exactly when a frame's exposure starts. In real time it is the
/// monotonic clock, and waiting means sleeping. When pulled, it has a time of its own, which begins at one second and
/// advances with each frame taken from the camera: the microphone has sound up to that time.
///
/// Thread: any.
public final class SimulatedClock: Sendable {
  public enum Pace: String, Hashable, Sendable, CaseIterable {
    /// Frames and audio come when they are due.
    case realTime = "real"
    /// Frames come as fast as they are taken.
    case pulled
  }

  public let pace: Pace
  private static let unset = Int64.min
  /// The start of a pulled clock.
  private static let origin = MonotonicTime(nanoseconds: 1_000_000_000)
  /// The longest wait of `reach` and `follow`.
  private static let patience: Int64 = 100_000_000

  private let started = Atomic<Int64>(unset)
  private let pulled = Atomic<Int64>(origin.nanoseconds)
  private let ended = Atomic<Bool>(false)

  public init(pace: Pace = .realTime) { self.pace = pace }

  /// The present time.
  public var now: MonotonicTime {
    pace == .realTime ? .now() : MonotonicTime(nanoseconds: pulled.load(ordering: .acquiring))
  }

  /// The start of exposure of frame 0; `nil` before the camera has started.
  public var pictureStart: MonotonicTime? {
    let start = started.load(ordering: .acquiring)
    return start == SimulatedClock.unset ? nil : MonotonicTime(nanoseconds: start)
  }

  /// True when no more frames will come.
  var pictureEnded: Bool { ended.load(ordering: .acquiring) }

  /// Called by the camera: frame 0 starts now.
  func startPicture() -> MonotonicTime {
    let start = now
    started.store(start.nanoseconds, ordering: .releasing)
    return start
  }

  /// Called by the camera when no more frames will come.
  func endPicture() { ended.store(true, ordering: .releasing) }

  /// Called by the camera: sleeps until `instant`, at most 100 ms; a pulled clock advances to it.
  ///
  /// - Returns: whether `instant` has been reached.
  func reach(_ instant: MonotonicTime) -> Bool {
    guard pace == .pulled else { return sleep(until: instant) }
    if instant.nanoseconds > pulled.load(ordering: .relaxed) { pulled.store(instant.nanoseconds, ordering: .releasing) }
    return true
  }

  /// Called by the microphone: waits until `instant`, at most 100 ms.
  ///
  /// - Returns: whether `instant` has been reached.
  func follow(_ instant: MonotonicTime) -> Bool {
    guard pace == .pulled else { return sleep(until: instant) }
    for _ in 0..<100 where now < instant && !pictureEnded { Thread.sleep(forTimeInterval: 0.001) }
    return now >= instant
  }

  private func sleep(until instant: MonotonicTime) -> Bool {
    let latest = min(instant, now.advanced(by: SimulatedClock.patience))
    // A sleep may end a moment early.
    while case let rest = latest - now, rest > 0 { Thread.sleep(forTimeInterval: Double(rest) / 1e9) }
    return latest == instant
  }
}
