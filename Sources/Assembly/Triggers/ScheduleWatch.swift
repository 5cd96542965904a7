import Dispatch
import Foundation
import Frames
import Platform
package import Recorder
import RecorderAPI
import Synchronization
package import Triggers

/// Checks the wall clock twice a second, and starts and stops films by a schedule.
///
/// Starts and stops run on a queue of their own, because they may take long. Thread: any.
package final class ScheduleWatch: Sendable {
  private let tick: Tick

  /// Seconds between two looks.
  private static let interval = 0.5

  package init(
    _ schedule: RecordingSchedule, isUTC: Bool, _ recorder: RecorderService,
    _ follow: @escaping @Sendable (ButtonChoice.Action, String) -> Void
  ) {
    let keeper = SharedKeeper(schedule), queue = DispatchQueue(label: "camrec-schedule")
    let offset: @Sendable (Int64) -> Int64 = { isUTC ? 0 : LocalTime.offset(at: $0) }
    tick = Ticker.shared.every(ScheduleWatch.interval) {
      // The system's time zone may change while camrec runs.
      LocalTime.renew()
      guard let action = keeper.look(ScheduleWatch.seen(recorder), offset: offset) else { return }
      queue.async {
        follow(action, "schedule")
        keeper.isDone()
      }
    }
  }

  package func close() { tick.close() }

  /// Does not look while a start or a stop is under way.
  private final class SharedKeeper: Sendable {
    private let state: Mutex<(keeper: ScheduleKeeper, isBusy: Bool)>

    init(_ schedule: RecordingSchedule) { state = Mutex((ScheduleKeeper(schedule), false)) }

    func look(_ recorder: ScheduleKeeper.Recorder, offset: (Int64) -> Int64) -> ButtonChoice.Action? {
      state.withLock { state in
        guard !state.isBusy else { return nil }
        let now = Int64(Date().timeIntervalSince1970.rounded(.down))
        let uptime = MonotonicTime.now().nanoseconds / 1_000_000_000
        let action: ButtonChoice.Action? =
          switch state.keeper.look(at: now, uptime: uptime, recorder, offset: offset) {
          case .start: .start
          case .stop: .stop
          case nil: nil
          }
        state.isBusy = action != nil
        return action
      }
    }

    func isDone() { state.withLock { $0.isBusy = false } }
  }

  private static func seen(_ recorder: RecorderService) -> ScheduleKeeper.Recorder {
    switch recorder.ownState.phase {
    case .standby: .idle(hasFailed: recorder.lastFilmFailed)
    case .recording, .waiting: .records
    case .starting: .starting
    case .stopping, .ended: .stopping
    }
  }
}
