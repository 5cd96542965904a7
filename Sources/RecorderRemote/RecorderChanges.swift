import Frames
import Platform
import Synchronization

/// The arrivals and departures of this machine's recorders, one after another, beginning with those that run already.
///
/// Thread: `next` one at a time; `end` any.
public final class RecorderChanges: Sendable {
  public enum Change: Hashable, Sendable {
    /// A recorder has started, or was running when this began.
    case arrived(LocalRecorder)
    /// More has become known of a recorder, or its name or socket has changed.
    case changed(LocalRecorder)
    /// A recorder has ended or was killed.
    case departed(LocalRecorder)
  }

  private struct State {
    var known: [LocalRecorder] = []
    /// Changes that nobody has taken yet.
    var pending: [Change] = []
    var isEnded = false
  }

  private let directory: RecorderDirectory
  private let bell: WakeUp
  private let number: Int
  private let state = Mutex(State())

  /// Milliseconds between two looks where the kernel does not report everything.
  private static let pause: Int32 = 1000

  init(_ directory: RecorderDirectory, _ bell: WakeUp, number: Int) {
    self.directory = directory
    self.bell = bell
    self.number = number
  }

  deinit { directory.removeBell(number) }

  /// Waits for the next change.
  ///
  /// - Parameter seconds: how long to wait at most.
  /// - Returns: `nil` if there was none in that time, or after `end`.
  public func next(within seconds: Double = .infinity) -> Change? {
    let end = MonotonicTime.now().advanced(by: Int64(saturating: max(0, seconds) * 1e9))
    while true {
      // Before the look: a ring after it is kept.
      bell.clear()
      if state.withLock({ $0.isEnded }) { return nil }
      if let change = take() { return change }
      let look = directory.look()
      note(look.running)
      if let change = take() { return change }
      let left = max(0, end - MonotonicTime.now()), milliseconds = Int32(clamping: left / 1_000_000 + 1)
      guard left > 0 else { return nil }
      bell.wait(
        orChangeIn: look.watch, orEndOf: look.processes,
        milliseconds: look.isIncomplete ? min(milliseconds, RecorderChanges.pause) : milliseconds)
    }
  }

  /// Ends a wait that is under way; there are no more changes.
  public func end() {
    state.withLock { $0.isEnded = true }
    bell.ring()
  }

  private func take() -> Change? {
    state.withLock { $0.pending.isEmpty ? nil : $0.pending.removeFirst() }
  }

  private func note(_ running: [LocalRecorder]) {
    state.withLock { state in
      let departed = state.known.filter { known in !running.contains { $0.isSame(as: known) } }
      state.pending += departed.map(Change.departed)
      for recorder in running where !state.known.contains(recorder) {
        let isKnown = state.known.contains { $0.isSame(as: recorder) }
        state.pending.append(isKnown ? .changed(recorder) : .arrived(recorder))
      }
      state.known = running
    }
  }
}
