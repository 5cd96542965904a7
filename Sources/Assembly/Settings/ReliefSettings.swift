package import Frames
import MediaFFmpeg
package import Movies
package import Recorder
package import Telemetry

/// How a recorder reduces its load if the machine cannot keep up.
package struct ReliefSettings: Hashable, Sendable, Codable {
  package enum OnSlowEncoder: String, Hashable, Sendable, Codable, CaseIterable {
    case keep, faster
  }

  package var onSlowEncoder = OnSlowEncoder.keep
  package var heatLimit = HeatLimit.off

  package init(onSlowEncoder: OnSlowEncoder = OnSlowEncoder.keep, heatLimit: HeatLimit = HeatLimit.off) {
    self.onSlowEncoder = onSlowEncoder
    self.heatLimit = heatLimit
  }

  /// `nil` if neither load nor heat is to be followed.
  ///
  /// - Parameter workers: threads that bake.
  package func control(_ encoding: VideoEncoding, workers: Int) -> EffortControl? {
    guard onSlowEncoder == .faster || heatLimit != .off else { return nil }
    return EffortControl(
      presets: EncoderPresets.faster(from: encoding), workers: workers, easesLoad: onSlowEncoder == .faster)
  }

  /// Follows the machine's heat; `nil` if it is not to be followed.
  package func heatWatch(_ effort: EffortControl, _ recorder: RecorderService, warn: (String) -> Void) -> HeatWatch? {
    guard heatLimit != .off else { return nil }
    if let doubt = ReliefSettings.doubt(limit: heatLimit.celsius, among: ThermalZone.all()) { warn(doubt.withOptions) }
    return HeatWatch(effort, limit: heatLimit.celsius) { recorder.ease($0) }
  }

  /// Why the heat is not followed; `nil` if it is.
  ///
  /// - Parameter limit: as for `ThermalZone.nearest`.
  package static func doubt(limit: Double?, among zones: [ThermalZone]) -> Sentence? {
    guard ThermalZone.nearest(to: limit, among: zones) == nil else { return nil }
    let sentence: Sentence =
      zones.isEmpty
      ? "the kernel finds no thermometer in this machine; \(setting: .heatLimit) has no effect"
      : "no thermometer reports when this machine slows down; give a limit, as in \(setting: .heatLimit) 80"
    return sentence
  }
}

extension VideoEncoding {
  /// Uses the preset that load and heat require, if it is not the requested one.
  package mutating func take(_ take: EffortControl.Take) {
    if take.step > 0, let preset = take.preset { self.preset = preset }
  }
}
