import ArgumentParser
import Assembly
import MediaFFmpeg
import Movies
import Recorder
import Telemetry

/// How a recorder reduces its load if the machine cannot keep up.
struct ReliefOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "If the encoder falls behind: keep its preset, or use a faster one from the next segment on.",
      discussion: """
        The next segment begins within ten seconds, or at its own time if that is less than a minute away; without \
        --segment, the next film has the faster preset. After ten trouble-free minutes camrec returns to the original \
        preset, one step per segment. Until the next segment, and if there is no faster preset (ultrafast, ProRes, \
        FFV1), --on-overload decides. Default in a rig, for cameras with segment: faster.
        """, valueName: "ACTION"))
  var onSlowEncoder = ReliefSettings().onSlowEncoder

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Use fewer workers and faster presets before the machine gets hot enough to throttle. The limit: degrees C, auto"
        + " (the machine's own), or off. Default: off.",
      discussion: """
        camrec takes a step at 8, at 5 and at 2 °C below the limit. It takes a step back once the machine has been \
        5 °C cooler than at that step for two minutes. auto uses the trip points in /sys/class/thermal.
        """,
      valueName: "LIMIT"),
    completion: .list(["auto", "80", "off"]), transform: HeatLimit.init(parsing:))
  var heatLimit = ReliefSettings().heatLimit

  var settings: ReliefSettings { ReliefSettings(onSlowEncoder: onSlowEncoder, heatLimit: heatLimit) }
}

extension ReliefSettings.OnSlowEncoder: ExpressibleByArgument {}
