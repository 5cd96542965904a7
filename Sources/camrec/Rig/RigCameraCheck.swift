import ArgumentParser
import Cameras
import Foundation
import Frames
import MediaFFmpeg
import Movies
import Recorder
import SectionFile
import Telemetry

/// Everything that is wrong with what a rig file says of one camera, as far as that is seen without the camera.
struct RigCameraCheck {
  private let entry: SectionFile.Section
  private let added: [String]
  private var words: SectionArguments<RecordCommand>
  private var notes: [FileFinding] = []

  var findings: [FileFinding] { words.findings + notes }

  init(_ entry: SectionFile.Section, settings: String?, sockets: String?) {
    self.entry = entry
    words = SectionArguments(entry)
    var added: [String] = []
    func add(_ key: String, _ value: String?) {
      guard entry.setting(key) == nil, let value else { return }
      added.append("--\(key)=\(value)")
    }
    add("output", "\(entry.name)_%Y-%m-%d_%H-%M-%S.mov")
    add("settings", settings.map { "\($0)/\(entry.name).json" })
    add("control", sockets.map { "\($0)/\(entry.name).sock" } ?? "none")
    add("name", entry.name)
    add("state", sockets.map { "\($0)/\(entry.name)\(StateFile.suffix)" } ?? "none")
    self.added = added
  }

  /// - Returns: `nil` where something is wrong.
  mutating func run() -> RigPlan.Camera? {
    guard let command = words.parse(adding: added) else { return nil }
    check(command)
    guard findings.isEmpty else { return nil }
    noteKeptSettings(command)
    return RigPlan.Camera(name: entry.name, entry: entry, arguments: entry.arguments + added, command: command)
  }

  // MARK: What they mean

  private mutating func check(_ command: RecordCommand) {
    if let setting = entry.setting("output"), !OutputPath.changesEverySecond(command.output) {
      words.say(
        setting.values.first?.place ?? setting.place, setting,
        "each start of a rig begins a new film, and this name is always the same; put the time into it, as in "
          + "'\(entry.name)_%Y-%m-%d_%H-%M-%S.mov'")
    }
    do throws(CamrecError) {
      let films = try RecordedFilms(command.options, reporter: SilentReporter())
      try RigCameraCheck.checkEncoding(command)
      _ = try command.hooks.hook()
      if RigCameraCheck.canBeTried(command) {
        var order = FilmOrder(exposure: command.exposing.options)
        order.isTrial = true
        _ = try films.prepare(order)
      }
    } catch {
      let key: String? =
        switch error.code {
        case .input: error.message.contains("clip") ? "camera" : "lut"
        case .output: "output"
        default: nil
        }
      words.blame(error.description, key: key)
    }
  }

  /// What the next start begins with that is not in the file.
  private mutating func noteKeptSettings(_ command: RecordCommand) {
    guard let path = command.control.settings else { return }
    do throws(CamrecError) {
      let kept = try KeptSettings(path: path, command).entries()
      for entry in kept.holding {
        note("\(entry.key) will be \(entry.value), as it was set at run time; the file says \(KeptSettings.shown(entry.was))")
      }
    } catch {
      notes.append(
        FileFinding(
          .warning, entry.place, key: entry.path,
          "what was set at run time cannot be used: \(error.description)"))
    }
  }

  private mutating func note(_ sentence: String) {
    notes.append(
      FileFinding(
        .note, entry.place, key: entry.path,
        "\(sentence) ('camrec ctl --name \(entry.name) forget' ends that)"))
  }

  /// With the size and rate that were asked for, or the usual ones: what encoders refuse does not depend on the rest.
  private static func checkEncoding(_ command: RecordCommand) throws(CamrecError) {
    let output = try OutputPath(pattern: command.output, date: Date())
    let encoding = command.encoding.encoding
    let size = command.camera.size ?? .fullHD
    let layout = try MovieWriter.acceptedLayout(for: encoding, container: output.container, input: .nv12)
    let rate = if let asked = command.camera.fps { asked } else { try FrameRate(argument: "24") }
    let format = FrameFormat(width: size.width, height: size.height, layout: layout, color: .rec709)
    _ = try MovieWriter.check(
      MovieSettings(
        path: output.path, container: output.container, format: format, frameRate: rate, audio: nil, encoding: encoding,
        creationTime: 0, isLive: true))
  }

  /// A simulated camera or a clip is there already; nothing of this machine is opened.
  private static func canBeTried(_ command: RecordCommand) -> Bool {
    if case .named = command.sound.microphone { return false }
    switch command.camera.camera {
    case .simulated?, .clip?: return true
    case .device?, nil: return false
    }
  }
}
