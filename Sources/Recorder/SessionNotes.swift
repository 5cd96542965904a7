import Frames
import Sidecar
import Synchronization

/// Notes by the threads of a session for its sidecar, kept until the write thread writes them.
///
/// Thread: any; nobody waits. Noting a loss allocates nothing. If all places are taken (the disk stalls during many
/// losses), later notes are left out, and a sentence says so.
final class SessionNotes: Sendable {
  private struct State: ~Copyable {
    var waiting = FixedRing<SidecarRecord>(capacity: SessionNotes.capacity)
    /// The latest note, which may still grow.
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

  /// Removes and returns the oldest note.
  func take() -> SidecarRecord? {
    state.withLock { state in
      if let first = state.waiting.popFirst() { return first }
      if state.omitted > 0 {
        defer { state.omitted = 0 }
        return .warning("\(state.omitted) notes are missing here: the disk was too slow to take them", seconds: 0)
      }
      defer { state.latest = nil }
      return state.latest
    }
  }

  /// Joins consecutive losses for the same reason.
  private static func joined(_ first: SidecarRecord, _ second: SidecarRecord) -> SidecarRecord? {
    guard case .frameLoss(let reason, let frame?, let count) = first,
      case .frameLoss(let other, let next?, let more) = second, reason == other, frame + count == next
    else { return nil }
    return .frameLoss(reason, frame: frame, count: count + more)
  }
}
