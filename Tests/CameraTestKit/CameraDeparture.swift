import Platform
import Synchronization

/// When a `StartedCamera` is unplugged: at one of its frames, and, where a test wants that, only when it says so, as
/// late as it likes in the frame before.
public final class CameraDeparture: Sendable {
  /// Of the camera.
  public let counts = CameraCounts()
  private let frame: Int
  private let isHeld: Bool
  private let staysAway: Bool
  private let asked = Atomic<Int>(0)
  private let away = Atomic<Bool>(false)
  private let reached = MonotonicSemaphore()
  private let permitted = MonotonicSemaphore()

  /// Seconds after which nobody waits any longer: the test has failed.
  private static let patience = 60.0

  /// - Parameters:
  ///   - frame: the first one that it does not deliver, from 0, since it was opened first.
  ///   - isHeld: the frame before lasts until `goes` is called.
  ///   - staysAway: it cannot be opened until `returns` is called.
  public init(atFrame frame: Int, isHeld: Bool = true, staysAway: Bool = true) {
    self.frame = frame
    self.isHeld = isHeld
    self.staysAway = staysAway
  }

  /// It cannot be opened.
  public var isAway: Bool { away.load(ordering: .acquiring) }

  /// For the camera, which asks before each frame.
  public func isDue() -> Bool {
    guard asked.add(1, ordering: .acquiringAndReleasing).oldValue == frame else { return false }
    reached.signal()
    if isHeld { permitted.wait(within: CameraDeparture.patience) }
    away.store(staysAway, ordering: .releasing)
    return true
  }

  /// Waits until the camera has delivered its last frame.
  public func waitForLastFrame() { reached.wait(within: CameraDeparture.patience) }

  /// The camera goes.
  public func goes() { permitted.signal() }

  /// Waits until whoever has opened the camera has let go of it.
  public func waitForStop() {
    for _ in 0..<6000 where counts.stops == 0 { WorkThread.sleep(.milliseconds(10)) }
  }

  public func returns() { away.store(false, ordering: .releasing) }
}
