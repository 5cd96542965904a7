import Cameras
import Exposure
import Foundation
package import Frames
package import Recorder
import Synchronization

/// Keeps settings that were changed at run time from one start of a recorder to the next.
///
/// Each is saved together with the value that the recorder was started with. If it is started with another value now,
/// that value wins, and the saved one is dropped: the latest change counts, wherever it was made.
///
/// Thread: any.
package final class KeptSettings: RecorderMemory {
  private let file: SettingsFile
  private let start: Start
  private let name: RecorderName?

  /// The values that it was started with, by the names of the options; empty for an option that was not given.
  package struct Start: Hashable, Sendable {
    package let exposure: ExposureOptions
    package let words: [String: String]

    package init(_ settings: RecordingSettings) {
      exposure = settings.exposure
      let source = settings.source
      var words = Start.words(of: exposure)
      words["camera"] = source.camera?.written ?? ""
      words["fps"] = source.frameRate?.description ?? ""
      words["size"] = source.size?.description ?? ""
      words["pixel-format"] = source.pixelFormat?.lowercased() ?? ""
      self.words = words
    }

    /// With enough digits to read the same values back: EV are counted in 1/1024.
    package static func words(of exposure: ExposureOptions) -> [String: String] {
      [
        "exposure": exposure.mode.rawValue, "shutter-angle": text(exposure.angle.degrees.doubleValue),
        "iso": exposure.iso.map(text) ?? "", "ev": text(exposure.bias.ev), "metering": exposure.metering.word,
        "exposure-lock": exposure.isLocked ? "on" : "off",
      ]
    }

    private static func text(_ number: Double) -> String {
      let digits = String(format: "%.4f", number)
      return String(digits.reversed().drop { $0 == "0" }.drop { $0 == "." }.reversed())
    }
  }

  /// In the order of restoring: the mode decides what else can be set.
  private static let ofExposure = ["exposure", "shutter-angle", "iso", "ev", "metering", "exposure-lock"]
  private static let ofSource = ["camera", "fps", "size", "pixel-format"]

  package var startExposure: ExposureOptions { start.exposure }

  /// - Parameter name: as the recorder was named, so that `camrec ctl` finds it among others.
  package init(path: String, _ settings: RecordingSettings, name: RecorderName? = nil) {
    file = SettingsFile(path: path)
    start = Start(settings)
    self.name = name
  }

  /// Reads the saved settings without applying them: those that still hold, and those that no longer do.
  ///
  /// - Throws: as `SettingsFile.read`.
  package func entries() throws(CamrecError) -> (
    holding: [SettingsFile.Entry], controls: [RecorderSettings.Control], outdated: [SettingsFile.Entry]
  ) {
    guard let contents = try file.read() else { return ([], [], []) }
    // Earlier versions kept an ISO without a value for a mode that has none.
    let settings = contents.settings.filter { !$0.value.isEmpty }
    let holding = settings.filter { start.words[$0.key] == $0.was }
    return (holding, contents.controls, settings.filter { start.words[$0.key] != $0.was })
  }

  /// The settings that the recorder starts with. Saved ones that no longer hold are removed from the file.
  ///
  /// - Parameters:
  ///   - check: throws if the source cannot be opened that way.
  ///   - warn: called with a sentence for each setting that is not restored, and if the file cannot be written.
  ///   - note: called with one sentence about all that are restored: nobody sees them on the command line.
  package func resume(
    check: (SourceChange) throws(CamrecError) -> Void, warn: (String) -> Void, note: (String) -> Void = { _ in }
  ) -> RecorderSettings {
    var settings = RecorderSettings(exposure: start.exposure), restored: [String] = []
    do throws(CamrecError) {
      let (holding, controls, outdated) = try entries()
      for entry in outdated {
        let (now, was) = (KeptSettings.shown(start.words[entry.key]), KeptSettings.shown(entry.was))
        warn("\(entry.key) is now \(now) instead of \(was), so the saved \(entry.value) is dropped")
      }
      if !outdated.isEmpty { forgetOutdated(holding, controls, warn: warn) }
      settings.controls = controls
      for key in KeptSettings.ofExposure {
        guard let entry = holding.first(where: { $0.key == key }) else { continue }
        do throws(CamrecError) {
          guard let change = try KeptSettings.change(entry) else { continue }
          try settings.exposure?.restore(change)
          restored.append(KeptSettings.words(entry) + condition(of: entry, among: holding))
        } catch {
          warn("cannot restore \(key) to \(entry.value): \(error.message)")
        }
      }
      let isLocked = settings.exposure?.mode == .locked
      let setsTime = holding.contains { $0.key == "exposure" || $0.key == "shutter-angle" }
      settings.exposure?.locksWithAngle = isLocked && setsTime
      settings.source = try source(holding)
      do throws(CamrecError) {
        if settings.source != SourceChange() { try check(settings.source) }
        restored += holding.filter { KeptSettings.ofSource.contains($0.key) }.map(KeptSettings.words)
      } catch {
        warn("cannot restore the saved camera settings: \(error.message)")
        settings.source = SourceChange()
      }
    } catch {
      warn("cannot restore the saved settings: \(error.description)")
    }
    restored += KeptSettings.named(settings.controls).map { "\($0.name) is \($0.value)" }
    if !restored.isEmpty {
      let list = restored.joined(separator: ", ")
      let command = name.map { "camrec ctl --name \($0) forget" } ?? "camrec ctl forget"
      note("camrec starts with saved settings: \(list); '\(command)' deletes them")
    }
    return settings
  }

  /// What the next start records from: the source that it is told, with the saved settings that still hold. Changes
  /// nothing, and the camera may be in use.
  ///
  /// - Returns: the source, and a few words for each saved setting in it.
  /// - Throws: as `SettingsFile.read`; if the camera cannot be opened that way, so that none of them would be restored.
  package func nextSource(
    _ told: SourceSettings, among providers: CameraProviders
  ) throws(CamrecError) -> (source: SourceSettings, saved: [String]) {
    let saved = try entries().holding.filter { KeptSettings.ofSource.contains($0.key) }
    guard !saved.isEmpty else { return (told, []) }
    let change = try source(saved)
    let address =
      if let text = change.camera { try providers.address(parsing: text) } else { try providers.chosen(told.camera) }
    let next = try told.changed(change, to: address, of: providers.provider(of: address))
    do throws(CamrecError) {
      try FilmSource.check(next, among: providers, colorIn: nil, hasLUT: false)
    } catch {
      guard error.reason == .inUse else { throw error }
    }
    return (next, saved.map(KeptSettings.words))
  }

  /// The end of a clause: when a saved setting comes into force that the mode of the start does not use; else empty.
  ///
  /// - Parameter holding: the saved settings that still hold.
  package func condition(of entry: SettingsFile.Entry, among holding: [SettingsFile.Entry]) -> String {
    let saved = holding.first { $0.key == "exposure" }.flatMap { ExposureOptions.Mode(rawValue: $0.value) }
    let options = ExposureOptions(mode: saved ?? start.exposure.mode)
    switch entry.key {
    case "ev", "metering": return options.followsLight ? "" : " as soon as the exposure follows the light"
    case "shutter-angle": return options.mode == .camera ? " as soon as camrec sets the exposure" : ""
    default: return ""
    }
  }

  private static func words(_ entry: SettingsFile.Entry) -> String {
    "\(entry.key) is \(entry.value)" + (entry.was.isEmpty ? "" : " instead of \(entry.was)")
  }

  /// Controls with their names in a sentence: of several cameras, each says which.
  package static func named(_ controls: [RecorderSettings.Control]) -> [(name: String, value: String)] {
    let isOfSeveral = Set(controls.map(\.camera)).count > 1
    return controls.map { (isOfSeveral ? "\($0.name) of \($0.camera)" : $0.name, $0.value) }
  }

  /// Otherwise an outdated setting would hold again once the recorder is started as before.
  private func forgetOutdated(
    _ holding: [SettingsFile.Entry], _ controls: [RecorderSettings.Control], warn: (String) -> Void
  ) {
    do throws(CamrecError) {
      try file.write(SettingsFile.Contents(settings: holding, controls: controls))
    } catch {
      warn(error.description)
    }
  }

  package func keep(_ settings: RecorderSettings?) throws(CamrecError) {
    guard let settings else {
      try file.write(SettingsFile.Contents())
      return
    }
    var words = start.words
    if let exposure = settings.exposure { words.merge(Start.words(of: exposure)) { $1 } }
    let source = settings.source
    words["camera"] = source.camera ?? words["camera"]
    words["fps"] = source.frameRate?.description ?? words["fps"]
    words["size"] = source.size ?? words["size"]
    words["pixel-format"] = source.pixelFormat ?? words["pixel-format"]
    var contents = SettingsFile.Contents(controls: settings.controls)
    for key in KeptSettings.ofExposure + KeptSettings.ofSource {
      // A mode that has no ISO of its own says so itself.
      guard let value = words[key], let was = start.words[key], value != was, !value.isEmpty else { continue }
      contents.settings.append(SettingsFile.Entry(key: key, value: value, was: was))
    }
    try file.write(contents)
  }

  /// A value in a sentence.
  package static func shown(_ word: String?) -> String { word.flatMap { $0.isEmpty ? nil : $0 } ?? "unset" }

  private static func change(_ entry: SettingsFile.Entry) throws(CamrecError) -> ExposureChange? {
    switch entry.key {
    case "exposure": .mode(try ExposureOptions.Mode(parsing: entry.value))
    case "shutter-angle": .angle(try ShutterAngle(parsing: entry.value))
    case "iso": .iso(try ExposureOptions.iso(parsing: entry.value))
    case "ev": .bias(try Stops(parsingBias: entry.value))
    case "metering": .metering(try MeteringMode(parsing: entry.value))
    case "exposure-lock": .lock(entry.value == "on")
    default: nil
    }
  }

  private func source(_ entries: [SettingsFile.Entry]) throws(CamrecError) -> SourceChange {
    var change = SourceChange()
    for entry in entries {
      switch entry.key {
      case "camera": change.camera = entry.value
      case "fps": change.frameRate = try FrameRate(argument: entry.value)
      case "size": change.size = try FrameSize(parsing: entry.value).description
      case "pixel-format": change.pixelFormat = entry.value
      default: break
      }
    }
    return change
  }
}
