import ArgumentParser
import MediaFFmpeg
import Movies
import Recorder
import Telemetry

/// How a recorder reduces its load if the machine cannot keep up.
struct ReliefOptions: ParsableArguments {
  enum OnSlowEncoder: String, ExpressibleByArgument, CaseIterable {
    case keep, faster
  }

  @Option(
    help: ArgumentHelp(
      "If the encoder falls behind: keep its preset, or use a faster one from the next segment on.",
      discussion: """
        The next segment begins within ten seconds, or at its own time if that is less than a minute away; without \
        --segment, the next film has the faster preset. After ten trouble-free minutes camrec returns to the original \
        preset, one step per segment. Until the next segment, and if there is no faster preset (ultrafast, ProRes, \
        FFV1), --on-overload decides. In a rig, cameras with segment use faster unless you say otherwise.
        """, valueName: "ACTION"))
  var onSlowEncoder = OnSlowEncoder.keep

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Use fewer workers and faster presets before the machine gets hot enough to throttle. The limit: degrees C, auto"
        + " (the machine's own), or off. Default: off.",
      discussion: """
        camrec takes steps 8, 5 and 2 °C below the limit, and reverses them two minutes after the machine has cooled \
        by another 5 °C. auto uses the trip points in /sys/class/thermal.
        """,
      valueName: "LIMIT"),
    completion: .list(["auto", "80", "off"]), transform: HeatLimit.init(parsing:))
  var heatLimit = HeatLimit.off

  /// `nil` if neither load nor heat is to be followed.
  ///
  /// - Parameter workers: threads that bake.
  func control(_ encoding: VideoEncoding, workers: Int) -> EffortControl? {
    guard onSlowEncoder == .faster || heatLimit != .off else { return nil }
    return EffortControl(
      presets: EncoderPresets.faster(from: encoding), workers: workers, easesLoad: onSlowEncoder == .faster)
  }

  /// Follows the machine's heat; `nil` without --heat-limit.
  func heatWatch(_ effort: EffortControl, _ recorder: RecorderService, warn: (String) -> Void) -> HeatWatch? {
    guard heatLimit != .off else { return nil }
    if ThermalZone.nearest(to: heatLimit.celsius, among: ThermalZone.all()) == nil {
      warn(
        heatLimit.celsius == nil
          ? "no thermometer reports when this machine slows down; give a limit, as in --heat-limit 80"
          : "the kernel finds no thermometer in this machine; --heat-limit has no effect")
    }
    return HeatWatch(effort, limit: heatLimit.celsius) { recorder.ease($0) }
  }
}

extension VideoEncoding {
  /// Uses the preset that load and heat require, if it is not the requested one.
  mutating func take(_ take: EffortControl.Take) {
    if take.step > 0, let preset = take.preset { self.preset = preset }
  }
}
