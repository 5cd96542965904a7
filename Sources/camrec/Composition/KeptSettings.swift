import Cameras
import Exposure
import Foundation
import Frames
import Recorder
import Synchronization

/// Settings that were changed at run time, from one start of a recorder to the next.
///
/// Each is kept with what the recorder was started with at the time. Where that is another now, whoever wrote it meant
/// it: the kept one is forgotten. So the last word counts, wherever it was said.
///
/// Thread: any.
final class KeptSettings: RecorderMemory {
  private let file: SettingsFile
  private let start: Start

  /// What the command line says, by the names of its options; what it does not say is empty.
  struct Start: Hashable, Sendable {
    let exposure: ExposureOptions
    let words: [String: String]

    init(_ command: RecordCommand) {
      exposure = command.exposing.options
      let camera = command.camera
      var words = Start.words(of: exposure)
      words["camera"] =
        switch camera.camera {
        case .device(let path)?: path
        case .simulated(let options)?: options.isEmpty ? "sim" : "sim:\(options)"
        case .clip(let path)?: "clip:\(path)"
        case nil: ""
        }
      words["fps"] = camera.fps?.description ?? ""
      words["size"] = camera.size?.description ?? ""
      words["pixel-format"] = camera.pixelFormat?.lowercased() ?? ""
      self.words = words
    }

    /// With as many digits as reading them takes to give the same: EV count in 1/1024.
    static func words(of exposure: ExposureOptions) -> [String: String] {
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

  /// In the order in which they are set again: the mode decides what else can be.
  private static let ofExposure = ["exposure", "shutter-angle", "iso", "ev", "metering", "exposure-lock"]
  private static let ofSource = ["camera", "fps", "size", "pixel-format"]

  init(path: String, _ command: RecordCommand) {
    file = SettingsFile(path: path)
    start = Start(command)
  }

  /// What is kept, for who only wants to know: those that hold, and those that do not any more.
  ///
  /// - Throws: as `SettingsFile.read`.
  func entries() throws(CamrecError) -> (
    holding: [SettingsFile.Entry], controls: [RecorderSettings.Control], outdated: [SettingsFile.Entry]
  ) {
    guard let contents = try file.read() else { return ([], [], []) }
    let holding = contents.settings.filter { start.words[$0.key] == $0.was }
    return (holding, contents.controls, contents.settings.filter { start.words[$0.key] != $0.was })
  }

  /// What the recorder is to do from the start.
  ///
  /// - Parameters:
  ///   - check: whether a source can be opened so.
  ///   - warn: is given a sentence for each that is not set again.
  func resume(check: (SourceChange) throws(CamrecError) -> Void, warn: (String) -> Void) -> RecorderSettings {
    var settings = RecorderSettings(exposure: start.exposure)
    do throws(CamrecError) {
      let (holding, controls, outdated) = try entries()
      for entry in outdated {
        warn(
          "\(entry.key) is \(KeptSettings.shown(start.words[entry.key])) as it was asked for; the \(entry.value) that was set "
            + "while it was \(KeptSettings.shown(entry.was)) is forgotten")
      }
      settings.controls = controls
      for key in KeptSettings.ofExposure {
        guard let entry = holding.first(where: { $0.key == key }) else { continue }
        do throws(CamrecError) {
          if let change = try KeptSettings.change(entry) { try settings.exposure?.apply(change) }
        } catch {
          warn("\(key) was not set to \(entry.value) again: \(error.message)")
        }
      }
      settings.source = try source(holding)
      do throws(CamrecError) {
        if settings.source != SourceChange() { try check(settings.source) }
      } catch {
        warn("the camera is not switched again as it was while camrec ran: \(error.message)")
        settings.source = SourceChange()
      }
    } catch {
      warn("what was set while camrec ran is not set again: \(error.description)")
    }
    return settings
  }

  func keep(_ settings: RecorderSettings?) throws(CamrecError) {
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
      guard let value = words[key], let was = start.words[key], value != was else { continue }
      contents.settings.append(SettingsFile.Entry(key: key, value: value, was: was))
    }
    try file.write(contents)
  }

  /// For sentences.
  static func shown(_ word: String?) -> String { word.flatMap { $0.isEmpty ? nil : $0 } ?? "not said" }

  private static func change(_ entry: SettingsFile.Entry) throws(CamrecError) -> ExposureChange? {
    switch entry.key {
    case "exposure": .mode(try ExposureOptions.Mode(parsing: entry.value))
    case "shutter-angle": .angle(try ShutterAngle(parsing: entry.value))
    case "iso": entry.value.isEmpty ? nil : .iso(try ExposureOptions.iso(parsing: entry.value))
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
