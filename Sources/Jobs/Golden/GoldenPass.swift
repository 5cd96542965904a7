package import Assembly
import Bake
import Cameras
import Color
import Foundation
package import Frames
package import Goldens
import MediaFFmpeg
import Movies
import Platform
package import Recorder
import Reporting
import Sidecar
import Synchronization
import Verification

/// Takes a case's clip through decoder, bake and encoder like `camrec bake`, and writes a text for each stage.
package struct GoldenPass {
  private let entry: GoldenCase
  /// For temporary files.
  private let folder: String
  private let variant: GoldenVariant
  private let watch: Watch

  /// Lets the caller end a pass early.
  package struct Watch {
    /// Receives each session, so that it can be stopped; its output is then incomplete.
    package let begun: (RecordingSession) -> Void
    /// - Throws: code `interrupted` to end the pass.
    package let check: () throws(CamrecError) -> Void
  }

  package init(_ entry: GoldenCase, folder: String, variant: GoldenVariant, watch: Watch) {
    self.entry = entry
    self.folder = folder
    self.variant = variant
    self.watch = watch
  }

  /// The file of a stage's text.
  package func path(_ stage: GoldenStage) -> String { "\(folder)/\(entry.name).\(stage.rawValue)" }

  /// The case's film, if a stage needs one.
  package var film: String { "\(folder)/\(entry.name).mov" }

  package var sound: GoldenSound { GoldenSound(film: film, from: entry.settings.from, check: watch.check) }

  package func removeAll() {
    for path in GoldenStage.allCases.map(path) + [film] { try? FileManager.default.removeItem(atPath: path) }
  }

  /// - Throws: code `input`: the clip is missing, is not the suite's, is cut off, has a frame that does not decode, or
  ///   lacks what a stage needs; `usage`: its colours and the case's do not go together.
  package func run() throws(CamrecError) {
    try entry.checkClip()
    let flashes = entry.stages.contains(where: { $0 != .sidecar }) ? try make() : []
    try watch.check()
    if entry.stages.contains(.decoded) { try hashFilm() }
    if entry.stages.contains(.sound) { try write(sound.hashes(flashes: flashes).text, .sound) }
    if entry.stages.contains(.container) { try write(GoldenFacts(try FilmCheck.opening(film)).text, .container) }
    if entry.stages.contains(.sidecar) {
      let path = SidecarFile.path(ofFilm: entry.path)
      guard FileManager.default.fileExists(atPath: path) else {
        throw CamrecError(.input, "the clip has no sidecar; remove 'sidecar' from its stages")
      }
      var summary = try SidecarSummary(path: path)
      summary.lookIntoFilm()
      try write(GoldenFacts(summary).text, .sidecar)
    }
  }

  private func write(_ text: String, _ stage: GoldenStage) throws(CamrecError) {
    try AtomicFile(path: path(stage), mode: 0o600).replace(with: text.utf8)
  }

  /// Reads the clip, bakes it, and encodes it if a stage needs the film.
  ///
  /// - Returns: the times of flashes in seconds from the first frame, if a stage needs the film's audio.
  private func make() throws(CamrecError) -> [Double] {
    let hasFilm = entry.stages.contains(where: \.isOfFilm)
    let source = try open(hashing: entry.stages.contains(.read), wantsSound: hasFilm)
    var request = try request(output: hasFilm ? film : path(.baked) + ".framemd5", source.session)
    let baked = path(.baked)
    let flashes = entry.stages.contains(.sound) ? FlashWatch() : nil
    request.makeSink = { (settings) throws(CamrecError) in
      guard !hasFilm else { return try HashedSink(settings, hashes: baked, watch: flashes) }
      var settings = settings
      settings.path = baked
      return try FrameHashWriter.open(settings, together: true)
    }
    let lut = request.grade.lut
    let made = try run(source, request)
    try watch.check()
    if let wanted = entry.settings.frames, made < wanted {
      throw CamrecError(
        .input,
        "the clip '\(entry.path)' has only \(made) of the \(wanted) frames that the case needs"
          + (entry.settings.from > 0 ? " from frame \(entry.settings.from) on" : ""))
    }
    try checkSound(source)
    if let lut { try append(FrameHashes.line(lut: GoldenPass.fingerprint(of: lut)), .baked) }
    return flashes?.flashes ?? []
  }

  /// Of LUTs by their files' hashes: many cases share one.
  private static let fingerprints = Mutex<[String: String]>([:])

  private static func fingerprint(of lut: LookupTable) -> String {
    if let known = fingerprints.withLock({ $0[lut.sha256] }) { return known }
    let text = LUTFingerprint(lut).text
    fingerprints.withLock { $0[lut.sha256] = text }
    return text
  }

  /// - Throws: code `input` if audio that belongs to the frames cannot be read.
  private func checkSound(_ source: Source) throws(CamrecError) {
    guard let damage = (source.film.microphone as? ClipMicrophone)?.damage, !damage.isEmpty,
      case .pictures(let hashes) = try GoldenFolder.content(path(.baked), .baked)
    else { return }
    let start = source.clip.firstTime.advanced(by: -source.session.audioOffset)
    let end = start.advanced(by: Int64(saturating: hashes.seconds * 1e9))
    guard let first = damage.first(where: { $0.start < end && $0.end.map { start < $0 } != false }) else { return }
    throw CamrecError(.input, "the audio of the clip '\(entry.path)' cannot be read completely", cause: first.sentence)
  }

  private func append(_ line: String, _ stage: GoldenStage) throws(CamrecError) {
    let file = AtomicFile(path: path(stage), mark: .hashes(name: "hash recording"), mode: 0o600)
    try file.replace(with: try GoldenFolder.text(path(stage)) + Array(line.utf8))
  }

  /// Measures how similar a film's frames are to the baked ones.
  ///
  /// - Parameters:
  ///   - path: the film: the case's own, or a kept one.
  ///   - delays: of the baked frames relative to that film, if some of its frames were found again.
  package func measure(against path: String, delays: FrameDelays? = nil) throws(CamrecError) -> MeasuringSink {
    let source = try open(hashing: false, wantsSound: false)
    var request = try request(output: film, source.session)
    let sink = MeasuringSink(film: try ClipPictures(path: path), delays: delays)
    request.makeSink = { (settings) in
      sink.timeBase = settings.timeBase
      return sink
    }
    try run(source, request)
    try watch.check()
    return sink
  }

  /// Writes a lossless film of the baked frames, which does not have its name yet.
  func write(_ kept: KeptFilm) throws(CamrecError) {
    let source = try open(hashing: false, wantsSound: false)
    var request = try request(output: film, source.session)
    let part = kept.part
    request.makeSink = { (settings) throws(CamrecError) in
      var settings = settings
      (settings.path, settings.container, settings.overwrite) = (part, .mkv, true)
      settings.encoding = VideoEncoding(codec: .ffv1)
      return try FilmMaker.fileSink(settings)
    }
    try run(source, request, making: "'\(kept.path)'")
    try watch.check()
    // The same as the texts beside it.
    _ = unsafe chmod(part, 0o644)
  }

  /// Collects the frames to show.
  package func evidence(_ subject: StageEvidence.Subject) throws(CamrecError) -> StageEvidence {
    let source = try open(hashing: false, wantsSound: false)
    var request = try request(output: film, source.session)
    let frame = source.clip.frameRate.frameDuration.doubleValue
    let sink = ViewingSink(PictureMoments(subject.moments.map(\.seconds), frameDuration: frame))
    request.makeSink = { (settings) in
      sink.timeBase = settings.timeBase
      return sink
    }
    try run(source, request)
    let moments = PictureMoments(subject.moments.map(\.filmSeconds), frameDuration: frame)
    let others = try subject.film.map { (path) throws(CamrecError) in try views(of: path, at: moments) } ?? [:]
    // The golden is the kept film, or what the film should have been.
    let isKept = subject.stage == .baked
    let pairs = subject.moments.enumerated().map { (place, moment) in
      StageEvidence.Pair(
        seconds: moment.seconds, words: moment.words, golden: isKept ? others[place] : sink.views[place],
        got: isKept ? sink.views[place] : others[place])
    }
    return StageEvidence(subject: subject, pairs: pairs)
  }

  private func views(of path: String, at moments: PictureMoments) throws(CamrecError) -> [Int: PictureView] {
    let film = try ClipPictures(path: path)
    var views: [Int: PictureView] = [:]
    while views.count < moments.seconds.count, let picture = try film.next() {
      try watch.check()
      if let place = moments.place(of: Double(picture.time.ticks) * film.seconds) {
        views[place] = PictureView(picture.picture)
      }
    }
    return views
  }

  /// Hashes the baked frames, and nothing else.
  package func bake() throws(CamrecError) -> FrameHashes {
    let source = try open(hashing: false, wantsSound: false)
    var request = try request(output: film, source.session)
    let baked = path(.baked)
    request.makeSink = { (settings) throws(CamrecError) in
      var settings = settings
      (settings.path, settings.container, settings.overwrite) = (baked, .framemd5, true)
      return try FrameHashWriter.open(settings, together: true)
    }
    try run(source, request)
    guard case .pictures(let hashes) = try GoldenFolder.content(baked, .baked) else {
      throw CamrecError(.defect, "the bake has no frame hashes")
    }
    return hashes
  }

  /// Bakes one frame.
  ///
  /// - Parameters:
  ///   - number: from 0.
  ///   - change: changes the request.
  package func picture(
    _ number: Int, _ change: (inout FilmMaker.Request) -> Void = { _ in }
  ) throws(CamrecError) -> PictureSink {
    let source = try open(hashing: false, wantsSound: false, limit: Int64(number) + 1)
    var request = try request(output: film, source.session)
    change(&request)
    let sink = PictureSink(picture: number)
    request.makeSink = { _ in sink }
    try run(source, request)
    try watch.check()
    return sink
  }

  // MARK: Sessions

  private struct Source {
    let film: FilmSource
    let clip: ClipCamera
    let camera: HashingCamera?
    let session: SessionOptions
  }

  private func open(hashing: Bool, wantsSound: Bool, limit: Int64? = nil) throws(CamrecError) -> Source {
    let limit = limit ?? entry.settings.frames
    let session = SessionOptions(
      overload: .wait, limit: limit.map { .frames($0) }, audioOffset: entry.settings.file.audioOffset?.nanoseconds ?? 0)
    var film = try FilmSource.clip(
      entry.path, wantsSound: wantsSound, frames: FilmMaker.sourceFrames(session),
      keepsFullChroma: try MovieWriter.keepsFullChroma(entry.settings.encoding), keepsTimes: true,
      skipping: entry.settings.from, check: watch.check)
    guard let clip = film.clip else { throw CamrecError(.defect, "a clip is not read as one") }
    let camera = hashing ? try HashingCamera(clip, path: path(.read), limit: limit) : nil
    if let camera {
      film = FilmSource(camera: camera, microphone: film.microphone, clip: clip, isPulled: true, hasTwoClocks: false)
    }
    return Source(film: film, clip: clip, camera: camera, session: session)
  }

  /// - Parameter product: what is written, for people; `nil` for temporary files.
  /// - Returns: number of frames written.
  @discardableResult private func run(
    _ source: Source, _ request: FilmMaker.Request, making product: String? = nil
  ) throws(CamrecError) -> Int {
    let maker = try FilmMaker(source.film, request)
    let running = maker.session()
    watch.begun(running)
    let summary = running.run(observer: SilentReporter())
    if let failure = summary.failure {
      guard failure.code == .output else { throw failure }
      // The failure's own sentence says what is left of the film, but nothing of it is kept.
      let product = product ?? "a temporary file in '\(folder)'"
      throw CamrecError(
        .output, "\(product) cannot be written and is not kept; make room, or check the disk",
        cause: failure.cause ?? failure.message)
    }
    guard !maker.hasLostDevice else {
      throw CamrecError(.device, "the GPU failed during the bake, and frames from the CPU do not test it")
    }
    try source.camera?.finish()
    guard !source.clip.isCutOff else {
      throw CamrecError(
        .input, "the clip '\(entry.path)' is cut off", cause: source.clip.endWarnings.last)
    }
    let lost = summary.counts.totalLost
    guard lost == 0 else {
      throw CamrecError(
        .input, "\(lost) frame\(lost == 1 ? "" : "s") of the clip '\(entry.path)' cannot be decoded",
        cause: source.clip.endWarnings.first)
    }
    if let failure = summary.soundFailure { throw failure }
    return summary.counts.written
  }

  private func request(output: String, _ session: SessionOptions) throws(CamrecError) -> FilmMaker.Request {
    var bake = entry.settings.bake
    bake.workers = variant.workers
    bake.bakeOn = variant.place ?? .cpu
    return FilmMaker.Request(
      bake: bake, encoding: entry.settings.encoding, file: entry.settings.file,
      output: try OutputPath(pattern: output.replacing("%", with: "%%"), date: Date()), grade: try Grade(bake),
      session: session, isLive: false, hasSidecar: false, level: variant.level)
  }

  // MARK: The film

  private func hashFilm() throws(CamrecError) {
    let pictures = try ClipPictures(path: film)
    let writer = try FrameHashWriter.open(of: pictures.clip, to: path(.decoded))
    var start: Int64?
    var end: Int64 = 0
    while let decoded = try pictures.next() {
      try watch.check()
      let time = decoded.time
      start = start ?? time.ticks
      try writer.hash(decoded.picture, at: time.ticks - (start ?? 0))
      end = time.ticks - (start ?? 0) + time.duration
    }
    _ = try writer.finish(at: end)
  }
}
