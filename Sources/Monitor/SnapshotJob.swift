package import Frames
import RecorderAPI
import Synchronization

/// A snapshot that somebody waits for.
///
/// Thread: any.
package final class SnapshotJob: Sendable {
  private struct State {
    var result: Result<Snapshot, CamrecError>?
    var isEnded = false
  }

  let request: SnapshotRequest
  private let state = Mutex(State())
  /// Called when nobody needs it any more.
  private let ended: @Sendable () -> Void

  init(_ request: SnapshotRequest, ended: @escaping @Sendable () -> Void) {
    self.request = request
    self.ended = ended
  }

  /// `nil` while it is being made.
  package var result: Result<Snapshot, CamrecError>? { state.withLock { $0.result } }

  /// Whoever asked has it, or does not want it any more: the next one can be made.
  package func end() {
    let isFirst = state.withLock { state in
      defer { (state.isEnded, state.result) = (true, nil) }
      return !state.isEnded
    }
    if isFirst { ended() }
  }

  var isEnded: Bool { state.withLock { $0.isEnded } }

  func finish(_ result: Result<Snapshot, CamrecError>) {
    state.withLock { if !$0.isEnded { $0.result = result } }
  }
}
