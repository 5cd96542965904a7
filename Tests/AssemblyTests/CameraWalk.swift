import Assembly
import Cameras
import Exposure
import Foundation
import Frames
import Movies
import Platform
import Recorder
import RecorderAPI
import Reporting
import Synchronization
import TestKit
import Testing

/// A recorder in standby with a camera that can be unplugged, and the plain model that it is compared with.
final class CameraWalk {
  enum Step: CaseIterable {
    case start, stop, look, leave, unplug, plug, rate, expose, mark, mute, unmute, refuse
  }

  /// What the recorder should do, in its simplest form.
  struct Model {
    let hasPreRoll: Bool
    var phase = RecorderState.Phase.standby
    var isPlugged = true
    /// The camera runs.
    var runs: Bool
    /// How often it was started.
    var starts: Int
    var films = 0

    init(hasPreRoll: Bool) {
      self.hasPreRoll = hasPreRoll
      runs = hasPreRoll
      starts = hasPreRoll ? 1 : 0
    }

    private mutating func opens() {
      guard !runs else { return }
      runs = true
      starts += 1
    }

    /// - Returns: whether the recorder accepts it.
    mutating func take(_ step: Step) -> Bool {
      switch step {
      case .start:
        guard phase == .standby, isPlugged else { return false }
        opens()
        films += 1
        phase = .recording
      case .stop:
        guard phase != .standby else { return false }
        phase = .standby
        if hasPreRoll, isPlugged { opens() }
      case .look:
        guard phase != .waiting, isPlugged else { return false }
        opens()
      case .unplug:
        isPlugged = false
        if phase == .recording { phase = .waiting }
        runs = false
      case .plug:
        isPlugged = true
        if phase == .waiting {
          films += 1
          phase = .recording
          opens()
        }
        if hasPreRoll { opens() }
      case .rate:
        guard phase != .waiting, isPlugged else { return false }
        runs = false
        if phase == .recording { films += 1 }
        if phase == .recording || hasPreRoll { opens() }
      case .mark: return phase == .recording
      case .refuse: return false
      case .expose, .leave, .mute, .unmute: break
      }
      return true
    }
  }

  /// Notes how films ended.
  final class Notes: Reporter {
    var films: [SessionSummary] = []
    var warnings: [String] = []
    func started(at time: MonotonicTime) {}
    func progressed(_ progress: SessionProgress) {}
    func warned(_ sentence: String) { warnings.append(sentence) }
    func prepared(_ description: RecordingDescription) {}
    func refused(_ error: CamrecError) { warnings.append(error.description) }
    func stopped(_ summary: SessionSummary, status: Reporting.ExitStatus) { films.append(summary) }
  }

  let camera: WalkingCamera
  let notes = Notes()
  private var model: Model
  private var random: SplitMix
  private let folder: TemporaryFolder
  let service: RecorderService
  private let thread: WorkThread
  private let failure: Failure
  /// The films' folder.
  var films: String { folder.path("films") }

  /// The path of a file beside that folder.
  func path(_ name: String) -> String { folder.path(name) }

  private var reader: TapReader?
  private var tap: FrameTap?
  private var isFast = false
  /// The steps so far, for messages.
  private(set) var steps: [Step] = []

  private final class Failure: Sendable {
    let error = Mutex<CamrecError?>(nil)
  }

  /// - Parameters:
  ///   - trace: the name of the exposure traces, beside the films' folder; `nil` makes none.
  ///   - rest: as of the recorder.
  ///   - name: of the films, as a pattern in UTC.
  ///   - hasOwnMode: as of the camera.
  init(
    seed: UInt64, hasPreRoll: Bool, size: String = "160x96", rate: String = "25", pixelFormat: String? = nil,
    lut: String? = nil, trace: String? = nil, rest: Double = 3600, name: String = "take.mov",
    hasOwnMode: Bool = false
  ) throws {
    model = Model(hasPreRoll: hasPreRoll)
    random = SplitMix(seed: seed)
    camera = try WalkingCamera(hasOwnMode: hasOwnMode)
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.path("films"), withIntermediateDirectories: true)
    let providers = CameraProviders([camera])
    let settings = RecordingSettings(
      source: SourceSettings(
        camera: try providers.address(parsing: "walk"), size: try FrameSize(parsing: size),
        frameRate: try FrameRate(argument: rate), pixelFormat: pixelFormat),
      exposureTrace: trace.map(folder.path), bake: BakeSettings(lut: lut), encoding: VideoEncoding(preset: "ultrafast"),
      output: folder.path("films/\(name)"), isUTC: true,
      preRoll: hasPreRoll ? TimeSpan(nanoseconds: 400_000_000) : nil)
    let films = Held(try RecordedFilms(settings, among: providers, reporter: notes))
    let service = RecorderService(
      RecorderSettings(exposure: settings.exposure), standsBy: true, awaitsCamera: true, keepsPreRoll: hasPreRoll,
      rest: rest)
    self.service = service
    let notes = Held(notes), failure = Failure()
    self.failure = failure
    thread = WorkThread(name: "recorder") {
      do throws(CamrecError) {
        try service.run(films.value, observer: notes.value)
      } catch {
        failure.error.withLock { $0 = error }
      }
    }
    try settle("the start")
  }

  /// Handed to the recorder's thread, and used by nobody else until that has ended.
  private final class Held<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
  }

  /// Walks at random, and ends the recorder.
  func run(steps count: Int) throws {
    for _ in 0..<count {
      guard let step = Step.allCases.randomElement(using: &random) else { return }
      try take(step)
    }
    try finish()
  }

  func take(_ step: Step) throws {
    steps.append(step)
    // Its folder cannot be taken away from a film that is recorded, or about to continue.
    if step == .refuse, model.phase != .standby { return }
    let isExpected = model.take(step), refusal = try perform(step)
    #expect((refusal == nil) == isExpected, "\(steps): \(refusal?.description ?? "accepted")")
    try settle("\(steps)")
  }

  private func perform(_ step: Step) throws -> CamrecError? {
    do throws(CamrecError) {
      switch step {
      case .start: try service.perform(.start)
      case .stop: try service.perform(.stop)
      case .look:
        let now = try service.runningCamera().tap
        if now !== tap { reader = now.captured.open() }
        tap = now
      case .leave: (reader, tap) = (nil, nil)
      case .unplug: camera.isAway = true
      case .plug: camera.isAway = false
      case .rate:
        let rate = try FrameRate(argument: isFast ? "25" : "30")
        try service.perform(.source(SourceChange(frameRate: rate)))
        isFast.toggle()
      case .expose: try service.perform(.exposure(.bias(Stops(random.unit() > 0.5 ? 0.5 : -0.5))))
      case .mark: try service.perform(.marker(nil))
      case .mute: camera.isMute = true
      case .unmute: camera.isMute = false
      case .refuse: try refuse()
      }
      return nil
    } catch {
      return error
    }
  }

  /// A start while there is a file where the films' folder was.
  private func refuse() throws(CamrecError) {
    let films = folder.path("films"), aside = folder.path("aside")
    rename(films, aside)
    _ = FileManager.default.createFile(atPath: films, contents: nil)
    defer {
      unlink(films)
      rename(aside, films)
    }
    try service.perform(.start)
  }

  /// Waits until the recorder is where the model is.
  private func settle(_ what: String) throws {
    func isSettled() -> Bool {
      let state = service.ownState
      guard state.phase == model.phase, state.films == model.films, camera.starts == model.starts else { return false }
      guard camera.running == (model.runs ? 1 : 0), (state.source != nil) == model.runs else { return false }
      guard model.phase != .recording || state.seconds > 0.2 else { return false }
      return model.phase != .standby || !model.hasPreRoll || !model.runs || (state.preRoll?.seconds ?? 0) > 0
    }
    for _ in 0..<6000 where !isSettled() { WorkThread.sleep(.milliseconds(10)) }
    let state = service.ownState
    let message = "\(what): \(state.phase), \(state.films) films, \(camera.starts) starts, \(camera.running) run; "
      + "expected \(model); \(notes.warnings.suffix(3))"
    #expect(isSettled(), "\(message)")
    guard isSettled() else { throw CamrecError(.defect, message) }
    // Whoever looks at a camera that runs gets its frames.
    guard model.runs, let reader, let now = (try? service.runningCamera())?.tap, now === tap else { return }
    var bytes: [UInt8] = []
    #expect(reader.copy(into: &bytes, within: 30) != nil, "\(what)")
  }

  /// Ends the recorder, and holds every film against its account.
  func finish() throws {
    _ = try? service.perform(.quit)
    thread.join()
    #expect(failure.error.withLock { $0 } == nil && camera.running == 0, "\(steps)")
    let films = notes.films.filter { $0.movie != nil }
    #expect(films.count == model.films, "\(steps)")
    for film in films {
      let counts = film.counts
      #expect(counts.expected == counts.written + counts.totalLost, "\(steps): \(counts)")
      #expect(film.movie?.frames == Int64(counts.written), "\(steps)")
      let sound = Double(film.sound?.frames ?? 0) / 48_000
      #expect(abs(sound - film.seconds) < 0.05, "\(steps): \(sound) s of audio, \(film.seconds) s of film")
    }
  }
}
