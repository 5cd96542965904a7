public import Frames
import Synchronization

/// The account of every frame that was due: each leaves it exactly once, written or lost for one named reason.
///
/// Thread: any. Frames after the stop instant never enter, so they are no losses.
public final class FrameLedger: Sendable {
  /// A reading of the account.
  public struct Counts: Hashable, Sendable {
    /// Frames due from the first to the last that entered, by the camera's count.
    public internal(set) var expected = 0
    /// Frames that arrived intact.
    public internal(set) var captured = 0
    public internal(set) var written = 0
    public internal(set) var deviceGaps = 0
    public internal(set) var deviceErrors = 0
    public internal(set) var overloads = 0
    public internal(set) var diskLosses = 0
    public internal(set) var defects = 0

    public init() {}

    public func lost(_ reason: LossReason) -> Int {
      switch reason {
      case .deviceGap: deviceGaps
      case .deviceError: deviceErrors
      case .overload: overloads
      case .disk: diskLosses
      case .defect: defects
      }
    }

    public var totalLost: Int { deviceGaps + deviceErrors + overloads + diskLosses + defects }
    /// Entered and neither written nor lost yet; 0 at the end.
    public var underway: Int { expected - written - totalLost }

    mutating func lose(_ frames: Int, _ reason: LossReason) {
      switch reason {
      case .deviceGap: deviceGaps += frames
      case .deviceError: deviceErrors += frames
      case .overload: overloads += frames
      case .disk: diskLosses += frames
      case .defect: defects += frames
      }
    }
  }

  private let state = Mutex(Counts())

  public init() {}

  public var counts: Counts { state.withLock { $0 } }

  /// A frame arrived intact, `missing` frames after the one before.
  func entered(missing: Int) {
    state.withLock {
      $0.expected += 1 + missing
      $0.captured += 1
      $0.deviceGaps += missing
    }
  }

  /// A frame arrived damaged, `missing` frames after the one before.
  func enteredDamaged(missing: Int) {
    state.withLock {
      $0.expected += 1 + missing
      $0.deviceGaps += missing
      $0.deviceErrors += 1
    }
  }

  /// `frames` were due and never came.
  func missed(_ frames: Int) {
    state.withLock {
      $0.expected += frames
      $0.deviceGaps += frames
    }
  }

  /// The finished movie holds `stored` frames; those that were handed to it and are not there are the disk's. Returns
  /// how many.
  func settle(stored: Int) -> Int {
    state.withLock {
      let absent = max(0, $0.written - stored)
      $0.written -= absent
      $0.diskLosses += absent
      return absent
    }
  }

  func lost(_ reason: LossReason) { state.withLock { $0.lose(1, reason) } }

  func written() { state.withLock { $0.written += 1 } }
}
