import Foundation
import Frames
import Platform
package import Recorder
import RecorderAPI
import Synchronization
import Terminal

/// Keeps a recorder's status line on the terminal, on a thread of its own. Thread: any.
package final class StatusDisplay: Sendable {
  private let isClosed = Atomic<Bool>(false)
  private let thread = Mutex<WorkThread?>(nil)

  private static let beat = Duration.milliseconds(200)
  /// Nanoseconds between two readings of the bitrate: a fragment is written once a second.
  private static let bitrateInterval: Int64 = 2_000_000_000

  /// - Parameter preRoll: seconds of pre-roll asked for.
  /// - Returns: `nil` if standard error is not a terminal.
  package init?(_ recorder: RecorderService, preRoll: Double?) {
    guard Console.error.redraws else { return nil }
    let isColored = (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty
    thread.withLock {
      $0 = WorkThread(name: "camrec-status") { [self] in
        var meter = BitrateMeter(), rate: Double?, read = MonotonicTime.now(), films = 0
        while !isClosed.load(ordering: .acquiring) {
          let state = recorder.ownState, now = MonotonicTime.now()
          if state.films != films {
            (meter, rate, read, films) = (BitrateMeter(), nil, now, state.films)
          } else if now - read >= StatusDisplay.bitrateInterval {
            rate = meter.megabitsPerSecond(bytes: state.bytes, seconds: state.seconds)
            read = now
          }
          let line = StatusLine(state, megabitsPerSecond: rate, preRoll: preRoll)
          Console.error.show(status: line.text(columns: Console.error.columns, isColored: isColored))
          WorkThread.sleep(StatusDisplay.beat)
        }
      }
    }
  }

  /// Takes the line away.
  package func close() {
    isClosed.store(true, ordering: .releasing)
    thread.withLock { $0 }?.join()
    Console.error.show(status: "")
  }
}
