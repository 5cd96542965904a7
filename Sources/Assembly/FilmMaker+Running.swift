import Cameras
import Color
import Foundation
package import Frames
import MediaFFmpeg
package import Movies
import Platform
package import Recorder
package import Reporting
import Terminal

extension FilmMaker {
  /// Bakes a clip from start to end: checks what it can without a camera, opens the source, makes the film, reports.
  ///
  /// - Parameters:
  ///   - output: the path as it was given.
  ///   - json: reports events instead of sentences.
  ///   - hasSidecar: writes a sidecar beside the film. Hash recordings have none; a baked film has one if its clip has.
  ///   - keepsPartial: keeps a film that was stopped or failed before its end.
  ///   - endsWithInput: stops when standard input ends.
  package static func run(
    bake: BakeSettings, encoding: VideoEncoding, file: FileSettings, output: String, session: SessionOptions,
    hasSidecar: Bool, json: Bool, keepsPartial: Bool = false, endsWithInput: Bool = false,
    note: Note = { _, _, _ in }, open: Opening
  ) -> ExitStatus {
    var reporter: any Reporter = json ? JSONReporter() : BakeReporter()
    let status: ExitStatus
    do throws(CamrecError) {
      let output = try OutputPath(pattern: output, date: Date()).makingFolders
      try output.check(overwrite: file.overwrite)
      if file.overwrite { try PartialFilm.checkReplacing(output.path) }
      let grade = try Grade(bake)
      var request = Request(
        bake: bake, encoding: encoding, file: file, output: output, grade: grade, session: session, isLive: false,
        hasSidecar: hasSidecar && output.container != .framemd5)
      // The film gets its name when it is complete; one that it replaces stays until then.
      let part = PartialFilm(output.path)
      PartialFilm.removeAbandoned(of: [output.path]).whole.forEach(reporter.warned)
      request.isPartial = true
      request.keepsPartial = keepsPartial
      request.makeSink = { (settings) throws(CamrecError) in
        var settings = settings
        settings.path = part.path
        return try fileSink(settings)
      }
      let remarks = RecorderRemarks(log: nil, json: json)
      let signals = StopSignals(say: { remarks.endsAtOnce($0) })
      var source = try open(output, grade.lut != nil)
      if let clip = source.clip, request.hasSidecar {
        do throws(CamrecError) {
          request.carried = try CarriedSidecar(clip, film: output.path, beside: part.path)
        } catch {
          source.warnings.append(
            "cannot read the sidecar of '\(clip.path)', so the film gets none: \(error.description)")
        }
        request.hasSidecar = request.carried != nil
      }
      if let clip = source.clip { request.chapters = BakedChapters.of(clip, request.carried) }
      let maker = try FilmMaker(source, request)
      try output.makeFolders()
      let extent = BakeExtent(
        promised: source.clip?.expectedFrames, listed: source.clip?.listedFrames, limit: session.limit,
        fillsGaps: session.fillsGaps, filled: FilmMaker.filledFrames(of: source.clip, session),
        frameRate: maker.frameRate)
      reporter = FilmMaker.reporter(at: maker.frameRate, extent, json: json)
      let session = maker.session()
      let stop = BakeStop(session, source.clip)
      signals.watch(stop: { _ in stop.utter() }, leftover: { nil }, givingUp: { part.remove() })
      if endsWithInput { EndOfInput.watch { stop.utter() } }
      maker.announce(output.path, to: reporter)
      var summary = session.run(observer: reporter)
      let isInterrupted = stop.hasCut(summary, at: request.session.limit)
      let isWhole = !isInterrupted && summary.failure == nil
      if summary.movie != nil, isWhole || keepsPartial {
        if let carried = request.carried {
          if let remark = carried.earlierLosses { summary.remarks.append(remark) }
        } else if let clip = source.clip,
          let remark = FilmMaker.remark(gapsOf: clip, isFilled: request.session.fillsGaps, in: output.container)
        {
          summary.remarks.append(remark)
        }
        if isWhole {
          do throws(CamrecError) {
            try note(summary, ExitStatus(summary, isCutOff: source.isCutOff), part.path)
          } catch {
            summary.failure = summary.failure ?? error
          }
        }
        if isWhole, output.container != .framemd5, let clip = source.clip,
          let remark = FilmMaker.remark(lateChapters: summary.unreachedChapters, of: clip)
        {
          summary.remarks.append(remark)
        }
        var path = output.path
        do throws(PartialFilm.Misplaced) {
          if let sentence = try part.finish(overwrite: file.overwrite) { reporter.warned(sentence) }
        } catch {
          path = error.path
          // The failure of a partial film does not say where the film lies.
          if summary.failure != nil { reporter.warned(error.error.description) }
          summary.failure = summary.failure ?? error.error
        }
        summary.movie = summary.movie.map {
          MovieReport(path: path, bytes: $0.bytes, frames: $0.frames, warnings: $0.warnings)
        }
        if !isWhole {
          summary.partial = PartialBake(total: extent.total)
          summary.remarks.append(FilmMaker.remark(partial: path, summary, isInterrupted: isInterrupted))
        } else if stop.hasCome {
          summary.remarks.append(
            SessionRemark(
              "the interrupt came too late: the last frame had been read, so the film is complete", isWarning: false))
        }
      } else {
        let advice = FilmMaker.advice(on: summary, maker.settings)
        part.remove()
        summary.dropFilm()
        if summary.discardedFrames > 0 {
          let sentence: Sentence = "the bake did not finish, so its film was not kept\(sentence: advice)"
          reporter.warned(sentence.withOptions)
        }
      }
      status = maker.conclude(summary, isInterrupted: isInterrupted, to: reporter)
    } catch {
      reporter.refused(error)
      status = ExitStatus(error)
    }
    return status
  }
}

extension FilmMaker {
  package static func check(_ limit: RecordingLimit?, at rate: FrameRate) throws(CamrecError) {
    guard case .seconds(let seconds) = limit, seconds < rate.frameDuration else { return }
    let milliseconds = HumanText.fixed(rate.frameDuration.doubleValue * 1000, 3)
    throw CamrecError(
      .usage, about: .duration,
      "\(setting: .duration) is shorter than a frame, which lasts \(milliseconds) ms at \(rate) fps; "
        + "\(setting: .frames) 1 records one")
  }

  /// Frames of a film that ends with a certain frame of its clip, and whose gaps are filled.
  private static func filledFrames(of clip: ClipCamera?, _ session: SessionOptions) -> Int? {
    guard session.fillsGaps, case .frames(let count)? = session.limit else { return nil }
    return clip?.filledFrames(of: Int(clamping: count), upTo: SessionOptions.longestFilledGap)
  }

  /// A reporter that shows progress through the clip.
  private static func reporter(at rate: FrameRate, _ extent: BakeExtent, json: Bool) -> any Reporter {
    let rate = rate.framesPerSecond
    if json { return JSONReporter(pace: (WorkPace(total: extent.total, at: .now()), extent, rate)) }
    return BakeReporter(
      progress: (WorkProgress("baking", "frames", total: extent.total, realTime: rate), extent))
  }

  /// What a clip lacks by its times: without a sidecar, nothing else tells it.
  private static func remark(gapsOf clip: ClipCamera, isFilled: Bool, in container: Container) -> SessionRemark? {
    let gaps = clip.gaps
    guard gaps.frames > 0 else { return nil }
    let frames = HumanText.count(gaps.frames, "frame"), place = HumanText.fixed(gaps.first, 2)
    let what =
      gaps.count == 1 ? "a gap of \(frames) at \(place) s"
      : "\(gaps.count) gaps of \(frames) in all, the first at \(place) s"
    let rest: Sentence =
      isFilled || container == .framemd5 ? "" : ", and so has the film; \(setting: .fillGaps) fills gaps of up to 10 s"
    return SessionRemark(
      saying: "the clip has \(what)\(sentence: rest)", facts: [SessionRemark.missing: "\(gaps.frames)"],
      isWarning: false)
  }

  /// What keeping partial films would keep of such a film; empty if that may be nothing.
  private static func advice(on summary: SessionSummary, _ settings: MovieSettings) -> Sentence {
    // A film that ends for another reason than its disk is finished, with all that was stored.
    guard summary.failedFilm != nil else { return "; \(setting: .keepPartial) keeps what is there" }
    let rate = settings.frameRate, longest = max(settings.longestFragment, rate.frameDuration.doubleValue)
    // A clip of variable rate has fewer frames, or more, than its rate says.
    let stored = summary.storedSeconds ?? Double(summary.counts.written + summary.repeated) / rate.framesPerSecond
    guard stored >= longest else { return "" }
    return "; \(setting: .keepPartial) keeps its whole fragments, of up to \(HumanText.number(longest)) s each"
  }

  /// What is said of markers and chapters that the film lacks, as the clip was cut off in front of them, or as its last
  /// frames cannot be decoded.
  private static func remark(lateChapters late: [ClipChapter], of clip: ClipCamera) -> SessionRemark? {
    // Those behind the end of a film that was to be shorter are left out on purpose.
    guard clip.isReadToEnd, let first = late.first else { return nil }
    let what = clip.tags.chapters.isEmpty ? "marker" : "chapter"
    let name = "'\(first.title)' at \(HumanText.fixed(first.seconds, 3)) s"
    return SessionRemark(
      late.count == 1
        ? "the film has no frame at or after the \(what) \(name), and so no chapter for it"
        : "the film has no frame at or after \(late.count) \(what)s, the first of them \(name), and so no chapters for "
          + "them")
  }

  /// The remark about a film that is kept although it ends before its clip does.
  private static func remark(partial path: String, _ summary: SessionSummary, isInterrupted: Bool) -> SessionRemark {
    let written = summary.counts.written + summary.repeated
    let frames = summary.partial?.total.map { "\(written) of \(HumanText.count($0, "frame"))" }
    return SessionRemark(
      "\(path) is a partial film: the bake \(isInterrupted ? "was stopped" : "failed") after "
        + (frames ?? HumanText.count(written, "frame")))
  }
}

extension FilmMaker.Request {
  /// What is left of an unfinished film, in a sentence.
  package func leftover(_ path: String) -> String {
    switch output.container {
    case .mov where isOfRig: "'\(path)' is unfinished; the rig recovers it"
    case .mov where isLive: "'\(path)' is unfinished; to finish it, run: camrec recover \(ShellWord.of(path))"
    case .mov: "'\(path)' is unfinished and has no index, so it does not play; delete it"
    case .mkv: "'\(path)' is unfinished; it plays up to where it was cut off"
    case .framemd5: "'\(path)' is unfinished; its complete lines are valid"
    }
  }
}
