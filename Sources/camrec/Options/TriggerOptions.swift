import ArgumentParser
import Frames
import Triggers

/// What begins and ends films beside commands, what they begin with, and what shows it.
struct TriggerOptions: ParsableArguments {
  /// What the signals mean.
  enum Signals: String, ExpressibleByArgument, CaseIterable {
    case toggle
    case startStop = "start-stop"
  }

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "With --standby: begin each film with the time before it was asked for, 10s; at most 10m. Default: none.",
      discussion: """
        Camera, bake and encoder run while camrec stands by; what they make is kept in memory, in no more than the start \
        says. After a film the camera is opened again, and the memory fills anew.
        """, valueName: "time"),
    completion: .list(["10s", "30s", "1m"]), transform: TimeSpan.init(parsingPreRoll:))
  var preRoll: TimeSpan?

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "With --standby: record in this window: 08:00-18:00, 'mon-fri 08:00-18:00', 'sat,sun 22:00-02:00'; repeatable.",
      discussion: """
        In local time, or with --utc in UTC. A film that is stopped in a window is not begun anew before the next one; \
        one that fails is.
        """, valueName: "days and times"),
    transform: ScheduleWindow.init(parsing:))
  var schedule: [ScheduleWindow] = []

  @Option(
    help: ArgumentHelp(
      "Follow signals. toggle: SIGUSR1 begins a film or ends it; start-stop: SIGUSR1 begins one, SIGUSR2 ends it.",
      valueName: "toggle|start-stop"))
  var signals: Signals?

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "A key or button of an input device begins and ends films: KEY_RECORD@/dev/input/event3; repeatable.",
      discussion: """
        start: or stop: in front of the key does only that: stop:KEY_STOP@/dev/input/event3. The device is waited for, and \
        looked for where it goes away.
        """, valueName: "key@device"),
    transform: ButtonChoice.init(parsing:))
  var button: [ButtonChoice] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How long a button has to be down to count: 1ms to 1s. Default: 30ms.", valueName: "time"),
    transform: TimeSpan.init(parsingDebounce:))
  var buttonDebounce = TimeSpan.usualDebounce

  @Flag(help: "Keep what the buttons' devices say from other programs.")
  var buttonGrab = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "A recording light: led:NAME of /sys/class/leds, or torch, the camera's; with a brightness in per cent: led:tally@50.",
      discussion:
        "It shines while a film is recorded, and blinks slowly while the camera is away or a film has failed.",
      valueName: "light"),
    transform: LightChoice.init(parsing:))
  var light: LightChoice?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How often the light blinks before it shines steadily: 0 to 10. Default: 3.", valueName: "N"),
    transform: { try WholeNumber.parse($0, "the number of blinks is", in: 0...10) })
  var lightBlinks = 3
}
