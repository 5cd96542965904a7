import Foundation
import Frames
import Platform
package import Recorder
import RecorderAPI
import Synchronization
package import Triggers

/// Checks the wall clock twice a second, and starts and stops films by a schedule.
///
/// Runs on a thread of its own. Thread: any.
package final class ScheduleWatch: Sendable {
  private let isClosed = Atomic<Bool>(false)

  private static let beat = Duration.milliseconds(500)

  package init(
    _ schedule: RecordingSchedule, isUTC: Bool, _ recorder: RecorderService,
    _ follow: @escaping @Sendable (ButtonChoice.Action, String) -> Void
  ) {
    _ = WorkThread(name: "camrec-schedule") { [weak self] in
      var keeper = ScheduleKeeper(schedule)
      // The system's time zone may change while camrec runs.
      let offset: (Int64) -> Int64 = { time in
        isUTC ? 0 : Int64(TimeZone.autoupdatingCurrent.secondsFromGMT(for: Date(timeIntervalSince1970: Double(time))))
      }
      while let self, !self.isClosed.load(ordering: .acquiring) {
        let now = Int64(Date().timeIntervalSince1970.rounded(.down)),
          uptime = MonotonicTime.now().nanoseconds / 1_000_000_000
        switch keeper.look(at: now, uptime: uptime, ScheduleWatch.seen(recorder), offset: offset) {
        case .start: follow(.start, "schedule")
        case .stop: follow(.stop, "schedule")
        case nil: break
        }
        WorkThread.sleep(ScheduleWatch.beat)
      }
    }
  }

  package func close() { isClosed.store(true, ordering: .releasing) }

  private static func seen(_ recorder: RecorderService) -> ScheduleKeeper.Recorder {
    switch recorder.ownState.phase {
    case .standby: .idle(hasFailed: recorder.lastFilmFailed)
    case .recording, .waiting: .records
    case .starting, .stopping, .ended: .busy
    }
  }
}
