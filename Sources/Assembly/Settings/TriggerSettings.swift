package import Triggers

/// What starts and stops films besides commands, and the recording light.
package struct TriggerSettings: Hashable, Sendable, Codable {
  /// What SIGUSR1 and SIGUSR2 mean.
  package enum Signals: String, Hashable, Sendable, Codable, CaseIterable {
    /// SIGUSR1 starts or stops a film.
    case toggle
    /// SIGUSR1 starts a film, SIGUSR2 stops it.
    case startStop = "start-stop"
  }

  package var schedule: [ScheduleWindow] = []
  package var signals: Signals?
  package var buttons: [ButtonChoice] = []
  package var buttonDebounce = TimeSpan.usualDebounce
  /// Hides the input of the buttons' devices from other programs.
  package var grabsButtons = false
  package var light: LightChoice?
  /// How many times the light blinks before it stays on, 0 to 10.
  package var lightBlinks = 3

  package init(
    schedule: [ScheduleWindow] = [], signals: Signals? = nil, buttons: [ButtonChoice] = [],
    buttonDebounce: TimeSpan = TimeSpan.usualDebounce, grabsButtons: Bool = false, light: LightChoice? = nil,
    lightBlinks: Int = 3
  ) {
    self.schedule = schedule
    self.signals = signals
    self.buttons = buttons
    self.buttonDebounce = buttonDebounce
    self.grabsButtons = grabsButtons
    self.light = light
    self.lightBlinks = lightBlinks
  }
}
