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
///
/// What the file alone shows to be wrong is an error. What is wrong with the files and folders that it names is a fault:
/// a disk that is mounted later mends it.
struct RigCameraCheck {
  private let entry: SectionFile.Section
  private let added: [String]
  private var words: SectionArguments<RecordCommand>
  private var notes: [FileFinding] = []

  var findings: [FileFinding] { words.findings + notes }

  private var hasErrors: Bool { findings.contains { $0.severity == .error } }

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

  /// - Parameter looksAround: reads what the file names, too. A disk that hangs then holds this up.
  /// - Returns: `nil` where there is an error.
  mutating func run(looksAround: Bool) -> RigPlan.Camera? {
    guard let command = words.parse(adding: added) else { return nil }
    check(command)
    guard !hasErrors else { return nil }
    if looksAround {
      lookAround(command)
      if !hasErrors { noteKeptSettings(command) }
    }
    guard !hasErrors else { return nil }
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
    attempt(command, key: "output") { (command) throws(CamrecError) in try RigCameraCheck.checkEncoding(command) }
    if let pattern = command.exposing.exposureTrace, !OutputPath.changesEverySecond(pattern) {
      words.blame(
        "each start of a rig begins a new film, and this name is always the same: further traces get a number; put the"
          + " time into it, as in '\(entry.name)_%Y-%m-%d_%H-%M-%S.trace'", key: "exposure-trace", severity: .warning)
    }
  }

  /// A trace stops no recording, so that whatever is wrong with it is a warning.
  private mutating func checkTrace(_ command: RecordCommand) {
    guard let pattern = command.exposing.exposureTrace, !OutputPath.hasTimedFolder(pattern) else { return }
    do throws(CamrecError) {
      let path = try OutputPath.filled(pattern, Date(), isUTC: command.utc)
      _ = try ExposureTraceFile(path: path, overwrite: command.file.overwrite)
    } catch {
      let reason = error.description.replacing("--output", with: "--exposure-trace")
      words.blame("recordings have no exposure trace: \(reason)", key: "exposure-trace", severity: .warning)
    }
  }

  private mutating func lookAround(_ command: RecordCommand) {
    checkTrace(command)
    attempt(command, key: "hook") { (command) throws(CamrecError) in _ = try command.hooks.hook() }
    var films: RecordedFilms?
    attempt(command, key: "lut") { (command) throws(CamrecError) in
      films = try RecordedFilms(command.options, reporter: SilentReporter())
    }
    guard let films else { return }
    if RigCameraCheck.canBeTried(command) {
      var order = FilmOrder(exposure: command.exposing.options)
      order.isTrial = true
      attempt(command, key: "camera", output: "output") { (_) throws(CamrecError) in _ = try films.prepare(order) }
    } else {
      attempt(command, key: "output") { (command) throws(CamrecError) in
        try OutputPath(pattern: command.output, date: Date(), isUTC: command.utc).check(overwrite: command.file.overwrite)
      }
    }
  }

  /// - Parameters:
  ///   - key: what is to blame where the sentence names no option.
  ///   - output: what is to blame for an output that cannot be made; `nil`: as well `key`.
  private mutating func attempt(
    _ command: RecordCommand, key: String, output: String? = nil, _ body: (RecordCommand) throws(CamrecError) -> Void
  ) {
    do throws(CamrecError) {
      try body(command)
    } catch {
      words.blame(
        error.description, key: error.code == .output ? output ?? key : key,
        severity: error.code == .usage ? .error : .fault)
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
