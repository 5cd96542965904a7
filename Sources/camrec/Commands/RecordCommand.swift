import ArgumentParser
import Assembly
import ControlSocket
import Foundation
import Frames
import Logging
import Movies
import Platform
import Recorder
import Reporting
import Retention
import Terminal

/// `camrec [record]`.
struct RecordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Record a camera and its microphone.",
    usage: "camrec [record] [OPTION …]",
    discussion: """
      Ctrl-C finishes the film. A second one, at least 0.3 s later, ends camrec at once; then run 'camrec recover' to \
      finish the film. While camrec records, control it with keys in the terminal (? lists them) or with 'camrec ctl'. \
      camrec checks everything before it starts the camera or creates a file, and leaves an existing file alone unless \
      you give --overwrite. You can play the film while it is being recorded, except for about its last second.
      """)

  @OptionGroup(title: "Camera") var camera: CameraOptions
  @OptionGroup(title: "Exposure") var exposing: ExposingOptions
  @OptionGroup(title: "Colour") var bake: BakeOptions
  @OptionGroup(title: "Encoding") var encoding: EncodingOptions
  @OptionGroup(title: "Audio") var sound: SoundOptions
  @OptionGroup(title: "File") var file: FileOptions

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The film to write, .mov or .mkv; or a .framemd5, which has hashes of the baked frames and no audio.",
      discussion: """
        strftime patterns take the time at which the film is started: local time, or UTC with --utc. For example: \
        %Y-%m-%d_%H-%M-%S, and %z for the offset from UTC. camrec creates missing folders that have patterns in their \
        names.
        """, valueName: "PATH"),
    completion: .file(extensions: ["mov", "mkv", "framemd5"]))
  var output = RecordingSettings().output

  @Flag(
    help: ArgumentHelp(
      "Use UTC for patterns in names, for --schedule, and for clock: of --segment.",
      discussion: """
        Names then sort in the order of recording, even when daylight saving time ends. --timecode now stays local \
        time.
        """))
  var utc = false

  @Flag(
    help: ArgumentHelp(
      "Write no sidecar beside the film.",
      discussion: "The sidecar, take.mov.camrec, says how each frame was exposed and why a frame is missing."))
  var noSidecar = false

  @OptionGroup(title: "Length") var limit: LimitOptions
  @OptionGroup(title: "Segments") var segments: SegmentOptions
  @OptionGroup(title: "Triggers") var triggers: TriggerOptions
  @OptionGroup(title: "Space") var space: SpaceOptions
  @OptionGroup(title: "Hook") var hooks: HookOptions
  @OptionGroup(title: "Control") var control: ControlOptions
  @OptionGroup(title: "Unattended") var telemetry: TelemetryOptions
  @OptionGroup(title: "Unattended") var log: LogOptions

  @Option(
    help: ArgumentHelp(
      "If bake, encoder or disk cannot keep up: lose frames and account for them, or stop.", valueName: "ACTION"))
  var onOverload = OnOverload.drop

  @Option(
    help: ArgumentHelp(
      "If the camera is unplugged, fails or stops sending frames: stop, or wait for it. Default in a rig: wait.",
      discussion: """
        With wait, the recording continues when the camera is back, on any port and with any device number: in a new \
        film, with the same exposure settings; what ctl lock holds is metered and locked anew. The time without a \
        camera does not count for --duration, which therefore does not end the wait. In both cases camrec first \
        restarts the stream of a camera that stops sending frames. While a microphone is missing, the audio is \
        silence.
        """, valueName: "ACTION"))
  var onLostCamera = OnLostCamera.stop

  @OptionGroup(title: "Unattended") var relief: ReliefOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The longest stretch that a crash or a power cut may cost: 200ms to 10s. Default: 1s.",
      discussion: """
        It counts from capture to disk. With a smaller value, fragments are shorter, each followed by fdatasync, and \
        the encoder holds fewer frames. If the encoder has to hold more, camrec prints the actual value at the start. \
        While the bake or the encoder is too slow, or the disk accepts no data, frames wait for longer: a crash then \
        costs these frames as well, and camrec warns.
        """,
      valueName: "TIME"),
    transform: TimeSpan.init(parsingLossLimit:))
  var maxLoss: TimeSpan?

  @Flag(
    help: ArgumentHelp(
      "Fill gaps of up to 10 s by repeating the frame before each.",
      discussion: """
        Editors then see a constant frame rate. The frames still count as lost, and the sidecar lists each repeated \
        frame. Repeated frames are encoded like any others: if frames are lost because the machine is too slow, use a \
        faster --preset as well (HEVC only; for ProRes choose a lighter --profile or a smaller --size).
        """))
  var fillGaps = false

  @Flag(
    help: ArgumentHelp(
      "Check everything, then wait for a start: 'camrec ctl start', a key, a button, a signal or the schedule.",
      discussion: "Each start begins a new film: take.mov, then take-2.mov. 'camrec ctl quit' or Ctrl-C ends camrec."))
  var standby = false

  func run() throws {
    log.waitForNobody()
    let manager = ServiceManager.take()
    let name = telemetry.name?.description ?? RecorderName.standard(camera.camera)
    let logger = log.logger(["camera": name])
    let warnings = WarningCount()
    let isControlled = control.socketPath != nil
    let reporter = CountingReporter(log.reporter(logger, json: file.json, isControlled: isControlled), warnings)
    let status: ExitStatus
    var isWatched = false
    // Paths that do not answer, and that threads which cannot be ended still wait for.
    var stalled: [String] = []
    // A film was deleted, and there is no copy of it.
    var hasHeld = false
    var ending: RecorderEnd?
    let remarks = RecorderRemarks(log: logger, json: file.json, counting: warnings)
    do throws(CamrecError) {
      let hook = try hooks.settings.hook()
      let monitorGroup = try control.monitorGroupNumber
      let folder = PathText(PathText(output).absolute).folder
      let entersFilms = space.looksAfterFilms || hook != nil
      let shelf = entersFilms || FilmKeeping.looksAfter(folder)
        ? FilmKeeping(
          .init(
            limits: space.limits, recorder: name, hasHook: hook != nil,
            pattern: output.split(separator: "/").last.map(String.init) ?? "", machine: FilmKeeping.machine,
            isRestarted: control.untilInputEnds || manager != nil, entersFilms: entersFilms, folder: folder),
          say: remarks.say) : nil
      let hooking = hook.flatMap { hook in shelf.map { HookRunning(hook, films: $0, say: remarks.say) } }
      let keeping = SpaceKeeping(marks: space.marks, full: space.onFull, films: shelf)
      let held = HeldFilms(say: remarks.say)
      let recording = settings.recording
      let films = try RecordedFilms(recording, reporter: reporter, space: keeping, held: held)
      let memory = control.settings.map { KeptSettings(path: $0, recording, name: telemetry.name) }
      let resumed = memory?.resume(
        check: { (source) throws(CamrecError) in try films.check(source) }, warn: reporter.warned,
        note: { remarks.say(SessionRemark($0, isWarning: false)) })
      let recorder = RecorderService(
        resumed ?? RecorderSettings(exposure: recording.exposure), standsBy: standby,
        awaitsCamera: onLostCamera == .wait,
        keepsPreRoll: triggers.preRoll != nil, memory: memory)
      let signals = StopSignals(say: { remarks.endsAtOnce($0, film: recorder.unfinishedFilm) })
      remarks.begin(with: recorder)
      warnings.begin(with: recorder)
      let monitor = control.openMonitor(recorder, group: monitorGroup, name: name, say: remarks.say)
      defer { monitor?.close() }
      let monitorPath: @Sendable () -> String? = { monitor?.openPath.map { PathText($0).absolute } }
      let server = control.open(recorder, name: name, monitor: monitorPath, say: remarks.say)
      defer { server?.close() }
      reporter.isReached(at: { server?.openPath.map { PathText($0).absolute } }, monitor: monitorPath)
      // A log on standard error has no other lines.
      let typed = log.isLines ? logger : nil
      let keys = TerminalKeys.open(
        for: recorder,
        say: { sentence in if let typed { typed.notice("\(sentence)") } else { HumanText.write(sentence) } },
        warn: { sentence in if let typed { typed.warning("\(sentence)") } else { HumanText.warning(sentence) } },
        show: { Console.error.show(prompt: VisibleText.line($0)) },
        describe: { RecorderDescription.lines(of: $0).joined(separator: "\n") })
      defer { keys?.close() }
      let wish = StopWish()
      let say: @Sendable (String) -> Void = { sentence in
        if let logger { logger.notice("\(sentence)") } else { HumanText.write(sentence) }
      }
      let stop: @Sendable (String) -> Void = { origin in
        wish.utter()
        recorder.requestStop(by: origin) { say("\(origin) stops the film") }
      }
      signals.watch(
        stop: { stop("signal \($0)") }, leftover: { recorder.leftover }, givingUp: {
          keys?.close()
          server?.removeFile()
          monitor?.removeFile()
          hooking?.abandon()
        })
      signals.beforeGivingUp { recorder.putBackControls() }
      if control.untilInputEnds { EndOfInput.watch { stop("end of input") } }
      let warn: @Sendable (String) -> Void = { sentence in
        warnings.add()
        remarks.tell(SessionRemark(sentence))
      }
      let own = RecorderTriggers(triggers.settings, isUTC: utc, for: recorder, say: say, warn: warn)
      defer { own.close() }
      // A file on a disk that hangs must not keep others from hearing that the recorder is well.
      isWatched = true
      let listeners = telemetry.listeners(name: name, socket: control.socketPath, monitor: control.monitorPath)
        + keepers(manager, warn: warn)
      let watches = listeners.map {
        RecorderWatch(recorder, $0, warn: warn) { remarks.tell(SessionRemark($0, isWarning: false)) }
      }
      let display =
        logger == nil && !file.json
        ? StatusDisplay(recorder, preRoll: triggers.preRoll?.seconds.doubleValue, hasKeys: keys != nil) : nil
      let heat = films.effort.flatMap { relief.settings.heatWatch($0, recorder, warn: reporter.warned) }
      defer { heat?.close() }
      keeping.watch(recorder)
      hooking?.begin()
      // Watchers hear that the recorder is well until the hook is done.
      func end(_ failure: CamrecError?) {
        display?.close()
        remarks.end()
        // Before the catalogue and the hook end, so that they treat the copy like any film.
        keep(held, until: recorder, signals, wish, isReached: server?.openPath != nil) {
          remarks.say(SessionRemark($0, isError: true))
        }
        hasHeld = !held.films.isEmpty
        if let remark = keeping.close() { remarks.say(remark) }
        let isOfRig = control.untilInputEnds, wishes = wish.count
        let wait = hooks.settings.wait(isOfRig: isOfRig, wasToStop: wishes > 0)
        hooking?.close(within: wait, isCut: { wish.count > wishes }, report: keeping.refresh) {
          remarks.say(SessionRemark("waiting up to \(HumanText.span(wait)) for the hook", isWarning: false))
        }
        watches.forEach { $0.close(failure: failure) }
        let paths = films.stalledPaths + [keeping.stalledPath, recorder.stalledPath].compactMap(\.self)
        for path in paths where !stalled.contains(path) { stalled.append(path) }
      }
      do throws(CamrecError) {
        try recorder.run(films, observer: reporter)
      } catch {
        end(error)
        throw error
      }
      end(nil)
      status = hasHeld ? .worst(of: [films.status, .output]) : films.status
      ending = RecorderEnd(films: films.status, last: films.last, asked: recorder.endAsked, lacksCopy: hasHeld)
    } catch {
      reporter.refused(error)
      if !isWatched { telemetry.tell(refusal: error, name: name) }
      status = hasHeld ? .worst(of: [ExitStatus(error), .output]) : ExitStatus(error)
    }
    if let ending, control.untilInputEnds, file.json { EventLine.write(EndedEvent(ending)) }
    if !stalled.isEmpty { leave(behind: stalled, status, remarks) }
    if status != .success { throw Camrec.Ending(status: status) }
  }

  /// Ends the process without waiting for threads that hang in the kernel.
  private func leave(behind paths: [String], _ status: ExitStatus, _ remarks: RecorderRemarks) -> Never {
    let names = paths.map { "'\($0)'" }.joined(separator: ", ")
    remarks.say(
      SessionRemark(
        "camrec ends without waiting for \(names); the kernel keeps the process until that answers",
        facts: ["stalled": paths.joined(separator: ", ")]))
    Console.finish()
    _exit(status.rawValue)
  }

  /// Keeps deleted films open until they are copied, or until somebody who could read about them ends camrec.
  private func keep(
    _ held: HeldFilms, until recorder: RecorderService, _ signals: StopSignals, _ wish: StopWish, isReached: Bool,
    say: (String) -> Void
  ) {
    held.copy(isLast: true)
    let films = held.films, wishes = wish.count, quits = recorder.quits
    // Whoever stopped camrec after a film was deleted could read about it.
    let told = [wish.latest, quits.latest].compactMap(\.self).max()
    guard films.contains(where: { film in told.map { $0 < film.time } ?? true }) else { return }
    signals.expectAnother()
    films.forEach { say($0.sentence) }
    say(
      "the recording has ended; camrec keeps the deleted films open and keeps trying to copy them; to give them up, "
        + "use " + (isReached ? "Ctrl-C, SIGTERM or 'camrec ctl quit'" : "Ctrl-C or SIGTERM"))
    while !held.films.isEmpty, wish.count == wishes, recorder.quits.count == quits.count {
      WorkThread.sleep(.milliseconds(100))
    }
    held.copy(isLast: true)
  }

  /// The listeners that restart a recorder that hangs.
  private func keepers(
    _ manager: ServiceManager?, warn: @escaping @Sendable (String) -> Void
  ) -> [any RecorderWatch.Listener] {
    var keepers: [any RecorderWatch.Listener] = []
    if let manager { keepers.append(ServiceNotifying(manager, warn: warn)) }
    if control.untilInputEnds, file.json { keepers.append(SupervisorNotifying(warn: warn)) }
    return keepers
  }

  /// The options as values.
  var settings: ServiceSettings {
    ServiceSettings(
      recording: RecordingSettings(
        source: camera.settings, microphone: sound.microphone, exposure: exposing.options,
        exposureTrace: exposing.exposureTrace, bake: bake.settings, encoding: encoding.encoding, file: file.settings,
        output: output, isUTC: utc, hasSidecar: !noSidecar, limit: limit.settings, onOverload: onOverload.policy,
        maxLoss: maxLoss, fillsGaps: fillGaps, segment: segments.segment, relief: relief.settings,
        preRoll: triggers.preRoll, isOfRig: control.ofRig),
      triggers: triggers.settings, hook: hooks.settings, control: control.control, monitor: control.monitor,
      monitorGroup: control.monitorGroup, settingsFile: control.settings,
      state: telemetry.state, metrics: telemetry.metrics)
  }

  func validate() throws {
    guard standby || triggers.schedule.isEmpty else {
      throw ValidationError("--schedule requires --standby")
    }
    if OutputPath.hasTimedFolder(output), space.looksAfterFilms || !hooks.words.isEmpty {
      throw ValidationError(
        "--keep-…, --on-full rotate and --hook work on one folder; put the date in the file name, not in a folder name"
          + " ('\(output)')")
    }
    if fillGaps, output.hasSuffix(".framemd5") {
      throw ValidationError("a hash recording has no gaps to fill; record to a .mov or .mkv, or leave out --fill-gaps")
    }
    guard let preRoll = triggers.preRoll else { return }
    if fillGaps {
      throw ValidationError("--fill-gaps and --pre-roll exclude each other: camrec does not fill gaps before a start")
    }
    guard standby else {
      throw ValidationError("--pre-roll requires --standby")
    }
    if let duration = limit.duration, duration.nanoseconds <= preRoll.nanoseconds {
      throw ValidationError("--duration includes the pre-roll; it must be longer than --pre-roll")
    }
    // Without --fps, or with --nearest, the rate is only known once the camera is open.
    if let frames = limit.frames, !camera.mode.nearest, let rate = camera.mode.fps,
      let kept = preRoll.seconds.product(with: rate.rational), Rational(frames) <= kept
    {
      throw ValidationError(
        "--frames includes the pre-roll; at \(rate) fps it must be more than \(kept.numerator / kept.denominator)")
    }
    if exposing.exposureTrace != nil {
      throw ValidationError("--exposure-trace and --pre-roll exclude each other: a trace begins with its film")
    }
    if output.hasSuffix(".framemd5") {
      throw ValidationError("a hash recording has no pre-roll; record to a .mov or .mkv, or leave out --pre-roll")
    }
  }

  enum OnLostCamera: String, ExpressibleByArgument, CaseIterable {
    case stop, wait
  }

  enum OnOverload: String, ExpressibleByArgument, CaseIterable {
    case drop, stop

    var policy: OverloadPolicy { self == .drop ? .drop : .stop }
  }
}
