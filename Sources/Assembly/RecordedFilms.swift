import Cameras
import Color
import Foundation
package import Frames
import MediaFFmpeg
import Movies
import Platform
package import Recorder
import RecorderAPI
package import Reporting

/// Makes the films of `camrec record` from its settings, one after another.
///
/// Thread: the one that runs the recorder.
package final class RecordedFilms: FilmFactory {
  private let settings: RecordingSettings
  private let providers: CameraProviders
  private let grade: Grade
  /// `nil` unless the options follow load or heat.
  package let effort: EffortControl?
  private let reporter: any Reporter
  /// `nil` if nothing will be recorded.
  private let space: SpaceKeeping?
  /// Files beside films that did not answer; a thread was left waiting for each.
  private var stalled: [StalledFile] = []
  /// Paths that do not answer; a thread that cannot be ended waits for each.
  package var stalledPaths: [String] {
    stalled.filter { $0.isStalled() }.map(\.path) + [naming.stalledPath, traces.stalledPath].compactMap(\.self)
  }
  /// The films' exit status: that of the first one that was not a success. A deleted film counts as copied until the
  /// recorder ends, when it shows whether it was.
  package private(set) var status = ExitStatus.success
  /// Of the film that was begun last, and when it was finished.
  package private(set) var last: (status: ExitStatus, time: MonotonicTime)?
  /// How many films were begun before that one.
  private var lastNumber = 0
  private let names: FilmNames
  /// Searches the films' folder for a free name.
  private let naming = PatientWorker(name: "camrec-names")
  /// Creates the folders of traces, which may lie on another disk.
  private let traces = PatientWorker(name: "camrec-traces")
  /// `nil` if nothing will be recorded.
  private let rescue: FilmRescue?
  /// What divides the films into segments, and the reason if that was not asked for.
  private let segments: (choice: SegmentChoice, reason: String?)?
  private var firstCamera: CameraAddress?
  /// The sources of the cameras that run: two, while one takes over from another.
  private var opened: [(session: CameraSession, source: FilmSource)] = []
  /// The identities of the cameras used so far, by the addresses given for them.
  private var keys: [CameraAddress: CameraKey] = [:]
  /// Their addresses now, if those have changed.
  private var places: [CameraAddress: CameraAddress] = [:]
  /// The first frame's timecode and time: later films count on from there.
  private let label: FilmLabel?
  /// The film that was prepared last; `nil` if its rate is not known.
  private var latest: MovieSettings?
  /// The pre-roll that was reported last.
  private var saidPreRoll: PreRollDescription?

  /// - Throws: what can be seen to be wrong with the settings without a camera.
  package init(
    _ settings: RecordingSettings, among providers: CameraProviders = .standard, reporter: any Reporter,
    space: SpaceKeeping? = nil, held: HeldFilms? = nil
  ) throws(CamrecError) {
    self.settings = settings
    self.providers = providers
    self.reporter = reporter
    effort = settings.relief.control(
      settings.encoding, workers: settings.bake.workerCount(cores: settings.encoding.cores))
    self.space = space
    segments = try RecordedFilms.segments(settings)
    names = FilmNames(
      pattern: settings.output, isUTC: settings.isUTC, isNumbered: segments != nil, overwrite: settings.file.overwrite,
      isSynchronized: { KernelClock.state?.isSynchronized ?? false })
    rescue = held.map { [names] in
      FilmRescue(
        freeName: { names.freeForCopy(ofFilm: $0) }, room: { [space] in space?.roomForCopy(beside: $0) }, held: $0)
    }
    if let space {
      let output = try names.film(isFirst: true)
      try output.makeFolders()
      space.begin(beside: output.path)
    }
    grade = try Grade(settings.bake)
    label = if case .label(let text)? = settings.file.timecode { FilmLabel(text) } else { nil }
  }

  package func prepare(_ order: FilmOrder) throws(CamrecError) -> PreparedFilm {
    let asked = try camera(order.source)
    let camera = try located(asked, isReturn: order.isReturn)
    let running = opened.first { $0.session === order.camera }
    // First, so that what is wrong with the folder is not taken for a camera that is still away.
    let returned = order.isReturn && running == nil ? try open(camera, order) : nil
    let replaces = settings.file.overwrite && order.number == 0
    let output = try naming.attempt(about: folder) { [names] () throws(CamrecError) in
      let output = try names.film(isFirst: order.number == 0, at: order.begin)
      // Checked again when the film's file is opened: another program may record into it by then.
      if replaces { try PartialFilm.checkReplacing(output.path) }
      if !order.isTrial { try output.makeFolders() }
      return output
    }
    if let file = camera.camera.flatMap({ providers[$0]?.file(of: $0) }), output.isSameFile(as: file) {
      throw CamrecError(
        .usage, about: .output, "'\(output.path)' is the clip itself; choose another \(setting: .output)")
    }
    var file = settings.file
    if order.number > 0 {
      file.overwrite = false
      // Only the first film begins with the timecode that was given.
      if label != nil { file.timecode = nil }
    }
    let claim = FilmClaim(names)
    let trace = order.isTrial || order.isStanding ? (path: nil, warning: nil) : exposureTrace()
    var request = FilmMaker.Request(
      bake: settings.bake, encoding: settings.encoding, file: file, output: output, grade: grade,
      session: settings.session, exposure: order.exposure, setting: order.setting,
      measurement: order.measurement, exposureTrace: trace.path, isContinued: order.number > 0,
      recording: order.recording, label: order.isTrial ? nil : label, isLive: true,
      isOfRig: settings.isOfRig, hasSidecar: settings.hasSidecar && output.container != .framemd5,
      segments: segments.map { FilmSegments.Request(choice: $0.choice, names: names, isUTC: settings.isUTC) },
      effort: effort,
      standing: order.isStanding ? standing(order) : nil,
      another: { () throws(CamrecError) in try claim.another(isFirst: order.number == 0, at: order.begin) },
      names: order.isTrial ? nil : names, rescue: order.isTrial ? nil : rescue,
      observers: [space?.films].compactMap(\.self))
    request.camera = running?.session
    var source = if let known = running?.source ?? returned { known } else { try open(camera, order) }
    request.keepsCamera = true
    request.sounds = order.sounds
    let bare = source
    if !order.isTrial { remember(asked) }
    source.warnings += [segments?.reason, trace.warning].compactMap(\.self)
    let maker = try FilmMaker(source, request)
    let before = (expected: space?.expectation, movie: latest)
    if !order.isTrial {
      let expected = maker.description.safety?.bytesPerSecond
      if order.isStanding {
        // Nobody has asked for it yet: its start makes room, or finds that there is none.
        space?.expect(output.path, bytesPerSecond: expected)
      } else {
        do throws(CamrecError) {
          try space?.admit(output.path, bytesPerSecond: expected)
        } catch {
          space?.expect(bytesPerSecond: before.expected)
          throw error
        }
      }
    }
    if !order.isTrial { latest = maker.description.safety == nil ? nil : maker.settings }
    if !order.isTrial, !order.isStanding { claim.take(output.path) }
    if let roll = maker.preRoll, roll != saidPreRoll {
      saidPreRoll = roll
      reporter.keeps(roll)
    }
    let session = maker.session()
    if !session.source.endsWithFilm, request.camera == nil { opened.append((session.source, bare)) }
    var film = PreparedFilm(
      session: session, path: output.path, source: RecorderState.Source(maker.description),
      address: camera.camera?.written,
      leftover: { [request] in request.leftover($0) }, announce: { [reporter] in maker.announce($0, to: reporter) },
      conclude: { [self] summary, isContinued in
        if !session.hasBegunMovie { claim.giveBack() }
        var ending = maker.conclude(summary, to: reporter)
        if summary.failure == nil, ending == .output { ending = .lost }
        // Frames are lost while the recorder waits for the camera. That is no failure, even if it never comes back: a
        // rig would restart a recorder that somebody has ended.
        if isContinued, [.success, .device].contains(ending) { ending = .lost }
        if status == .success { status = ending }
        // The film that it continues may be finished later.
        if order.number >= lastNumber { (last, lastNumber) = ((ending, .now()), order.number) }
        stalled += summary.stalled
      })
    film.modeRefusal = camera.camera.flatMap { providers[$0] }.flatMap { SourceSettings.modeRefusal(of: $0) }
    film.abandon = { [self] in
      claim.giveBack()
      // The film that is being recorded goes on.
      space?.expect(bytesPerSecond: before.expected)
      latest = before.movie
    }
    return film
  }

  private func open(_ camera: SourceSettings, _ order: FilmOrder) throws(CamrecError) -> FilmSource {
    try FilmSource.open(
      camera, among: providers, microphone: settings.microphone, reusing: order.microphones,
      colorIn: settings.bake.colorIn, hasLUT: grade.lut != nil,
      // A film that is being finished may still hold as many.
      frames: FilmMaker.sourceFrames(settings.session) * (order.overlaps ? 2 : 1),
      keepsFullChroma: try MovieWriter.keepsFullChroma(settings.encoding), isChange: order.source != SourceChange())
  }

  private var folder: String { PathText(settings.output).folderOrDot }

  /// The path of the film's trace, with the time filled in and its folders created; or a warning why there is none.
  private func exposureTrace() -> (path: String?, warning: String?) {
    guard let pattern = settings.exposureTrace else { return (nil, nil) }
    let isUTC = settings.isUTC
    do throws(CamrecError) {
      let place = try traces.attempt(about: PathText(pattern).folderOrDot) { () throws(CamrecError) in
        try OutputPath.makePlace(of: pattern, date: Date(), isUTC: isUTC)
      }
      return (place, nil)
    } catch {
      let reason = error.naming(.exposureTrace, insteadOf: .output)
      return (nil, "the recording has no exposure trace: \(reason.description)")
    }
  }

  /// A film in standby, which gets its name only when it starts; `nil` without a pre-roll.
  private func standing(_ order: FilmOrder) -> FilmMaker.Standing? {
    guard let preRoll = settings.preRoll else { return nil }
    return FilmMaker.Standing(
      seconds: preRoll.seconds, names: names, naming: naming, isFirst: order.number == 0,
      admit: { [space] (path) throws(CamrecError) in try space?.admit(path) })
  }

  /// Finds the camera again. One that was away may be plugged in elsewhere, or have a node of another number; its new
  /// address is kept.
  private func located(_ camera: SourceSettings, isReturn: Bool) throws(CamrecError) -> SourceSettings {
    guard let address = camera.camera, let key = keys[address], let provider = providers[address] else { return camera }
    if isReturn {
      guard let now = provider.address(of: key) else {
        throw CamrecError(.device, "the camera that was at \(address.written) is gone")
      }
      places[address] = now
    }
    var located = camera
    located.camera = places[address] ?? address
    return located
  }

  /// Remembers the identity of a camera that may come back at another address.
  private func remember(_ camera: SourceSettings) {
    guard let address = camera.camera, keys[address] == nil, let provider = providers[address],
      provider.traits.mayBeAway
    else { return }
    keys[address] = provider.key(of: address)
  }

  package func check(_ source: SourceChange) throws(CamrecError) {
    let changed = try located(try camera(source), isReturn: false)
    try FilmSource.check(changed, among: providers, colorIn: settings.bake.colorIn, hasLUT: grade.lut != nil)
    let output = try naming.attempt(about: folder) { [names] () throws(CamrecError) in
      try names.film(isFirst: false)
    }
    try space?.check(output.path, bytesPerSecond: bytesPerSecond(of: changed))
  }

  /// What is expected of a film in another mode; `nil` if that is not known.
  private func bytesPerSecond(of changed: SourceSettings) -> Double? {
    guard var movie = latest else { return nil }
    if let size = changed.size {
      movie.format = FrameFormat(
        width: size.width, height: size.height, layout: movie.format.layout, color: movie.format.color)
    }
    if let rate = changed.frameRate { movie.frameRate = rate }
    let room = DiskRoom(movie)
    return Double(room.bytes) / room.seconds
  }

  package func closed(_ camera: CameraSession) { opened.removeAll { $0.session === camera } }

  package func standsBy() { reporter.standsBy() }

  package func isSameCamera(_ one: SourceChange, _ other: SourceChange) -> Bool {
    func place(of source: SourceChange) -> CameraAddress? {
      let opened = (try? camera(source)).flatMap { try? located($0, isReturn: false) }
      return opened?.camera.flatMap { providers[$0]?.place(of: $0) }
    }
    let known = place(of: one)
    return known != nil && known == place(of: other)
  }

  /// The camera's settings, with the changes made since.
  private func camera(_ source: SourceChange) throws(CamrecError) -> SourceSettings {
    let address: CameraAddress
    if let text = source.camera {
      address = try providers.address(parsing: text)
    } else if let known = settings.source.camera ?? firstCamera {
      address = known
    } else {
      // The camera that came first then stays the chosen one.
      address = try providers.chosen(nil)
      firstCamera = address
    }
    return try settings.source.changed(source, to: address, of: providers.provider(of: address))
  }

  /// The segments asked for, within the disk's limit on the size of a file.
  private static func segments(_ settings: RecordingSettings) throws(CamrecError) -> (SegmentChoice, String?)? {
    let limit = FileSizeLimit.bytes(beside: settings.output)
    guard var choice = settings.segment else {
      guard let limit, limit.bytes == FileSizeLimit.fat else { return nil }
      return (
        SegmentChoice(length: nil, mostBytes: limit.bytes),
        "\(limit.reason): the recording continues in numbered files, without a gap"
      )
    }
    guard !settings.file.overwrite else {
      throw CamrecError(
        .usage, about: .overwrite,
        "\(setting: .overwrite) and \(setting: .segment) exclude each other: numbered files never replace others; "
          + "leave out \(setting: .overwrite)")
    }
    if let limit { choice.mostBytes = min(choice.mostBytes ?? .max, limit.bytes) }
    return (choice, nil)
  }
}
