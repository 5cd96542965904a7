package import Recorder
import Synchronization

/// Counts warnings in the recorder's state. Thread: any.
package final class WarningCount: Sendable {
  package init() {}

  private struct State {
    var recorder: RecorderService?
    /// Warnings from before there was a recorder.
    var early = 0
  }

  private let state = Mutex(State())

  package func begin(with recorder: RecorderService) {
    let early = state.withLock { state in
      defer { state = State(recorder: recorder) }
      return state.early
    }
    for _ in 0..<early { recorder.countWarning() }
  }

  package func add() {
    let recorder = state.withLock { state in
      if state.recorder == nil { state.early += 1 }
      return state.recorder
    }
    recorder?.countWarning()
  }
}
