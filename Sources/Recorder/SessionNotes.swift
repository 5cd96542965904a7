import Frames
import Sidecar
import Synchronization

/// What the threads of a session have to say for its sidecar, until the write thread comes to write it.
///
/// Thread: any; nobody waits. Noting a loss allocates nothing. When more waits than there are places (a disk that
/// stalls in the middle of many losses), what comes then is left out, and a sentence says so.
final class SessionNotes: Sendable {
  private struct State: ~Copyable {
    var waiting = FixedRing<SidecarRecord>(capacity: SessionNotes.capacity)
    /// The latest, which may still grow.
    var latest: SidecarRecord?
    var omitted = 0
  }

  private static let capacity = 1024

  private let state = Mutex(State())

  func add(_ record: SidecarRecord) {
    state.withLock { state in
      if let latest = state.latest {
        if let both = SessionNotes.joined(latest, record) {
          state.latest = both
          return
        }
        if state.waiting.isFull {
          state.omitted += 1
        } else {
          state.waiting.append(latest)
        }
      }
      state.latest = record
    }
  }

  /// The oldest.
  func take() -> SidecarRecord? {
    state.withLock { state in
      if let first = state.waiting.popFirst() { return first }
      if state.omitted > 0 {
        defer { state.omitted = 0 }
        return .warning("\(state.omitted) notes are left out here: the disk did not take them in time", seconds: 0)
      }
      defer { state.latest = nil }
      return state.latest
    }
  }

  /// Losses that follow one another for the same reason are one.
  private static func joined(_ first: SidecarRecord, _ second: SidecarRecord) -> SidecarRecord? {
    guard case .frameLoss(let reason, let frame?, let count) = first,
      case .frameLoss(let other, let next?, let more) = second, reason == other, frame + count == next
    else { return nil }
    return .frameLoss(reason, frame: frame, count: count + more)
  }
}
