import MediaFFmpeg
import Movies
import Recorder
import Telemetry

/// How a recorder reduces its load if the machine cannot keep up.
struct ReliefSettings: Hashable, Sendable, Codable {
  enum OnSlowEncoder: String, Hashable, Sendable, Codable, CaseIterable {
    case keep, faster
  }

  var onSlowEncoder = OnSlowEncoder.keep
  var heatLimit = HeatLimit.off

  /// `nil` if neither load nor heat is to be followed.
  ///
  /// - Parameter workers: threads that bake.
  func control(_ encoding: VideoEncoding, workers: Int) -> EffortControl? {
    guard onSlowEncoder == .faster || heatLimit != .off else { return nil }
    return EffortControl(
      presets: EncoderPresets.faster(from: encoding), workers: workers, easesLoad: onSlowEncoder == .faster)
  }

  /// Follows the machine's heat; `nil` if it is not to be followed.
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
