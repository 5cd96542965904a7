import Audio
import Bake
import BakeVulkan
package import Cameras
import Color
package import Exposure
package import Foundation
package import Frames
package import Kernels
import MediaFFmpeg
package import Movies
import Platform
package import Recorder
package import RecorderAPI
package import Reporting
import Sidecar

/// Sets up a recording from the options and an opened source, and makes the film.
///
/// The initializer finds everything that can be wrong; no file exists before the first frame has arrived.
package struct FilmMaker {
  private let source: FilmSource
  package let settings: MovieSettings
  private var parts: RecordingSession.Parts
  private let options: SessionOptions
  package var frameRate: FrameRate { settings.frameRate }
  package let description: RecordingDescription
  private let warnings: [String]
  /// The pre-roll of a film in standby; `nil` for others.
  package let preRoll: PreRollDescription?

  /// Gets a complete film before it has its name, and the path where it lies until then.
  package typealias Note =
    (_ summary: SessionSummary, _ status: ExitStatus, _ place: String) throws(CamrecError) -> Void
  /// Opens the source of a film; gets the film's path and whether there is a LUT.
  package typealias Opening = (_ output: OutputPath, _ hasLUT: Bool) throws(CamrecError) -> FilmSource

  /// The options, checked as far as that is possible without a camera.
  package struct Request {
    package var bake: BakeSettings
    package var encoding: VideoEncoding
    package var file: FileSettings
    package var output: OutputPath
    package var grade: Grade
    package var session: SessionOptions
    /// `nil` for clips that are baked.
    package var exposure: ExposureOptions?
    /// The last setting and measurement of the film that this one continues.
    package var setting: ExposureSetting?
    package var measurement: ExposureService.Measurement?
    package var exposureTrace: String?
    /// The camera that runs already.
    package var camera: CameraSession?
    /// Microphones that run already.
    package var sounds: [MicrophoneSession] = []
    /// The camera outlives the film.
    package var keepsCamera = false
    /// The same recorder has made films before, so an existing trace of this name causes no remark.
    package var isContinued = false
    /// The recording that this film is one of; `nil`: it begins one.
    package var recording: UUID?
    /// The timecode of a recording that may have several films.
    package var label: FilmLabel?
    /// Fragments while writing, for recordings; false for what can be baked again.
    package var isLive: Bool
    /// As `MovieSettings.isOfRig`.
    package var isOfRig: Bool
    /// What a full disk leaves of a bake plays, so that it can be kept.
    package var keepsPartial = false
    /// A sidecar beside the film.
    package var hasSidecar: Bool
    /// Divides the recording into files.
    package var segments: FilmSegments.Request?
    /// Reduces the effort under load and heat; `nil` leaves it as asked for.
    package var effort: EffortControl?
    /// Set for a film in standby, which starts on command and includes a pre-roll.
    package var standing: Standing?
    /// The film gets its name when it is complete. Until then an older film of that name keeps its sidecar.
    package var isPartial = false
    /// The clip's sidecar, to be carried over to the film's.
    package var carried: CarriedSidecar?
    /// The clip's chapters, by the film's times.
    package var chapters: [ClipChapter] = []
    /// Gives the next name if another program has just taken this one; `nil` if there is none.
    package var another: @Sendable () throws(CamrecError) -> OutputPath? = { nil }
    /// Names the file in which the recording continues if its film is deleted meanwhile; `nil`: there is no such file.
    package var names: FilmNames?
    /// Copies what such a film held; `nil` makes no copy.
    package var rescue: FilmRescue?
    /// Told of each file of the recording.
    package var observers: [any SegmentObserver] = []
    /// The instruction set of the bake; `nil`: the best, or what CAMREC_CPU names.
    package var level: KernelLevel?
    /// Swaps Cb and Cr.
    package var exchangesChroma = false
    /// Opens the sink for frames and audio.
    package var makeSink: @Sendable (MovieSettings) throws(CamrecError) -> any MovieSink = {
      (settings) throws(CamrecError) in try FilmMaker.fileSink(settings)
    }

    package init(
      bake: BakeSettings, encoding: VideoEncoding, file: FileSettings, output: OutputPath, grade: Grade,
      session: SessionOptions, exposure: ExposureOptions? = nil, setting: ExposureSetting? = nil,
      measurement: ExposureService.Measurement? = nil, exposureTrace: String? = nil, isContinued: Bool = false,
      recording: UUID? = nil, label: FilmLabel? = nil, isLive: Bool, isOfRig: Bool = false,
      keepsPartial: Bool = false, hasSidecar: Bool,
      segments: FilmSegments.Request? = nil, effort: EffortControl? = nil, standing: Standing? = nil,
      isPartial: Bool = false, carried: CarriedSidecar? = nil,
      another: @escaping @Sendable () throws(CamrecError) -> OutputPath? = { nil }, names: FilmNames? = nil,
      rescue: FilmRescue? = nil, observers: [any SegmentObserver] = [], level: KernelLevel? = nil,
      exchangesChroma: Bool = false,
      makeSink: @escaping @Sendable (MovieSettings) throws(CamrecError) -> any MovieSink = {
      (settings) throws(CamrecError) in try FilmMaker.fileSink(settings)
    }
    ) {
      self.bake = bake
      self.encoding = encoding
      self.file = file
      self.output = output
      self.grade = grade
      self.session = session
      self.exposure = exposure
      self.setting = setting
      self.measurement = measurement
      self.exposureTrace = exposureTrace
      self.isContinued = isContinued
      self.recording = recording
      self.label = label
      self.isLive = isLive
      self.isOfRig = isOfRig
      self.keepsPartial = keepsPartial
      self.hasSidecar = hasSidecar
      self.segments = segments
      self.effort = effort
      self.standing = standing
      self.isPartial = isPartial
      self.carried = carried
      self.another = another
      self.names = names
      self.rescue = rescue
      self.observers = observers
      self.level = level
      self.exchangesChroma = exchangesChroma
      self.makeSink = makeSink
    }
  }

  /// Opens the file that the settings name.
  package static func fileSink(_ settings: MovieSettings) throws(CamrecError) -> any MovieSink {
    settings.container == .framemd5 ? try FrameHashWriter.open(settings) : try MovieWriter.open(settings)
  }

  /// Whether the encoder copies each frame, as libx265 and FFV1 do, and so releases it at once.
  private static func encoderCopies(_ encoding: VideoEncoding) -> Bool {
    encoding.codec == .ffv1 || (encoding.codec == .hevc && encoding.encoder ?? "libx265" == "libx265")
  }

  /// Frames that an encoder holds besides those that wait for it. An encoder that does not copy may hold one per
  /// thread; libavcodec uses at most 16 threads.
  package static func framesInEncoder(_ encoding: VideoEncoding) -> Int {
    encoderCopies(encoding) ? 2 : min(ProcessInfo.processInfo.activeProcessorCount, 16) + 2
  }

  /// Files that may still be finishing while the next one records. An encoder that holds frames holds them there, too.
  private static func finishing(_ request: Request, isPulled: Bool) -> Int {
    if request.segments != nil { return encoderCopies(request.encoding) ? 2 : 1 }
    // When a deleted film continues in a new file, a camera may lose a frame: that is too rare to reserve memory for.
    return request.names != nil && isPulled ? 1 : 0
  }

  /// Frames that a source has to provide at once.
  package static func sourceFrames(_ options: SessionOptions) -> Int { options.capturedFrames + options.bakedFrames }

  /// Nanoseconds that a GPU may take for a frame. A camera's frames wait meanwhile, and as a rule none is lost. A GPU
  /// shared with other programs pauses for a few milliseconds now and then, so fast cameras allow at least 40 to 60 ms.
  private static func patience(_ source: FilmSource, _ request: Request, _ rate: FrameRate) -> ClosedRange<Int64> {
    guard request.isLive, !source.isPulled else { return VulkanBaker.longPatience...VulkanBaker.longPatience }
    let held = Double(request.session.capturedQueue) * rate.frameDuration.doubleValue * 1e9
    return Int64(max(held / 2, 40e6))...Int64(max(held * 3 / 4, 60e6))
  }

  package init(_ source: FilmSource, _ request: Request) throws(CamrecError) {
    let camera = source.camera.format, rate = try source.camera.filmRate
    try FilmMaker.check(request.session.limit, at: rate)
    var request = request
    if request.isLive { request.session.fitQueues(to: rate) }
    let asked = request.encoding, take = request.effort?.take ?? .asked
    request.encoding.take(take)
    let finishing = FilmMaker.finishing(request, isPulled: source.isPulled)
    let fillsGaps = request.session.fillsGaps
    let kept = FilmMaker.framesInEncoder(request.encoding) + (fillsGaps ? 1 : 0)
    let frames = request.session.bakedFrames + (1 + finishing) * kept
    let (input, converter) = try FilmMaker.input(camera, frames: frames)
    let told = request.bake.colorIn ?? source.clip.flatMap { ColorName(ofFilm: $0) }
    let colors = try ColorPlan(
      camera: input.color, colorIn: source.honorsColorIn ? nil : told, colorOut: request.bake.colorOut,
      changesColors: request.grade.changesColors, container: request.output.container)
    let layout = try MovieWriter.acceptedLayout(
      for: request.encoding, container: request.output.container, input: input.layout)
    var described = input
    described.color = colors.input
    let seen = described
    let isGuess = told == nil && (source.clip.map { !$0.saysItsColor } ?? camera.isColorGuessed)
    let patience = FilmMaker.patience(source, request, rate)
    let table = try request.grade.table(from: colors.input, to: colors.output)
    let baker = try Baker(
      input: described, outputLayout: layout, outputColor: colors.output, lut: table,
      interpolation: request.bake.interpolation, dither: request.bake.dither, grain: request.grade.grain,
      level: request.level,
      workers: request.bake.workerCount(cores: request.encoding.cores),
      frames: frames,
      // A camera has no buffers to spare for an encoder that keeps them.
      passesThrough: converter != nil || (FilmMaker.encoderCopies(request.encoding) && !fillsGaps),
      exchangesChroma: request.exchangesChroma, on: request.bake.bakeOn,
      makeDevice: { (kernel, frames) throws(CamrecError) in
        try VulkanBaker(kernel, frames: frames, library: try VulkanLibrary(), patience: patience)
      })
    let recordsSound = request.output.container != .framemd5
    let microphone = recordsSound ? source.microphone : nil
    let resampler = try FilmMaker.resampler(source, microphone)
    let settings = try FilmMaker.settings(
      source, request, rate, baker: baker, audio: resampler?.outputFormat ?? microphone?.format)
    let bound = try MovieWriter.check(settings)
    let dither = request.bake.dither, interpolation = request.bake.interpolation, grain = request.grade.grain
    let (level, exchangesChroma) = (request.level, request.exchangesChroma)
    let view = LiveView(
      rotation: settings.rotation, color: colors.input, software: "camrec \(Product.version)",
      softwareWithLook: request.grade.look?.software, isGraded: request.grade.changesColors,
      makeConverter: { () throws(CamrecError) in try ImageConverters.make(for: camera, frames: 1) },
      makeBaker: { () throws(CamrecError) in
        try Baker(
          input: seen, outputLayout: layout, outputColor: colors.output, lut: table,
          interpolation: interpolation, dither: dither, grain: grain, level: level, workers: 1, frames: 1,
          exchangesChroma: exchangesChroma)
      })
    let running = try FilmMaker.session(source, request, rate, converter, microphone, view)
    let isClip = source.clip != nil
    var clipBegin: (@Sendable () -> MonotonicTime)?
    if let clip = source.clip, !source.isPulled { clipBegin = { clip.begin } }
    let first = FirstFrameSettings(
      settings, timecode: request.file.timecode, label: request.label, isClip: isClip, hasOwnClock: source.isPulled,
      clipBegin: clipBegin)
    self.source = source
    self.settings = settings
    // A pulled source waits, and loses nothing.
    var options = request.session
    if source.isPulled { options.overload = .wait }
    self.options = options
    let (output, makeSink, another) = (request.output, request.makeSink, request.another)
    let look = request.grade.lookIdentity(width: input.width, height: input.height)
    // The film's own sidecar replaces an older film's, but not at once.
    let clearsSidecar = !request.isPartial && (!request.hasSidecar || request.file.overwrite)
    parts = RecordingSession.Parts(
      camera: source.camera, microphone: running.session.sound.map { FilmMicrophone($0) } ?? microphone,
      converter: converter, baker: baker, resampler: resampler,
      exposure: running.session.exposure,
      openSink: { (firstFrame) throws(CamrecError) in
        var settings = try first.at(firstFrame).settings
        settings.metadata += FilmMaker.tags(look?.from(frame: first.bakedFrame))
        return try FilmOpening.open(output, settings, makeSink, clearsSidecar: clearsSidecar, another: another)
      })
    parts.beginsWithFrame = { first.begins(withFrame: $0) }
    if let recording = request.recording ?? request.carried?.recording {
      parts.identity = RecordingIdentity(recording: recording)
    }
    (parts.source, parts.trace) = (running.session, running.trace)
    // A hash recording keeps none of the audio tracks.
    let unsaid = recordsSound ? nil : (source.microphone as? ClipMicrophone)?.leftOut
    let said = source.warnings.filter { $0 != unsaid }
    let warnings =
      said + (request.grade.lut?.warnings ?? []) + colors.warnings + running.warnings
      + (request.isLive ? FilmMaker.warnings(lossBound: bound, of: settings.lossLimit) : [])
      + (request.isLive && request.output.lacksLocks ? [FilmMaker.warningOfLocks(request.output)] : [])
      + FilmMaker.warnings(timecodeOf: source, in: settings) + FilmMaker.warnings(samplesOf: source, in: layout)
      + FilmMaker.warnings(of: request, colors: colors, from: source, isGuess: isGuess)
      + FilmMaker.warnings(looksOf: source, and: request.grade)
    let description = RecordingDescription(
      identity: parts.identity, camera: source.camera.name, microphone: microphone?.name,
      leavesOutAudio: !recordsSound && source.microphone != nil, width: camera.width, height: camera.height,
      frameRate: rate, pixelFormat: FilmMaker.pixelFormat(of: source),
      colorIn: ColorName.name(of: colors.input), isColorInGuessed: isGuess,
      colorOut: ColorName.name(of: colors.output),
      lut: request.grade.lut.map { LUTIdentity(title: $0.title, sha256: $0.sha256) }, look: look,
      bakedOn: baker.deviceName,
      exposure: running.session.exposure?.summary,
      // A hash is of the frames that an encoder would get.
      codec: request.output.container == .framemd5 ? "rawvideo" : request.encoding.codec.rawValue,
      output: request.output.path,
      safety: request.isLive && settings.container != .framemd5
        ? RecordingDescription.Safety(
          lossLimit: settings.lossLimit, lossBound: bound, bufferBytes: DiskRoom(settings).bytes,
          bufferSeconds: DiskRoom(settings).seconds)
        : nil)
    self.warnings = warnings
    self.description = description
    parts.path = settings.path
    (parts.effort, parts.effortTake) = (request.effort, take)
    parts.hasFasterPreset = EncoderPresets.hasFaster(than: request.encoding)
    parts.observers = request.observers
    parts.chapters = request.chapters
    parts.keepsMarkers = settings.container != .framemd5
    parts.timecode = { (origin, frame) in
      (try? first.at(origin))?.settings.timecode?.advanced(by: Int(frame), at: settings.frameRate)
    }
    parts.date = { (origin, seconds) in (try? first.at(origin))?.date(after: seconds) }
    let names = request.segments?.names ?? request.standing?.names ?? request.names
    var further = settings
    further.encoding = asked
    let files = names.map {
      FilmSegments(
        further, first, description, output: request.output, names: $0, hasSidecar: request.hasSidecar,
        effort: request.effort)
    }
    if let segments = request.segments {
      parts.segments = files?.plan(
        segments.choice, mostFinishing: finishing,
        timeOfDay: { time in first.timeOfDay(at: time, isUTC: segments.isUTC) })
    } else if request.names != nil {
      parts.continuation = files?.plan(
        SegmentChoice(length: nil, mostBytes: nil), mostFinishing: 1, timeOfDay: { _ in 0 })
    }
    parts.rescue = request.rescue
    if let standing = request.standing, let files {
      let made = try FilmMaker.plan(standing, settings, files, warnings: warnings)
      (parts.standing, preRoll) = (made.plan, made.description)
      parts.path = ""
    } else {
      preRoll = nil
    }
    if let files, !request.file.overwrite, request.standing == nil {
      parts.prepareFile = { () throws(CamrecError) in
        try FilmNameRace.run(
          output,
          another: { () throws(CamrecError) -> OutputPath? in
            let other = try another()
            try other?.makeFolders()
            return other
          },
          open: { (output) throws(CamrecError) in try files.first(output, warnings: warnings) }
        ).file
      }
    }
    guard request.hasSidecar else { return }
    let carried = request.carried
    let guess = isGuess && carried != nil ? source.clip.map { FilmMaker.note(ofGuess: colors.input, for: $0) } : nil
    parts.openSidecar = { (firstFrame, path) throws(CamrecError) in
      var description = description
      description.output = path
      description.look = description.look?.from(frame: first.bakedFrame)
      let head = try first.at(firstFrame).head(of: description)
      let sidecar =
        if let carried {
          try carried.writer(head)
        } else {
          try SidecarWriter(film: path, head: head, isHeldBack: true)
        }
      if let guess { sidecar.append(.note(guess, seconds: 0)) }
      for warning in warnings { sidecar.append(.warning(warning, seconds: 0)) }
      return sidecar
    }
  }

  /// The camera with its exposure: the one that runs already, or a new one.
  private static func session(
    _ source: FilmSource, _ request: Request, _ rate: FrameRate, _ converter: (any ImageConverter)?,
    _ microphone: (any Microphone)?, _ view: LiveView
  ) throws(CamrecError) -> (session: CameraSession, trace: ExposureTraceFile?, warnings: [String]) {
    if let running = request.camera {
      guard let exposure = running.exposure else { return (running, nil, []) }
      let (trace, remark) = trace(request)
      return (running, trace, exposure.warnings + [remark].compactMap(\.self))
    }
    let exposure = try exposure(source, request)
    // A clip, and a camera that waits, begin again with each film.
    let outlivesFilm = request.keepsCamera && !source.isPulled && source.clip == nil
    // Films have converters of their own, which two films that overlap could not share.
    let own = outlivesFilm && converter != nil ? try ImageConverters.make(for: source.camera.format, frames: 2) : nil
    let isShared = outlivesFilm && microphone.map { !$0.isPulled } ?? false
    let sound = microphone.flatMap { microphone in
      isShared
        ? request.sounds.first { $0.microphone === microphone }
          ?? MicrophoneSession(microphone, frameRate: rate) : nil
    }
    let session = CameraSession(
      source.camera, exposure: exposure.service, converter: own ?? converter, isPulled: source.isPulled,
      endsWithFilm: !outlivesFilm, sound: sound, view: view)
    return (session, exposure.service?.trace, exposure.warnings)
  }

  /// Sets the camera up, as the last step before it starts: an earlier failure leaves it untouched.
  private static func exposure(
    _ source: FilmSource, _ request: Request
  ) throws(CamrecError) -> (service: ExposureService?, warnings: [String]) {
    guard let options = request.exposure else { return (nil, []) }
    if source.clip != nil { return (nil, warnings(ofClipExposedBy: options)) }
    if source.isPulled, case .encoded = source.camera.format.image, options.mode != .camera {
      return (
        nil, ["the exposure does not follow the light: camrec cannot meter the encoded frames of a pulled camera"]
      )
    }
    let (trace, remark) = FilmMaker.trace(request)
    let opened = try ExposureService.open(
      source.camera, options: options, startingFrom: request.setting, measured: request.measurement,
      trace: trace)
    return (opened.service, (opened.service?.warnings ?? []) + [opened.sentence, remark].compactMap(\.self))
  }

  /// Opens the exposure trace. A failure never stops a recording; it becomes a warning.
  private static func trace(_ request: Request) -> (file: ExposureTraceFile?, remark: String?) {
    guard let path = request.exposureTrace else { return (nil, nil) }
    do throws(CamrecError) {
      let overwrite = request.file.overwrite
      let file = try PatientWorker(name: "camrec-trace").attempt(about: path) { () throws(CamrecError) in
        try ExposureTraceFile(path: path, overwrite: overwrite)
      }
      return (file, request.isContinued ? nil : file.remark)
    } catch {
      return (nil, "the recording has no exposure trace: \(error.description)")
    }
  }

  /// Names exposure options that were given for a clip, where they have no effect.
  private static func warnings(ofClipExposedBy options: ExposureOptions) -> [String] {
    let usual = ExposureOptions()
    var asked: [Sentence] = []
    if options.mode != usual.mode, options.mode != .camera {
      asked.append("\(setting: .exposure) \(options.mode.rawValue)")
    }
    if options.angle != usual.angle { asked.append("\(setting: .shutterAngle)") }
    if options.iso != usual.iso { asked.append("\(setting: .iso)") }
    if options.bias != usual.bias { asked.append("\(setting: .ev)") }
    if options.metering != usual.metering { asked.append("\(setting: .metering)") }
    if options.mains != usual.mains { asked.append("\(setting: .mains)") }
    if options.locksWhileRecording { asked.append("\(setting: .lockExposureWhileRecording)") }
    if options.baseISO != usual.baseISO { asked.append("\(setting: .baseISO)") }
    guard let last = asked.last else { return [] }
    var names = asked[0]
    for name in asked.dropFirst().dropLast() { names = "\(sentence: names), \(sentence: name)" }
    if asked.count > 1 { names = "\(sentence: names) and \(sentence: last)" }
    let sentence: Sentence = "\(sentence: names) \(asked.count == 1 ? "has" : "have") no effect on a clip"
    return [sentence.withOptions]
  }

  /// Whether the GPU failed. Read it after the session has ended.
  package var hasLostDevice: Bool { parts.baker.hasLostDevice }

  /// A session that makes the film.
  package func session() -> RecordingSession {
    RecordingSession(parts: parts, options: options, timeBase: settings.timeBase)
  }

  /// - Parameter path: where the film goes.
  package func announce(_ path: String, to reporter: any Reporter) {
    var description = description
    description.output = path
    // In standby the camera runs before its film begins, and may have been set since.
    description.exposure = parts.exposure?.presentSummary ?? description.exposure
    reporter.prepared(description)
    warnings.forEach(reporter.warned)
  }

  /// Cleans up after the session, and reports how it ended.
  ///
  /// - Parameter isInterrupted: it was stopped before its end, which is not a success.
  package func conclude(
    _ summary: SessionSummary, isInterrupted: Bool = false, to reporter: any Reporter
  ) -> ExitStatus {
    source.clip?.warningsAtEnd(damaged: summary.counts.lost(.deviceError)).forEach(reporter.warned)
    (parts.microphone as? ClipMicrophone)?.endWarnings.forEach(reporter.warned)
    let status = isInterrupted ? .interrupted : ExitStatus(summary, isCutOff: source.isCutOff)
    reporter.stopped(summary, status: status)
    return status
  }

  private static func warnings(timecodeOf source: FilmSource, in settings: MovieSettings) -> [String] {
    guard settings.timecode == nil, let label = source.clip?.tags.timecode else { return [] }
    let sentence: Sentence =
      "the clip's timecode '\(label)' does not exist at \(settings.frameRate) fps and is left out;"
      + " set another with \(setting: .timecode)"
    return [sentence.withOptions]
  }

  private static func warningOfLocks(_ output: OutputPath) -> String {
    "the file system of '\(PathText(output.path).folderOrDot)' has no locks: other programs cannot see that the film is"
      + " being recorded; move, recover and replace films there only when no recorder runs"
  }

  /// Warns of a look on a clip that has one.
  private static func warnings(looksOf source: FilmSource, and grade: Grade) -> [String] {
    guard grade.look != nil, let clip = source.clip, let earlier = EarlierLook(clip) else { return [] }
    return [earlier.warning]
  }

  /// Warns of a LUT that is for other input or gives other colours, and of a look whose input is a guess.
  ///
  /// - Parameter isGuess: the input's colours are one.
  private static func warnings(
    of request: Request, colors: ColorPlan, from source: FilmSource, isGuess: Bool
  ) -> [String] {
    let input = colors.input
    let tags = isGuess ? source.clip?.missingColorTags : nil
    // A look does something else to each input.
    if request.grade.look != nil, isGuess { return [warning(ofLookOnGuess: input, lacking: tags)] }
    guard let lut = request.grade.lut else { return [] }
    let names = [lut.title, request.bake.lut.map { PathText($0).stem }].compactMap(\.self)
    let primaries: ColorPrimaries = tags?.contains("primaries") == true ? .unspecified : input.primaries
    var warnings: [String] = []
    if let doubt = LUTPurpose.doubt(names, about: input.transfer, primaries: primaries) {
      let sentence: Sentence =
        "the LUT \(doubt), but the input is \(ColorName.name(of: input))\(isGuess ? guess(lacking: tags) : "");"
        + " if that is wrong, set \(setting: .colorIn)"
      warnings.append(sentence.withOptions)
    }
    if let doubt = LUTPurpose.doubt(names, aboutOutput: colors.output) {
      let sentence: Sentence =
        "the LUT \(doubt), but the film is tagged \(ColorName.name(of: colors.output));"
        + " if that is wrong, set \(setting: .colorOut)"
      warnings.append(sentence.withOptions)
    }
    return warnings
  }

  /// - Parameter tags: the colour tags that a clip lacks; `nil` for a camera.
  static func warning(ofLookOnGuess input: ColorDescription, lacking tags: [String]? = nil) -> String {
    let source = tags == nil ? "camera" : "clip", name = ColorName.name(of: input)
    let sentence: Sentence =
      "the look takes the \(source) for \(name)\(guess(lacking: tags)); if that is wrong, set \(setting: .colorIn)"
    return sentence.withOptions
  }

  /// For the sidecar of a baked film.
  private static func note(ofGuess input: ColorDescription, for clip: ClipCamera) -> String {
    "the bake took '\(PathText(clip.path).name)' for \(ColorName.name(of: input))"
      + guess(lacking: clip.missingColorTags)
  }

  private static func guess(lacking tags: [String]?) -> String {
    guard let tags else { return " (a guess: the camera does not say its colours)" }
    let lack = tags.count == 3 ? "has no colour tags" : "does not say its \(tags.joined(separator: " and "))"
    return " (a guess: the clip \(lack))"
  }

  private static func warnings(samplesOf source: FilmSource, in layout: PixelLayout) -> [String] {
    guard let samples = source.clip?.samples, let losses = samples.reduction(to: layout) else { return [] }
    let remedy: Sentence =
      switch samples.reduction(to: .yuv422p10) {
      case _ where !losses.hasPrefix("chroma"): ""
      case let loss? where loss.hasPrefix("chroma"):
        "; \(setting: .codec) prores \(setting: .profile) 4444 keeps 4:4:4"
      default: "; \(setting: .profile) main422-10 or \(setting: .codec) prores keeps 4:2:2"
      }
    let sentence: Sentence = "the clip is \(samples.name): \(losses)\(sentence: remedy)"
    return [sentence.withOptions]
  }

  private static func warnings(lossBound: Double?, of limit: Double) -> [String] {
    switch lossBound {
    case nil:
      [
        "camrec does not know how many frames this encoder holds: a killed recording may lose more than its last"
          + " \(FilmMaker.second(limit))"
      ]
    case let seconds? where seconds > limit + 0.005:
      [
        "a killed recording may lose its last \(HumanText.fixed(seconds, limit < 1 ? 2 : 1)) s instead of"
          + " \(HumanText.number(limit)) s: with these settings the encoder holds frames that long"
      ]
    default: []
    }
  }

  private static func second(_ limit: Double) -> String { limit == 1 ? "second" : "\(HumanText.number(limit)) s" }

  /// The bake's input format, and the converter that makes it from encoded images; `nil` for raw frames.
  package static func input(
    _ camera: CameraFormat, frames: Int
  ) throws(CamrecError) -> (format: FrameFormat, converter: (any ImageConverter)?) {
    switch camera.image {
    case .raw(let layout):
      return (FrameFormat(width: camera.width, height: camera.height, layout: layout, color: camera.color), nil)
    case .encoded(let code):
      guard let converter = try ImageConverters.make(for: camera, frames: frames) else {
        throw CamrecError(.defect, "there is no converter for \(code)")
      }
      return (converter.outputFormat, converter)
    }
  }

  /// Keeps live audio in step with the camera's clock, and converts it to 48 kHz stereo. A clip's own audio has the
  /// clip's clock, and needs none.
  private static func resampler(
    _ source: FilmSource, _ microphone: (any Microphone)?
  ) throws(CamrecError) -> (any AudioResampler)? {
    guard let microphone, source.hasTwoClocks, !(microphone is ClipMicrophone) else { return nil }
    let output = AudioFormat(
      sampleRate: AudioFormat.standard.sampleRate, channels: AudioFormat.standard.channels,
      sample: microphone.format.sample)
    return try SwresampleResampler(from: microphone.format, to: output)
  }

  private static func settings(
    _ source: FilmSource, _ request: Request, _ rate: FrameRate, baker: Baker, audio: AudioFormat?
  ) throws(CamrecError) -> MovieSettings {
    let camera = source.camera.format, tags = source.clip?.tags
    let timecode: Timecode?
    if let choice = request.file.timecode {
      // A label that does not exist is refused before the camera starts.
      timecode = try choice.timecode(rate: rate, date: Date())
    } else {
      timecode = tags?.timecode.flatMap { try? Timecode(parsing: $0, rate: rate) }
        .map { $0.advanced(by: source.clip?.framesBehindTimecode ?? 0, at: rate) }
    }
    var settings = MovieSettings(
      path: request.output.path, overwrite: request.file.overwrite, container: request.output.container,
      format: baker.outputFormat, frameRate: rate, timeBase: camera.timeBase, audio: audio,
      audioLanguage: source.language,
      encoding: request.encoding, rotation: request.file.rotation.rotation ?? camera.rotation,
      pixelAspect: camera.pixelAspect, timecode: timecode,
      creationTime: tags?.creationTime ?? Int64(Date().timeIntervalSince1970),
      metadata: metadata(tags: tags?.entries ?? [], request.grade), isLive: request.isLive,
      // The session counts one that is being baked.
      framesBefore: request.session.framesBeforeSink + baker.depth - 1,
      lossLimit: request.session.lossLimit.doubleValue)
    settings.staysPlayable = request.keepsPartial
    settings.chapters = request.chapters.count
    settings.fillsGaps = request.session.fillsGaps
    settings.isOfRig = request.isOfRig
    return settings
  }

  /// The clip's own tags, followed by camrec's.
  private static func metadata(tags: [MetadataEntry], _ grade: Grade) -> [MetadataEntry] {
    var own = [MetadataEntry("software", "camrec \(Product.version)")]
    if let lut = grade.lut {
      if let title = lut.title { own.append(MetadataEntry("lut_title", title)) }
      own.append(MetadataEntry("lut_sha256", lut.sha256))
    }
    if let look = grade.look {
      own.append(MetadataEntry("look", "\(look.name), version \(look.version)"))
      own.append(MetadataEntry("grain_seed", "\(look.seed)"))
    }
    // A clip's LUT and its look go with all that is said of them.
    let former: [String] =
      own.map(\.key) + (grade.lut == nil ? [] : ["lut_title"]) + (grade.look == nil ? [] : [Self.grainFrameTag])
    return tags.filter { !former.contains($0.key.lowercased()) } + own
  }

  private static let grainFrameTag = "grain_frame"

  /// The tags that are only known when the film begins.
  static func tags(_ look: LookIdentity?) -> [MetadataEntry] {
    look?.frame.map { [MetadataEntry(grainFrameTag, "\($0)")] } ?? []
  }

  /// As the camera delivers it or the clip's file stores it, before any conversion for the bake.
  private static func pixelFormat(of source: FilmSource) -> String {
    if let samples = source.clip?.samples { return samples.layout?.rawValue ?? samples.name }
    return switch source.camera.format.image {
    case .raw(let layout): layout.rawValue
    case .encoded(let code): code.description.lowercased()
    }
  }
}
