import Frames
import Platform
package import Recorder
import RecorderAPI
import Triggers

/// Starts and stops films by signals, buttons and a schedule, besides the remotes, and runs the light that shows it.
/// Each trigger gives a `RecorderCommand`, and the film's sidecar names the trigger.
///
/// Thread: any. Each trigger waits for its commands on a thread of its own.
package final class RecorderTriggers: Sendable {
  private let buttons: [ButtonListener]
  private let signals: StartSignals?
  private let schedule: ScheduleWatch?
  private let light: RecordingLight?

  /// - Parameters:
  ///   - say: called with what started or stopped a film.
  ///   - warn: called with what was refused, and with what is wrong with a device.
  package init(
    _ settings: TriggerSettings, isUTC: Bool, for service: RecorderService, say: @escaping @Sendable (String) -> Void,
    warn: @escaping @Sendable (String) -> Void
  ) {
    let follow: @Sendable (ButtonChoice.Action, String) -> Void = { action, origin in
      RecorderTriggers.follow(action, by: origin, service, say: say, warn: warn)
    }
    buttons = settings.buttons.map { choice in
      ButtonListener(
        choice, debounce: settings.buttonDebounce.nanoseconds, grabs: settings.grabsButtons,
        pressed: { follow(choice.action, "button \(choice)") }, warn: warn)
    }
    signals = settings.signals.map { StartSignals($0, follow) }
    schedule =
      settings.schedule.isEmpty
      ? nil : ScheduleWatch(RecordingSchedule(settings.schedule), isUTC: isUTC, service, follow)
    light = settings.light.map {
      RecordingLight($0, LightPattern(startBlinks: settings.lightBlinks), of: service, warn: warn)
    }
  }

  package func close() {
    buttons.forEach { $0.close() }
    signals?.close()
    schedule?.close()
    light?.close()
  }

  /// A command for the present state is no mistake, and does nothing: two buttons may give the same one.
  private static func follow(
    _ action: ButtonChoice.Action, by origin: String, _ recorder: RecorderService,
    say: @Sendable (String) -> Void, warn: @Sendable (String) -> Void
  ) {
    let stands = recorder.ownState.phase == .standby
    let begins: Bool
    switch action {
    case .toggle: begins = stands
    case .start where stands: begins = true
    case .stop where !stands: begins = false
    case .start, .stop: return
    }
    do throws(CamrecError) {
      say("\(origin) \(begins ? "starts a film" : "stops the film")")
      try recorder.perform(begins ? .start : .stop, by: origin)
    } catch {
      warn("\(origin): \(error.description)")
    }
  }
}
