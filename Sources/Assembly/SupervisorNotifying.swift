import Frames
import Platform
import Recorder
package import RecorderAPI
import RecorderRemote
import Reporting
import Synchronization
import Telemetry
import Terminal

/// Tells the rig every few seconds that its recorder is well, whatever that waits for (`AliveEvent`).
package final class SupervisorNotifying: RecorderWatch.Listener {
  private struct State {
    var judge = WatchdogJudge()
    var told: Double?
    var isWell = true
  }

  private let warn: @Sendable (String) -> Void
  private let state = Mutex(State())

  /// Seconds between two events. `ChildWatch.restLimit` is twelve of them.
  private static let interval = 5.0

  /// - Parameter warn: called with a sentence if the recorder hangs; any thread.
  package init(warn: @escaping @Sendable (String) -> Void) { self.warn = warn }

  package var title: String { "the rig" }

  package func tell(_ now: RecorderState) {
    let time = StateRecord.uptime()
    state.withLock { state in
      switch state.judge.judge(now, at: time) {
      case .well:
        state.isWell = true
        if let told = state.told, time - told < SupervisorNotifying.interval { return }
        state.told = time
        EventLine.write(AliveEvent(phase: now.phase), .routine)
      case .hangs(let sentence):
        if state.isWell { warn("the recorder hangs: \(sentence)") }
        state.isWell = false
      }
    }
  }

  package func end(_ state: RecorderState) {}
}
