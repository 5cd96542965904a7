import Assembly
import Cameras
import Foundation
import Frames
import Movies
import Platform
package import SectionFile

/// Finds what two cameras of a rig cannot share.
package enum RigConflicts {
  /// - Parameters:
  ///   - cameras: also those with errors, as far as they can be read.
  ///   - looksAround: resolve symbolic links. A hanging disk then blocks this call.
  package static func findings(among cameras: [RigPlan.Camera], looksAround: Bool) -> [FileFinding] {
    guard cameras.count > 1 else { return [] }
    let absolute = { (path: String) in looksAround ? PathText(path).resolved : PathText(path).absolute }
    let date = Date()
    var findings: [FileFinding] = []
    findings += shared(cameras, "camera", device) {
      "the camera '\($0)' is already used by \($1); choose another one"
    }
    findings += shared(cameras, "microphone", microphone) {
      "the microphone '\($0)' is already used by \($1); set 'microphone: none' or choose another one"
    }
    findings += shared(cameras, "output", { output($0, date).map(absolute) }) {
      "the film '\($0)' is already used by \($1); choose another output"
    }
    findings += shared(cameras, "control", { $0.settings.control.flatMap { $0 == "none" ? nil : absolute($0) } })
    {
      "the control socket '\($0)' is already used by \($1); choose another one, or none"
    }
    findings += shared(cameras, "exposure-trace", { trace($0, date).map(absolute) }, .warning) {
      "the trace '\($0)' is already used by \($1), so one of them gets a number; choose another one"
    }
    findings += shared(cameras, "settings", { $0.settings.settingsFile.map(absolute) }) {
      "the settings file '\($0)' is already used by \($1); choose another one"
    }
    findings += shared(
      cameras, "state", { $0.settings.state.flatMap { $0 == "none" ? nil : absolute($0) } })
    {
      "the state file '\($0)' is already used by \($1); choose another one, or none"
    }
    findings += shared(cameras, "metrics", { $0.settings.metrics.map(absolute) }) {
      "the metrics file '\($0)' is already used by \($1); choose another one"
    }
    for camera in cameras where camera.settings.recording.source.camera == nil && !camera.refused.contains("camera") {
      findings.append(
        FileFinding(
          .error, camera.entry.place, key: "cameras.\(camera.name)",
          "a rig of several cameras needs each one's device: camera: /dev/v4l/by-id/… ('camrec devices' lists them)"))
    }
    return findings
  }

  /// One finding for each camera whose value an earlier camera already has.
  private static func shared(
    _ cameras: [RigPlan.Camera], _ key: String, _ value: (RigPlan.Camera) -> String?,
    _ severity: FileFinding.Severity = .error, _ sentence: (_ value: String, _ other: String) -> String
  ) -> [FileFinding] {
    var owners: [String: String] = [:]
    return cameras.compactMap { camera in
      guard !camera.refused.contains(key), let value = value(camera) else { return nil }
      guard let owner = owners[value] else {
        owners[value] = camera.name
        return nil
      }
      // A value from the defaults is reported at the camera's name.
      let setting = camera.entry.setting(key).flatMap { $0.isDefault ? nil : $0 }
      return FileFinding(
        severity, setting?.values.first?.place ?? camera.entry.place,
        key: "cameras.\(camera.name)" + (setting == nil ? "" : ".\(key)"), sentence(value, owner))
    }
  }

  private static func device(_ camera: RigPlan.Camera) -> String? {
    guard let address = camera.settings.recording.source.camera, let provider = CameraProviders.standard[address],
      provider.traits.isHardware
    else { return nil }
    return provider.place(of: address)?.written
  }

  /// `auto` is ALSA's default device, except for a simulated camera or a clip.
  private static func microphone(_ camera: RigPlan.Camera) -> String? {
    if camera.refused.contains("output") || camera.settings.recording.output.hasSuffix(".framemd5") { return nil }
    switch camera.settings.recording.microphone {
    case .named(let name): return name
    case .auto where camera.refused.contains("camera"): return nil
    case .auto: return CameraProviders.standard.hasOwnSound(camera.settings.recording.source.camera) ? nil : "default"
    case .none, .simulated: return nil
    }
  }

  private static func trace(_ camera: RigPlan.Camera, _ date: Date) -> String? {
    camera.settings.recording.exposureTrace.map { (try? OutputPath.filled($0, date)) ?? $0 }
  }

  private static func output(_ camera: RigPlan.Camera, _ date: Date) -> String? {
    try? OutputPath.filled(camera.settings.recording.output, date)
  }
}
