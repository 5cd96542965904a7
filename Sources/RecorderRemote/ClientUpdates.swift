import Frames
import Platform
import RecorderAPI
import Synchronization

/// The updates that one reader has of a connection.
final class ClientUpdates: RecorderUpdates {
  private struct State {
    /// The generation of the reader's state; `nil` if it has none yet.
    var generation: Int?
    var isEnded = false
  }

  private let connection: ClientConnection
  private let signal = MonotonicSemaphore()
  private let state: Mutex<State>
  /// Called once, when the reader wants no more.
  private let ended: @Sendable () -> Void

  init(_ connection: ClientConnection, after generation: Int?, ended: @escaping @Sendable () -> Void) {
    self.connection = connection
    self.ended = ended
    state = Mutex(State(generation: generation))
    connection.addReader(self, signal)
  }

  deinit { end() }

  func next() throws(CamrecError) -> StateUpdate? {
    while true {
      let (generation, isEnded) = state.withLock { ($0.generation, $0.isEnded) }
      if isEnded { return nil }
      switch connection.reading(after: generation) {
      case .update(let update):
        state.withLock { $0.generation = update.generation }
        return update
      case .nothing: signal.wait()
      case .ended(let failure):
        if let failure { throw failure }
        return nil
      }
    }
  }

  func end() {
    let isFirst = state.withLock { state in
      defer { state.isEnded = true }
      return !state.isEnded
    }
    guard isFirst else { return }
    connection.removeReader(self)
    signal.signal()
    ended()
  }
}
