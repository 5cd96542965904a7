import ArgumentParser
import Assembly
import Frames
import Triggers

/// What starts and stops films besides commands, the pre-roll, and the recording light.
struct TriggerOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "With --standby: each film begins this long before the start command, or up to a second earlier: 10s; at most"
        + " 10m. Default: none.",
      discussion: """
        Camera, bake and encoder run during standby, and camrec keeps their output in memory. When camrec starts, it \
        prints the most memory that this can take. After each film the camera runs on, and the next pre-roll begins \
        with the frame after the film's last one. --duration and --frames include the pre-roll; if it has that many \
        frames, the film ends right after its start.
        """, valueName: "TIME"),
    completion: .list(["10s", "30s", "1m"]), transform: TimeSpan.init(parsingPreRoll:))
  var preRoll: TimeSpan?

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "With --standby: record in this window: 08:00-18:00, 'mon-fri 08:00-18:00', 'sat,sun 22:00-02:00'; repeatable.",
      discussion: """
        Windows are in local time, or in UTC with --utc. The end of a window stops any film, unless another window \
        is open. If you stop a film yourself, or its --duration or --frames is over, camrec records again in the next \
        window; if a film fails, camrec tries again in the same window.
        """, valueName: "WINDOW"),
    transform: ScheduleWindow.init(parsing:))
  var schedule: [ScheduleWindow] = []

  @Option(
    help: ArgumentHelp(
      "React to signals. toggle: SIGUSR1 starts or stops a film; start-stop: SIGUSR1 starts one, SIGUSR2 stops it.",
      valueName: "MODE"))
  var signals: TriggerSettings.Signals?

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Start and stop films with a key or button of an input device: KEY_RECORD@/dev/input/event3; repeatable.",
      discussion: """
        Put start: or stop: before the key to make it do only that: stop:KEY_STOP@/dev/input/event3. If the device is \
        missing or goes away, camrec waits for it.
        """, valueName: "KEY@DEVICE"),
    transform: ButtonChoice.init(parsing:))
  var button: [ButtonChoice] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "With --button: how long it must stay down to count: 1ms to 1s. Default: 30ms.", valueName: "TIME"),
    transform: TimeSpan.init(parsingDebounce:))
  var buttonDebounce: TimeSpan?

  @Flag(help: "With --button: hide the input of the buttons' devices from other programs.")
  var buttonGrab = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The recording light: led:NAME in /sys/class/leds, or torch (the camera's); with a brightness in per cent:"
        + " led:tally@50.",
      discussion:
        "It is on while a film is recorded, and blinks slowly while the camera is missing or after a film has failed.",
      valueName: "LIGHT"),
    transform: LightChoice.init(parsing:))
  var light: LightChoice?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "With --light: how many times it blinks before it stays on: 0 to 10. Default: 3.", valueName: "N"),
    transform: { try WholeNumber.parse($0, "the number of blinks is", in: 0...10) })
  var lightBlinks: Int?

  /// The pre-roll is the films' own (`RecordingSettings`).
  var settings: TriggerSettings {
    var settings = TriggerSettings(
      schedule: schedule, signals: signals, buttons: button, grabsButtons: buttonGrab, light: light)
    if let buttonDebounce { settings.buttonDebounce = buttonDebounce }
    if let lightBlinks { settings.lightBlinks = lightBlinks }
    return settings
  }

  func validate() throws {
    if button.isEmpty, buttonDebounce != nil { throw ValidationError("--button-debounce requires --button") }
    if button.isEmpty, buttonGrab { throw ValidationError("--button-grab requires --button") }
    if light == nil, lightBlinks != nil { throw ValidationError("--light-blinks requires --light") }
  }
}

extension TriggerSettings.Signals: ExpressibleByArgument {}
