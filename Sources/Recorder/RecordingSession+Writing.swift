import Foundation
import Frames
import Movies
import Sidecar
import Synchronization

/// The results of the write thread. `@unchecked Sendable`: every `var` is written on that thread and read after it was
/// joined.
final class Writing: @unchecked Sendable {
  /// The last file, and its sink's report; `nil` if nothing was recorded.
  var last: OpenSegment?
  var report: MovieReport?
  var notes: SegmentNotes?
  /// Known chapters that the film has not reached.
  var unreached: [ClipChapter] = []
  /// The sum of all files before the last.
  let parted = Mutex(SegmentSum())
}

extension RecordingSession {
  /// The write thread: the only one that touches the sink of the file being recorded.
  func runWriting(_ writing: Writing) {
    let film = FilmWriting(self, writing)
    while let item = writeQueue.pop(soundBefore: film.soundLimit, until: film.current?.sidecar?.due) {
      switch consume item {
      case .frame(let timed): film.take(timed)
      case .sound(let timed): film.take(timed)
      case .nothing:
        // A camera that hangs must not hide that its film was renamed or deleted.
        film.lookAtPlaces()
        film.passNotes()
        continue
      }
      film.goOn()
    }
    film.end()
  }

  /// Closes a file and reports what it holds, even if the last frames no longer fit; `nil` if it holds nothing, or is
  /// not kept. The frames of one that is not kept stay counted as written.
  ///
  /// - Parameter endTicks: where it ends, counted from the start of the recording.
  func finish(_ segment: OpenSegment, at endTicks: Int64) -> MovieReport? {
    defer {
      if let fault = segment.sink.fault {
        state.isLeft(by: fault, number: segment.number, lost: segment.end == nil ? nil : segment.refusedFrames)
      }
      state.closed(segment.sink)
    }
    for _ in 0..<2 {
      do throws(CamrecError) {
        let report = try segment.sink.finish(at: endTicks - segment.firstTicks)
        for warning in report.warnings { say(SessionRemark(warning), of: segment) }
        settle(segment, frames: Int(report.frames), samples: report.samples)
        segment.storedTicks = report.end
        guard report.frames > 0, report.isKept else { return nil }
        settlePlace(of: segment)
        return report
      } catch {
        state.fail(error)
      }
    }
    settle(segment, frames: 0, samples: 0)
    return nil
  }

  /// What a disk that refused more has not stored is lost.
  ///
  /// - Parameters:
  ///   - frames: in the file, repeated ones included.
  ///   - samples: of each audio channel; `nil` where nobody counts them.
  private func settle(_ segment: OpenSegment, frames: Int, samples: Int64?) {
    // First, so that what follows is told with its reason.
    if let fault = segment.sink.fault { isRefused(fault.error(), fault) }
    if segment.sink.fault != nil, let samples, samples < segment.soundFrames {
      let refused = samples..<segment.soundFrames, absent = segment.soundFrames - samples
      // Silence among them, or behind them, is lost already.
      let silent = segment.silences.count(from: samples)
      segment.soundFrames = samples
      segment.soundLost += absent - silent
      let sounds = segment.silences.sounds(in: refused)
      state.refused(samples: absent, silent: silent, from: segment.firstSample + (sounds.first ?? refused).lowerBound)
      for sound in sounds {
        segment.sidecar?.append(.soundLoss(sample: sound.lowerBound, count: sound.upperBound - sound.lowerBound))
      }
    }
    let repeats = segment.repeats.count(amongFirst: frames)
    state.refused(repeats: segment.repeats.count - repeats)
    let absent = Int64(ledger.settle(stored: frames - repeats, of: segment.frames))
    guard absent > 0 else { return }
    segment.refusedFrames += Int(absent)
    state.lost(.disk, frame: nil, inFileOf: max(0, segment.firstFrame - start.frame), count: absent)
    segment.sidecar?.append(.frameLoss(.disk, frame: nil, count: absent))
  }

  /// The output takes nothing more. What it has cost shortly before counts as caused by that, and later losses are not
  /// blamed on a slow disk.
  func isRefused(_ error: CamrecError, _ fault: OutputFault?) {
    let before = max(0, ledger.counts.lost(.disk) - Int(state.refusedBefore))
    state.isRefused(OutputRefusal(error, fault, lostBefore: before))
  }

  /// Where a file ends, counted from the start of the recording: behind its last frame if the disk refused the rest.
  func end(of segment: OpenSegment, _ report: MovieReport?, planned: Int64) -> Int64 {
    min(planned, report?.end.map { segment.firstTicks + $0 } ?? planned)
  }

  /// Finishes a file on a separate thread while the next one is being recorded.
  func finishParted(_ segment: OpenSegment, _ end: OpenSegment.End, _ writing: Writing) {
    let report = finish(segment, at: end.ticks)
    let ticks = self.end(of: segment, report, planned: end.ticks)
    var counts = end.before - segment.before
    let frames = Int(report?.frames ?? 0)
    counts.written = frames - segment.repeats.count(amongFirst: frames)
    counts.diskLosses += segment.frames - counts.written
    writing.parted.withLock {
      $0.counts = $0.counts + counts
      $0.soundFrames += segment.soundFrames
      $0.soundLost += segment.soundLost
    }
    let hasSound = parts.microphone != nil
    self.end(
      segment, counts, ticks: ticks, soundFrames: hasSound ? segment.soundFrames : nil,
      soundLost: hasSound ? segment.soundLost : nil,
      failure: segment.sink.fault?.ending, isKept: report != nil)
    tell(segment, counts, report, endTicks: ticks)
  }

  /// Reports that a file is complete, or that nothing of it was kept.
  func tell(_ segment: OpenSegment, _ counts: FrameLedger.Counts, _ report: MovieReport?, endTicks: Int64) {
    if report != nil {
      // The sidecar's end may have waited for the disk since the last look.
      if case .renamed(let path) = segment.sink.look() { follow(segment, to: path) }
      settleSidecar(of: segment)
    }
    let isStalled = segment.sidecar?.isStalled ?? false
    segment.sidecar = nil
    guard let report else {
      if !isStalled, segment.place != .unlinked, !segment.path.isEmpty,
        !FileManager.default.fileExists(atPath: segment.path)
      {
        SidecarFile.removeLeftover(ofFilm: segment.path)
      }
      return parts.observers.forEach { $0.abandoned(segment.path) }
    }
    let film = start, ticks = endTicks - segment.firstTicks
    let begin = Double(segment.firstTicks - film.ticks) * timeBase.doubleValue
    let finished = FinishedSegment(
      number: segment.number, identity: segment.identity,
      path: segment.place == .inPlace ? report.path : segment.path, bytes: report.bytes, frames: report.frames,
      counts: counts, firstFrame: segment.firstFrame - film.frame,
      start: begin, duration: Double(ticks) * timeBase.doubleValue,
      timecode: parts.timecode?(film.time, segment.firstFrame - film.frame), isCutOff: segment.sink.fault != nil,
      date: parts.date?(film.time, begin))
    // The first file of a recording that was to have one is told only if another followed.
    let isTold = parts.segments != nil || segment.number > 1 || segment.end != nil
    let enter: HeldFilm.Enter = { [state, observers = parts.observers] finished in
      state.finished(finished, ticks: ticks, warnings: report.warnings, isTold: isTold)
      observers.forEach { $0.finished(finished) }
    }
    guard segment.place == .unlinked else { return enter(finished) }
    // A file without a name is entered nowhere until it has a copy.
    guard let held = segment.held else { return parts.observers.forEach { $0.abandoned(segment.path) } }
    segment.held = nil
    state.holds(held)
    held.isWhole(finished) { [state, observers = parts.observers] copy in
      state.copied(held, to: copy.path)
      observers.forEach { $0.renamed(from: finished.path, to: copy.path) }
      enter(copy)
    }
  }
}
