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

  /// Each once, however often it was found.
  var findings: [FileFinding] {
    var said: Set<FileFinding> = []
    return (words.findings + notes).filter { said.insert($0).inserted }
  }

  private var hasErrors: Bool { findings.contains { $0.severity == .error } }

  /// - Parameters:
  ///   - settings, sockets: the folders of its settings and its control socket.
  ///   - states: the folder of its state file, where 'camrec status' and 'camrec ctl --name' find it.
  init(_ entry: SectionFile.Section, settings: String?, sockets: String?, states: String?) {
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
    add("state", states.map { "\($0)/\(entry.name)\(StateFile.suffix)" } ?? "none")
    self.added = added
  }

  /// - Parameter looksAround: reads what the file names, too. A disk that hangs then holds this up.
  /// - Returns: `nil` where there is an error.
  mutating func run(looksAround: Bool) -> RigPlan.Camera? {
    guard let command = words.parse(adding: added) else {
      // What is well in itself is looked at all the same: whatever is wrong is said at once.
      if let rest = words.parseRest(adding: added) { look(at: rest, looksAround: looksAround) }
      return nil
    }
    look(at: command, looksAround: looksAround)
    guard !hasErrors else { return nil }
    if looksAround { noteKeptSettings(command) }
    return RigPlan.Camera(name: entry.name, entry: entry, arguments: entry.arguments + added, command: command)
  }

  private mutating func look(at command: RecordCommand, looksAround: Bool) {
    check(command)
    if looksAround { lookAround(command) }
  }

  // MARK: What they mean

  private mutating func check(_ command: RecordCommand) {
    // The files of a recording in pieces go on behind the highest number that is there.
    if let setting = entry.setting("output"), entry.setting("segment") == nil,
      !OutputPath.changesEverySecond(command.output)
    {
      words.say(
        setting.values.first?.place ?? setting.place, setting,
        "each start of a rig begins a new film, and this name is always the same; put the time into it, as in "
          + "'\(entry.name)_%Y-%m-%d_%H-%M-%S.mov', or divide the recording with segment, which numbers its files")
    }
    attempt(command, key: "output") { (command) throws(CamrecError) in try RigCameraCheck.checkEncoding(command) }
    attempt(command, key: "timecode") { (command) throws(CamrecError) in try RigCameraCheck.checkTimecode(command) }
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
    let hasPlace = attempt(command, key: "output") { (command) throws(CamrecError) in
      try RigCameraCheck.checkOutput(command)
    }
    var options = command.options
    let hasLUT = attempt(command, key: "lut") { (_) throws(CamrecError) in
      _ = try RecordedFilms(options, reporter: SilentReporter())
    }
    if !hasLUT { options.bake.lut = nil }
    guard RigCameraCheck.canBeTried(command) else { return }
    var order = FilmOrder(exposure: command.exposing.options)
    order.isTrial = true
    func tryFilm(_ options: RecordedFilms.Options) throws(CamrecError) {
      _ = try RecordedFilms(options, reporter: SilentReporter()).prepare(order)
    }
    do throws(CamrecError) {
      try tryFilm(options)
    } catch where error.code == .output {
      if hasPlace { words.blame(error.description, key: "output", severity: .fault) }
      // The camera was not reached: it is tried with a film that could be anywhere.
      options.output = FileManager.default.temporaryDirectory.path + "/%Y-%m-%d_%H-%M-%S."
        + PathText(command.output).kind
      attempt(command, key: "camera") { (_) throws(CamrecError) in try tryFilm(options) }
    } catch {
      words.blame(error.description, key: "camera", severity: error.code == .usage ? .error : .fault)
    }
  }

  /// Whether a film could be made there. Numbered files replace none.
  private static func checkOutput(_ command: RecordCommand) throws(CamrecError) {
    try OutputPath(pattern: command.output, date: Date(), isUTC: command.utc).check(
      overwrite: command.file.overwrite || command.segments.segment != nil)
  }

  /// - Parameters:
  ///   - key: what is to blame where the sentence names no option.
  /// - Returns: whether it went well.
  @discardableResult private mutating func attempt(
    _ command: RecordCommand, key: String, _ body: (RecordCommand) throws(CamrecError) -> Void
  ) -> Bool {
    do throws(CamrecError) {
      try body(command)
      return true
    } catch {
      words.blame(error.description, key: key, severity: error.code == .usage ? .error : .fault)
      return false
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

  /// Where the camera says its rate and is not asked, the label has to exist at one of the usual ones at least.
  private static func checkTimecode(_ command: RecordCommand) throws(CamrecError) {
    guard let timecode = command.file.timecode else { return }
    if let rate = command.camera.fps {
      _ = try timecode.timecode(rate: rate, date: Date())
      return
    }
    guard !canBeTried(command) else { return }
    var refusal: CamrecError?
    for text in ["1000", "60000/1001", "30000/1001"] {
      do throws(CamrecError) {
        _ = try timecode.timecode(rate: try FrameRate(argument: text), date: Date())
        return
      } catch { refusal = error }
    }
    if let refusal { throw refusal }
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
