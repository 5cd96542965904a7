import ArgumentParser
import Cameras
import Foundation
import Frames
import MediaFFmpeg
import Movies
import Recorder
import RigFile
import Telemetry

/// Everything that is wrong with what a rig file says of one camera, as far as that is seen without the camera.
///
/// The words are read by `camrec record` itself, so that a rig file and a command line can never differ.
struct RigCameraCheck {
  private let entry: RigFile.Camera
  private let added: [String]
  private(set) var findings: [RigFinding] = []

  init(_ entry: RigFile.Camera, settings: String?, sockets: String?) {
    self.entry = entry
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
    checkValues()
    guard findings.isEmpty, let command = parse() else { return nil }
    check(command)
    guard findings.isEmpty else { return nil }
    noteKeptSettings(command)
    return RigPlan.Camera(name: entry.name, entry: entry, arguments: entry.arguments + added, command: command)
  }

  // MARK: Words

  /// Each value by itself, so that all that are wrong are named at once.
  private mutating func checkValues() {
    for setting in entry.settings {
      for (value, argument) in zip(setting.values, setting.arguments) {
        guard let message = refusal([argument]), let sentence = RigCameraCheck.ofValue(message, setting.key) else {
          continue
        }
        say(value.place, setting, sentence + (sentence.contains("this is '") ? "" : "; this is '\(value.text)'"))
      }
    }
  }

  /// All of them together.
  private mutating func parse() -> RecordCommand? {
    do {
      return try RecordCommand.parse(entry.arguments + added)
    } catch {
      blame(RecordCommand.message(for: error))
      return nil
    }
  }

  private func refusal(_ arguments: [String]) -> String? {
    do {
      _ = try RecordCommand.parse(arguments)
      return nil
    } catch {
      return RecordCommand.message(for: error)
    }
  }

  /// What a parser says of a value: "The value 'x' is invalid for '--fps <rate>': …".
  private static func ofValue(_ message: String, _ key: String) -> String? {
    guard message.hasPrefix("The value '"), let name = message.range(of: "for '--\(key)"),
      let end = message.range(of: "'", range: name.upperBound..<message.endIndex)
    else { return nil }
    return String(message[end.upperBound...].drop { ":. ".contains($0) })
  }

  // MARK: What they mean

  private mutating func check(_ command: RecordCommand) {
    if let setting = entry.setting("output"), !OutputPath.changesEverySecond(command.output) {
      say(
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
      blame(error.description, key: key)
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
      findings.append(
        RigFinding(
          .warning, entry.place, key: "cameras.\(entry.name)",
          "what was set at run time cannot be used: \(error.description)"))
    }
  }

  private mutating func note(_ sentence: String) {
    findings.append(
      RigFinding(
        .note, entry.place, key: "cameras.\(entry.name)",
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

  // MARK: Findings

  private mutating func say(_ place: RigPlace, _ setting: RigFile.Setting, _ message: String) {
    findings.append(RigFinding(.error, place, key: entry.path(of: setting), message))
  }

  /// Finds the place of what is wrong by the options that the sentence names.
  private mutating func blame(_ message: String, key: String? = nil) {
    let named = message.matches(of: /--([a-z][a-z0-9-]*)/).compactMap { entry.setting(String($0.1)) }
    let setting = named.max { $0.place < $1.place } ?? key.flatMap { entry.setting($0) }
    // Keys have no dashes here.
    let sentence = message.replacing(/--([a-z][a-z0-9-]*)/) { "\($0.1)" }
    findings.append(
      RigFinding(
        .error, setting?.place ?? entry.place, key: setting.map { entry.path(of: $0) } ?? "cameras.\(entry.name)",
        sentence))
  }
}
