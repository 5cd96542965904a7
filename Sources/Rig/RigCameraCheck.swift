package import Assembly
import Cameras
import Foundation
import Frames
import MediaFFmpeg
import Movies
import Platform
import Recorder
import RecorderRemote
import Reporting
package import SectionFile
import Telemetry

/// Checks a rig file's entry for one camera, as far as possible without the camera.
///
/// Mistakes in the file itself are errors. Problems with the files and folders that it names are faults: mounting a
/// disk later may solve them.
package struct RigCameraCheck {
  private let entry: SectionFile.Section
  private let added: [String]
  private var words: SectionArguments<ServiceSettings>
  private var notes: [FileFinding] = []
  /// The camera even if it has errors, as far as the entry can be read. Set by `run`.
  private(set) var readable: RigPlan.Camera?

  /// Without duplicates.
  package var findings: [FileFinding] {
    var said: Set<FileFinding> = []
    return (words.findings + notes).filter { said.insert($0).inserted }
  }

  private var hasErrors: Bool { findings.contains { $0.severity == .error } }

  /// - Parameters:
  ///   - settings, sockets: the folders of its settings and its control socket.
  ///   - states: the folder of its state file, where 'camrec status' and 'camrec ctl --name' find it.
  package init(
    _ entry: SectionFile.Section, _ language: SectionLanguage<ServiceSettings>, settings: String?, sockets: String?,
    states: String?
  ) {
    self.entry = entry
    words = SectionArguments(entry, language)
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

  /// - Parameter looksAround: also check the files and folders that the entry names. A hanging disk then blocks this
  ///   call.
  /// - Returns: `nil` if there is an error.
  package mutating func run(looksAround: Bool) -> RigPlan.Camera? {
    guard let settings = words.parse(adding: added) else {
      // Check the valid options anyway, so that one run reports all mistakes.
      if let rest = words.parseRest(adding: added) {
        let wrong = Set(words.findings.compactMap(\.key))
        let refused = entry.settings.filter { wrong.contains(entry.path(of: $0)) }.map(\.key)
        readable = camera(rest, refused: entry.refused.union(refused))
        look(at: rest, looksAround: looksAround)
      }
      return nil
    }
    readable = camera(settings, refused: entry.refused)
    look(at: settings, looksAround: looksAround)
    guard !hasErrors else { return nil }
    if looksAround { noteKeptSettings(settings) }
    return readable
  }

  private func camera(_ settings: ServiceSettings, refused: Set<String>) -> RigPlan.Camera {
    RigPlan.Camera(
      name: entry.name, entry: entry, arguments: entry.arguments + added, settings: settings, refused: refused)
  }

  private mutating func look(at settings: ServiceSettings, looksAround: Bool) {
    check(settings)
    if looksAround { lookAround(settings) }
  }

  // MARK: What they mean

  private mutating func check(_ settings: ServiceSettings) {
    // Segments continue after the highest number on disk.
    if let setting = entry.setting("output"), entry.setting("segment") == nil,
      !OutputPath.changesEverySecond(settings.recording.output)
    {
      words.say(
        setting.values.first?.place ?? setting.place, setting,
        "each start of the rig begins a new film, but this name is always the same; put the date and time in it, as in "
          + "'\(entry.name)_%Y-%m-%d_%H-%M-%S.mov', or set segment, which numbers the files")
    }
    checkEncoder(settings)
    attempt(settings, key: "timecode") { (settings) throws(CamrecError) in try RigCameraCheck.checkTimecode(settings) }
    if let pattern = settings.recording.exposureTrace, !OutputPath.changesEverySecond(pattern) {
      words.blame(
        "each start of the rig begins a new film, but this name is always the same, so later traces get a number;"
          + " put the date and time in it, as in '\(entry.name)_%Y-%m-%d_%H-%M-%S.trace'",
        key: "exposure-trace", severity: .warning)
    }
  }

  /// The encoder's checks end with the first mistake: each one is taken out, so that the next is found as well.
  private mutating func checkEncoder(_ settings: ServiceSettings) {
    func refusal(_ settings: ServiceSettings) -> CamrecError? {
      do throws(CamrecError) {
        try RigCameraCheck.checkEncoding(settings)
        return nil
      } catch { return error }
    }
    var rest = settings
    while let error = refusal(rest) {
      words.blame(error.description, key: "output", severity: error.code == .usage ? .error : .fault)
      guard let next = RigCameraCheck.withoutOne(rest).first(where: { refusal($0) != error }) else { return }
      rest = next
    }
  }

  /// The settings without one of those that an encoder may refuse. The size first: without a profile, the encoder may
  /// refuse it for another reason.
  private static func withoutOne(_ settings: ServiceSettings) -> [ServiceSettings] {
    var (size, rate, preset, profile) = (settings, settings, settings, settings)
    size.recording.source.size = nil
    rate.recording.encoding.rate = nil
    preset.recording.encoding.preset = nil
    profile.recording.encoding.profile = nil
    let encoding = settings.recording.encoding
    return [
      settings.recording.source.size == nil ? nil : size, encoding.rate == nil ? nil : rate,
      encoding.preset == nil ? nil : preset, encoding.profile == nil ? nil : profile,
    ].compactMap { $0 }
  }

  /// A trace never stops a recording, so its problems are only warnings.
  private mutating func checkTrace(_ settings: ServiceSettings) {
    guard let pattern = settings.recording.exposureTrace, !OutputPath.hasTimedFolder(pattern) else { return }
    do throws(CamrecError) {
      let path = try OutputPath.filled(pattern, Date(), isUTC: settings.recording.isUTC)
      _ = try ExposureTraceFile(path: path, overwrite: settings.recording.file.overwrite)
    } catch {
      let reason = error.naming(.exposureTrace, insteadOf: .output)
      words.blame(
        "recordings have no exposure trace: \(reason.description)", key: "exposure-trace", severity: .warning)
    }
  }

  /// Neither stops a recording, so what keeps them from being written is only a warning.
  private mutating func checkReports(_ settings: ServiceSettings) {
    check(settings.metrics, .metrics, "this camera has no metrics") { (path) throws(CamrecError) in
      try MetricsWriting.check(path: path)
    }
    // A recorder makes the folder of the usual one.
    guard entry.setting("state") != nil, settings.state != "none" else { return }
    check(settings.state, .state, "this camera has no state file") { (path) throws(CamrecError) in
      try StateFile(path: path).check()
    }
  }

  private mutating func check(
    _ path: String?, _ name: SettingName, _ outcome: String, _ file: (String) throws(CamrecError) -> Void
  ) {
    guard let path else { return }
    let files = FileManager.default, folder = PathText(path).folderOrDot
    func warn(_ reason: String) { words.blame("\(outcome): \(reason)", key: name.rawValue, severity: .warning) }
    guard files.isWritableFile(atPath: folder) else {
      let reason = OutputPath.refusal(path, files.fileExists(atPath: folder) ? EACCES : ENOENT)
      return warn(reason.naming(name, insteadOf: .output).message)
    }
    do throws(CamrecError) { try file(path) } catch { warn(error.naming(name, insteadOf: .output).description) }
  }

  private mutating func lookAround(_ settings: ServiceSettings) {
    checkTrace(settings)
    checkReports(settings)
    attempt(settings, key: "hook") { (settings) throws(CamrecError) in _ = try settings.hook.hook() }
    let hasPlace = attempt(settings, key: "output") { (settings) throws(CamrecError) in
      try RigCameraCheck.checkOutput(settings)
    }
    var recording = settings.recording
    let key = settings.recording.bake.look == nil ? "lut" : "look"
    let hasGrade = attempt(settings, key: key) { (_) throws(CamrecError) in
      _ = try RecordedFilms(recording, reporter: SilentReporter())
    }
    // Without it the film has the camera's colours.
    if !hasGrade { (recording.bake.lut, recording.bake.look, recording.bake.colorOut) = (nil, nil, nil) }
    guard RigCameraCheck.canBeTried(settings) else { return }
    var order = FilmOrder(exposure: settings.recording.exposure)
    order.isTrial = true
    func tryFilm(_ recording: RecordingSettings) throws(CamrecError) {
      _ = try RecordedFilms(recording, reporter: SilentReporter()).prepare(order)
    }
    do throws(CamrecError) {
      try tryFilm(recording)
    } catch where error.code == .output {
      if hasPlace { words.blame(error.description, key: "output", severity: .fault) }
      // The trial ended before the camera: repeat it with an output in the temporary folder.
      recording.output = FileManager.default.temporaryDirectory.path + "/%Y-%m-%d_%H-%M-%S."
        + PathText(settings.recording.output).kind
      attempt(settings, key: "camera") { (_) throws(CamrecError) in try tryFilm(recording) }
    } catch {
      words.blame(error.description, key: "camera", severity: error.code == .usage ? .error : .fault)
    }
  }

  /// Checks that a film could be created there, under the name that a recorder would give it now.
  private static func checkOutput(_ settings: ServiceSettings) throws(CamrecError) {
    _ = try FilmNames(
      pattern: settings.recording.output, isUTC: settings.recording.isUTC,
      isNumbered: settings.recording.segment != nil,
      overwrite: settings.recording.file.overwrite
    ).film(isFirst: true)
  }

  /// - Parameters:
  ///   - key: the key to blame if the message names no option.
  /// - Returns: whether `body` succeeded.
  @discardableResult private mutating func attempt(
    _ settings: ServiceSettings, key: String, _ body: (ServiceSettings) throws(CamrecError) -> Void
  ) -> Bool {
    do throws(CamrecError) {
      try body(settings)
      return true
    } catch {
      words.blame(error.description, key: key, severity: error.code == .usage ? .error : .fault)
      return false
    }
  }

  /// Notes the settings made at run time, which the next start uses instead of the file's.
  private mutating func noteKeptSettings(_ settings: ServiceSettings) {
    guard let path = settings.settingsFile else { return }
    do throws(CamrecError) {
      let memory = KeptSettings(path: path, settings.recording), kept = try memory.entries()
      for entry in kept.holding {
        let condition = memory.condition(of: entry, among: kept.holding), was = KeptSettings.shown(entry.was)
        note("\(entry.key) will be \(entry.value)\(condition), as set at run time; the file says \(was)")
      }
      for control in KeptSettings.named(kept.controls) {
        note("\(control.name) will be \(control.value), as set at run time")
      }
    } catch {
      notes.append(
        FileFinding(
          .warning, entry.place, key: entry.path,
          "settings made at run time cannot be used: \(error.description)"))
    }
  }

  private mutating func note(_ sentence: String) {
    notes.append(
      FileFinding(
        .note, entry.place, key: entry.path,
        "\(sentence) ('camrec ctl --name \(entry.name) forget' undoes that)"))
  }

  /// Uses the requested size and rate, or common ones: what encoders refuse depends on nothing else.
  private static func checkEncoding(_ settings: ServiceSettings) throws(CamrecError) {
    let output = try OutputPath(pattern: settings.recording.output, date: Date())
    let encoding = settings.recording.encoding
    let size = settings.recording.source.size ?? .fullHD
    let layout = try MovieWriter.acceptedLayout(for: encoding, container: output.container, input: .nv12)
    let rate = if let asked = settings.recording.source.frameRate { asked } else { try FrameRate(argument: "24") }
    let format = FrameFormat(width: size.width, height: size.height, layout: layout, color: .rec709)
    _ = try MovieWriter.check(
      MovieSettings(
        path: output.path, container: output.container, format: format, frameRate: rate, audio: nil, encoding: encoding,
        creationTime: 0, isLive: true))
  }

  /// If only the camera knows its rate, the timecode must exist at one common rate at least.
  private static func checkTimecode(_ settings: ServiceSettings) throws(CamrecError) {
    guard let timecode = settings.recording.file.timecode else { return }
    if let rate = settings.recording.source.frameRate {
      _ = try timecode.timecode(rate: rate, date: Date())
      return
    }
    if !canBeTried(settings) { try timecode.check() }
  }

  /// Whether a trial opens no hardware: only for a simulated camera or a clip, without a named microphone.
  private static func canBeTried(_ settings: ServiceSettings) -> Bool {
    if case .named = settings.recording.microphone { return false }
    guard let address = settings.recording.source.camera, let provider = CameraProviders.standard[address] else {
      return false
    }
    return !provider.traits.isHardware
  }
}
