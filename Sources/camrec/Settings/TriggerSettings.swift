import Triggers

/// What starts and stops films besides commands, and the recording light.
struct TriggerSettings: Hashable, Sendable, Codable {
  /// What SIGUSR1 and SIGUSR2 mean.
  enum Signals: String, Hashable, Sendable, Codable, CaseIterable {
    /// SIGUSR1 starts or stops a film.
    case toggle
    /// SIGUSR1 starts a film, SIGUSR2 stops it.
    case startStop = "start-stop"
  }

  var schedule: [ScheduleWindow] = []
  var signals: Signals?
  var buttons: [ButtonChoice] = []
  var buttonDebounce = TimeSpan.usualDebounce
  /// Hides the input of the buttons' devices from other programs.
  var grabsButtons = false
  var light: LightChoice?
  /// How many times the light blinks before it stays on, 0 to 10.
  var lightBlinks = 3
}
