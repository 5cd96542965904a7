import Frames
package import Platform
import Recorder
package import RecorderAPI
import RecorderRemote
import Reporting
import Synchronization
import Telemetry

/// Reports a recorder's state to systemd, and feeds its watchdog as long as the recorder is well.
package final class ServiceNotifying: RecorderWatch.Listener {
  private struct State {
    var judge = WatchdogJudge()
    var isReady = false
    var isWell = true
    var line = ""
  }

  private let manager: ServiceManager
  private let warn: @Sendable (String) -> Void
  private let state = Mutex(State())

  /// - Parameter warn: called with a sentence if the recorder hangs; any thread.
  package init(_ manager: ServiceManager, warn: @escaping @Sendable (String) -> Void) {
    self.manager = manager
    self.warn = warn
  }

  package var title: String { "systemd" }

  package func tell(_ now: RecorderState) {
    state.withLock { state in
      if !state.isReady, now.phase != .starting {
        // If systemd's socket is full, next time.
        state.isReady = manager.ready()
      }
      let line = RecorderDescription.line(of: now)
      if line != state.line { manager.status(line) }
      state.line = line
      switch state.judge.judge(now, at: StateRecord.uptime()) {
      case .well:
        state.isWell = true
        manager.feedWatchdog()
      case .hangs(let sentence):
        if state.isWell { warn("the recorder hangs: \(sentence); camrec stops feeding systemd's watchdog") }
        state.isWell = false
        manager.status("hangs: \(sentence)")
      }
    }
  }

  package func end(_ state: RecorderState) { manager.stopping() }
}
