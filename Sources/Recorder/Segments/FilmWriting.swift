import Audio
import Cameras
import Foundation
import Frames
import Movies
import Platform
import RecorderAPI
import Sidecar

/// The work of the write thread: opens the film, writes what comes, and continues in the next file where a frame begins
/// one.
///
/// Sound beyond the next boundary waits until it is known whether a frame begins a file there. A file that is left
/// waits for the end of its own sound, and is then finished on a separate thread.
final class FilmWriting {
  let session: RecordingSession
  let writing: Writing
  let notes: SegmentNotes
  let finishes = SegmentFinishes()
  let rescues = SegmentFinishes()
  var schedule: SegmentSchedule
  var current: OpenSegment?
  /// Files that have all their frames but not yet all their sound.
  var closing: [OpenSegment] = []
  var preparation: SegmentPreparation?
  /// After a failure, the next attempt comes with a frame at this time or later.
  var retryTicks = Int64.min
  var hasWarned = false
  var load = LoadMeter()
  /// The effort step of the current file.
  var effortStep = 0
  /// Bytes of the files handed over to be finished.
  private var partedBytes: Int64 = 0
  /// After a failed write the sink gets nothing more: what it has stays playable.
  private(set) var failure: LossReason?
  /// Frames kept while there is no film yet.
  var held = HeldTickets()
  var last = SidecarFrame(index: 0, ticks: 0, sequence: 0, exposure: nil)
  /// Known chapters that the film has not reached yet.
  private var chapters: ArraySlice<ClipChapter>
  /// The rest of a block of sound that crosses the boundary.
  private var rest: AudioBuffer?
  private var piece: AudioBuffer?
  /// Samples of each channel taken so far.
  var soundPosition: Int64 = 0
  /// Samples of each channel for a film that the disk has not let begin.
  private var unbegunSound: Int64 = 0
  private let sampleRate: Int?

  var plan: SegmentPlan? { session.parts.segments }

  init(_ session: RecordingSession, _ writing: Writing) {
    self.session = session
    self.writing = writing
    let parts = session.parts
    chapters = parts.chapters[...]
    sampleRate = (parts.resampler?.outputFormat ?? parts.microphone?.format)?.sampleRate
    notes = SegmentNotes(
      session.notes, frameRate: session.frameRate, sampleRate: sampleRate, timeBase: session.timeBase)
    schedule = SegmentSchedule(
      length: parts.segments?.length, mostBytes: parts.segments?.mostBytes, timeBase: session.timeBase)
    writing.notes = notes
  }

  /// Seconds of movie time up to which sound may be taken now.
  var soundLimit: Double {
    guard rest == nil else { return -.infinity }
    guard schedule.boundary < .max, let sampleRate else { return .infinity }
    return Double(sample(at: schedule.boundary)) / Double(sampleRate)
  }

  /// The sample nearest to a frame's time; the later one of two.
  func sample(at ticks: Int64) -> Int64 { (Rational(Int64(sampleRate ?? 0)) * session.timeBase).scaling(ticks) }

  /// The first tick at or after the end of the sound taken so far.
  var soundEnd: Int64 {
    guard let sampleRate else { return 0 }
    let divisor = Int128(sampleRate) * Int128(session.timeBase.numerator)
    return Int64(clamping: (Int128(soundPosition) * Int128(session.timeBase.denominator) + divisor - 1) / divisor)
  }

  // MARK: Pictures

  func take(_ timed: consuming WriteQueue.TimedFrame) {
    let ticket = timed.ticket
    if let failure { return session.lose(failure, ticket.frame.index, at: .writing) }
    do throws(CamrecError) {
      if current == nil, let plan = session.parts.standing {
        return try keep(timed, in: plan.roll)
      }
      if let file = current, session.options.fillsGaps { try fillGap(in: file, before: ticket.frame) }
      if current == nil {
        try open(ticket)
      } else if schedule.isDue(ticket.frame.ticks) {
        part(at: ticket)
      }
      guard let file = current else { return }
      last = ticket.frame
      try write(timed.frame, at: last.ticks - file.firstTicks, in: file.sink)
      session.ledger.written()
      session.state.wrote(
        frame: last.index, seconds: Double(last.ticks) * session.timeBase.doubleValue, sample: sample(at: last.ticks))
      file.frames += 1
      markChapters(in: file)
      passNotes()
      note(ticket.frame, in: file)
      look(at: file)
      lookAtLoad()
      if let rest = rest.take() { route(rest) }
    } catch {
      session.lose(fail(error), ticket.frame.index, at: .writing)
    }
  }

  /// Fills a gap by repeating the frame before it, so that the file has a constant frame rate.
  private func fillGap(in file: OpenSegment, before frame: SidecarFrame) throws(CamrecError) {
    let missing = missing(before: frame), ticks = frame.ticks - last.ticks
    guard file.frames > 0, missing > 0 else { return }
    let seconds = Double(ticks) * session.timeBase.doubleValue
    guard seconds <= SessionOptions.longestFilledGap else {
      session.state.warn(
        saying: "the gap of \(NumberText.short(seconds)) s from frame \(last.index + 1) on is not filled: "
          + "\(setting: .fillGaps) fills gaps of up to 10 s")
      return
    }
    for place in 1...missing {
      try file.sink.repeatFrame(at: last.ticks + ticks * place / (missing + 1) - file.firstTicks)
      file.repeats.add(at: file.frames + file.repeats.count)
      session.state.repeated()
      // An encoder that is too slow takes long for them.
      passNotes()
    }
    file.sidecar?.append(.repeated(frame: last.index + 1 - file.firstFrame, count: missing))
  }

  /// Says that a gap behind the last frame stays: no further frame comes, and the last one lasts as long.
  private func noteGapAtEnd() {
    guard session.options.fillsGaps, failure == nil, let current, current.frames > 0 else { return }
    let seconds = Double(session.state.endTicks - last.ticks) * session.timeBase.doubleValue
    let rate = session.frameRate.framesPerSecond
    let missing = Int64(saturating: (seconds * rate).rounded()) - 1
    guard missing > 0 else { return }
    let frames = missing == 1 ? "1 frame" : "\(missing) frames"
    guard !session.parts.camera.format.isClip else {
      // Some clips count their frames instead of timing them: all that lack seem to lack at the end.
      session.state.warn(
        "\(frames) missing from the clip \(missing == 1 ? "is" : "are") not filled: the film's last frame lasts as "
          + "long instead")
      return
    }
    session.state.warn("the gap of \(frames) at the film's end is not filled: its last frame lasts until there")
  }

  /// Frames missing between the last one and this. A clip does not count its missing frames: its times show them.
  private func missing(before frame: SidecarFrame) -> Int64 {
    guard session.parts.camera.format.isClip else { return frame.index - last.index - 1 }
    let seconds = Double(frame.ticks - last.ticks) * session.timeBase.doubleValue
    return Int64(saturating: (seconds * session.frameRate.framesPerSecond).rounded()) - 1
  }

  /// Names the known chapters that the film has reached; one beyond its last frame has nothing to show. One that a
  /// container has rounded to milliseconds begins with its frame.
  private func markChapters(in file: OpenSegment) {
    let seconds = Double(last.ticks - file.firstTicks) * session.timeBase.doubleValue
    while let chapter = chapters.first, chapter.seconds < seconds + 0.001 {
      chapters.removeFirst()
      file.sink.mark(chapter.title, at: abs(chapter.seconds - seconds) < 0.001 ? seconds : chapter.seconds)
    }
  }

  /// Notes a failure; the sink gets nothing more.
  ///
  /// - Returns: the reason for the loss: the disk, if the output refused something; otherwise a defect.
  @discardableResult func fail(_ error: CamrecError) -> LossReason {
    let reason: LossReason = error.code == .output ? .disk : .defect
    failure = reason
    session.state.wroteAll()
    session.state.fail(error)
    if reason == .disk { session.isRefused(error, current?.sink.fault) }
    return reason
  }

  /// Notes in the sidecar how a frame was taken.
  func note(_ frame: SidecarFrame, in file: OpenSegment) {
    guard let sidecar = file.sidecar else { return }
    var frame = frame
    frame.index -= file.firstFrame
    frame.ticks -= file.firstTicks
    sidecar.append(.frame(frame))
  }

  private func open(_ ticket: FrameTicket) throws(CamrecError) {
    let origin = session.clock.reading?.origin ?? MonotonicTime.now()
    let identity = session.parts.identity, prepared = session.takePreparedFile()
    let start = SegmentStart(
      origin: origin, frame: ticket.frame.index, seconds: Rational(ticket.frame.ticks) * session.timeBase,
      identity: identity, bakedFrame: ticket.frame.index)
    if prepared == nil { session.parts.beginsWithFrame?(ticket.frame.index) }
    let (sink, path) =
      if let prepared { (try prepared.begin(start), prepared.path) } else { try session.parts.openSink(origin) }
    let seconds = Double(ticket.frame.ticks) * session.timeBase.doubleValue
    session.state.opened(sink, at: seconds)
    session.state.began(
      path, identity, number: 1, firstFrame: ticket.frame.index, firstSample: 0, seconds: seconds)
    session.state.beganMovie()
    session.parts.observers.forEach { $0.began(path, identity) }
    current = OpenSegment(
      number: 1, identity: identity, path: path, sink: sink,
      sidecar: prepared.map { openSidecar(of: $0, start) } ?? session.openSidecar(path),
      firstFrame: ticket.frame.index, firstTicks: ticket.frame.ticks, firstSample: 0, before: FrameLedger.Counts())
    schedule.begin(at: ticket.frame.ticks, timeOfDay: timeOfDay(at: ticket.frame.ticks))
    began(prepared?.effort ?? session.parts.effortTake, at: ticket.frame.ticks)
  }

  /// The wall clock's seconds since midnight at a frame.
  func timeOfDay(at ticks: Int64) -> Double {
    plan.map { $0.timeOfDay(instant(ofTicks: ticks)) } ?? 0
  }

  /// When a frame at `ticks` was taken, by the picture's clock.
  func instant(ofTicks ticks: Int64) -> MonotonicTime {
    guard let reading = session.clock.reading else { return MonotonicTime.now() }
    let seconds = Double(ticks) * session.timeBase.doubleValue
    return reading.anchor.advanced(by: Int64((seconds - reading.movieSeconds) / reading.rate * 1e9))
  }

  // MARK: Sound

  /// Gives the buffer back to the sound thread when all of it is written.
  func take(_ timed: consuming WriteQueue.TimedSound) {
    if current == nil, let plan = session.parts.standing { return keep(timed.buffer, in: plan.roll) }
    if let rest = rest.take() {
      // No further frame will come to begin another file.
      schedule.end()
      route(rest)
    }
    route(timed.buffer)
  }

  /// Writes each sample to the file that it belongs to, as far as that is known.
  private func route(_ sound: consuming AudioBuffer) {
    var buffer = sound
    for file in closing {
      guard let end = file.end?.sample else { continue }
      store(Int(clamping: end - soundPosition), of: &buffer, in: file)
    }
    let limit = schedule.boundary < .max ? sample(at: schedule.boundary) - soundPosition : .max
    store(Int(clamping: limit), of: &buffer, in: current)
    if buffer.count > 0 {
      rest = consume buffer
    } else {
      // Always fits: the queue has room for all buffers.
      _ = session.freeSound.offer(buffer)
    }
  }

  /// Writes up to `most` samples from the front; sound after the end of the picture is left out.
  private func store(_ most: Int, of buffer: inout AudioBuffer, in file: OpenSegment?) {
    let count = min(buffer.count, max(0, most))
    guard count > 0 else { return }
    var stored = count
    if let end = session.soundEnd {
      stored = min(count, max(0, Int((end * Double(buffer.format.sampleRate)).rounded()) - Int(soundPosition)))
    }
    // The disk has let no film begin.
    if file == nil, failure == .disk { unbegunSound += Int64(stored) }
    if let file, stored > 0 {
      var isTaken = false
      if !file.hasFailed, failure == nil || file !== current {
        do throws(CamrecError) {
          try write(stored, of: &buffer, in: file.sink)
          isTaken = true
        } catch {
          file.hasFailed = true
          if file === current { fail(error) } else { session.state.fail(error) }
        }
      }
      // What a disk refuses is settled when the file is finished.
      if isTaken || file.sink.fault != nil {
        file.soundFrames += Int64(stored)
        session.state.wrote(soundFrames: stored)
      }
    }
    soundPosition += Int64(count)
    buffer.dropFirst(count)
  }

  private func write(_ count: Int, of buffer: inout AudioBuffer, in sink: any MovieSink) throws(CamrecError) {
    if count == buffer.count { return try sink.write(buffer) }
    if piece == nil { piece = AudioBuffer(format: buffer.format, capacity: RecordingSession.soundBlock) }
    guard var part = piece.take() else { return }
    part.copy(buffer, count: count)
    var failure: CamrecError?
    do throws(CamrecError) {
      try sink.write(part)
    } catch {
      failure = error
    }
    piece = consume part
    if let failure { throw failure }
  }

  // MARK: Files

  private func look(at file: OpenSegment) {
    guard let plan else { return }
    let bytes = file.sink.bytesTaken, frames = Int64(file.frames)
    if plan.mostBytes != nil { schedule.look(bytes: bytes, frames: frames, ticks: last.ticks, soundEnd: soundEnd) }
    guard preparation == nil, last.ticks >= retryTicks else { return }
    if schedule.isNear(bytes: bytes, frames: frames, ticks: last.ticks) {
      preparation = SegmentPreparation(plan.prepare)
    }
  }

  /// After each item.
  func goOn() {
    do throws(CamrecError) {
      if failure == nil { try beginIfAsked() }
    } catch {
      fail(error)
    }
    lookAtPlaces()
    passNotes()
    while let file = closing.first, hasAllSound(file) {
      closing.removeFirst()
      handOver(file)
    }
    guard let current else { return }
    session.state.wrote(bytes: closing.reduce(partedBytes + current.sink.bytesWritten) { $0 + $1.sink.bytesWritten })
  }

  private func hasAllSound(_ file: OpenSegment) -> Bool {
    guard session.parts.microphone != nil, let end = file.end?.sample else { return true }
    if soundPosition >= end, session.state.soundSettled >= end { return true }
    return session.writeQueue.isSoundOver
  }

  private func handOver(_ file: OpenSegment) {
    guard let end = file.end else { return }
    partedBytes += file.sink.bytesWritten
    let session = session, writing = writing
    // A file that must be copied delays no other file.
    (file.place == .unlinked ? rescues : finishes).begin { session.finishParted(file, end, writing) }
  }

  /// Called after each item, and while none comes.
  func passNotes() {
    guard let current else { return }
    if plan == nil, current.number == 1, current.place != .unlinked {
      notes.passAtOnce(to: current, ticks: last.ticks)
    } else {
      notes.pass(to: closing + [current], frame: last.index, ticks: last.ticks, sample: soundPosition)
    }
    guard let sidecar = current.sidecar else { return }
    // Also while only sound comes.
    if let due = sidecar.due, due <= MonotonicTime.now() { sidecar.handOver() }
    if !current.isSidecarReleased, current.sink.disk.isNamed {
      current.isSidecarReleased = true
      sidecar.release()
    }
    let loss = current.place == .inPlace ? sidecar.takeLoss() : nil
    let refusal = sidecar.takeFailure(isFilmOver: failure != nil || current.sink.fault != nil)
    if let sentence = refusal?.description ?? sidecar.takeStall() ?? loss { session.state.warn(sentence) }
  }

  /// Ends the writing once everything is taken.
  func end() {
    // If the camera goes away while its film begins, record what there is.
    goOn()
    schedule.end()
    if let rest = rest.take() { route(rest) }
    if unbegunSound > 0 {
      // What the microphone had lost is lost already.
      let silent = min(unbegunSound, session.state.sound?.lostFrames ?? 0)
      session.state.refused(samples: unbegunSound, silent: silent, from: 0)
    }
    if case .success(let unused)? = preparation?.result() { unused.discard() }
    noteGapAtEnd()
    // First: those that were taken go into this film.
    session.state.closeToMarkers()
    if let current {
      notes.pass(to: closing + [current], frame: .max, ticks: .max, sample: .max)
      session.state.wroteAll()
      closing.forEach(handOver)
      let end = session.state.endTicks
      writing.report = session.finish(current, at: end)
      session.state.endTicks = session.end(of: current, writing.report, planned: end)
      writing.last = current
    }
    writing.unreached = Array(chapters)
    finishes.wait(forAtMost: 0)
    rescues.wait(forAtMost: 0)
  }
}
