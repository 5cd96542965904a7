import Foundation
import Frames
import Platform
package import Recorder
import RecorderAPI
import Synchronization
import Terminal

/// Keeps a recorder's status line on the terminal. Thread: any.
package final class StatusDisplay: Sendable {
  private let tick: Tick

  /// Seconds between two lines.
  private static let interval = 0.2
  /// Nanoseconds between two readings of the bitrate: a fragment is written once a second.
  private static let bitrateInterval: Int64 = 2_000_000_000

  private struct Rate {
    var meter = BitrateMeter()
    var value: Double?
    var read = MonotonicTime.now()
    var films = 0
  }

  /// - Parameters:
  ///   - preRoll: seconds of pre-roll asked for.
  ///   - hasKeys: keys control the recorder, and the line names them.
  /// - Returns: `nil` if standard error is not a terminal.
  package init?(_ recorder: RecorderService, preRoll: Double?, hasKeys: Bool) {
    guard Console.error.redraws else { return nil }
    let isColored = (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty
    let shared = SharedRate(), absence = Mutex(AbsenceClock())
    tick = Ticker.shared.every(StatusDisplay.interval) {
      let state = recorder.ownState
      let absent = absence.withLock { $0.seconds(in: state.phase, at: .now()) }
      let line = StatusLine(
        state, megabitsPerSecond: shared.read(state), preRoll: preRoll, absentSeconds: absent, hasKeys: hasKeys)
      Console.error.show(status: line.text(columns: Console.error.columns, isColored: isColored))
    }
  }

  /// Takes the line away.
  package func close() {
    tick.close()
    Console.error.show(status: "")
  }

  private final class SharedRate: Sendable {
    private let rate = Mutex(Rate())

    /// Megabits per second; `nil` at the beginning of a film.
    func read(_ state: RecorderState) -> Double? {
      rate.withLock { rate in
        let now = MonotonicTime.now()
        if state.films != rate.films {
          rate = Rate(films: state.films)
        } else if now - rate.read >= StatusDisplay.bitrateInterval {
          rate.value = rate.meter.megabitsPerSecond(bytes: state.bytes, seconds: state.seconds)
          rate.read = now
        }
        return rate.value
      }
    }
  }
}
