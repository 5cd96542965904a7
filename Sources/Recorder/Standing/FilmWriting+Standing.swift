import Audio
import Frames
import Movies
import Platform
import Sidecar

/// The write thread in standby, before a film with a pre-roll begins.
extension FilmWriting {
  /// Encodes the frame and keeps it until it is too old.
  func keep(_ timed: consuming WriteQueue.TimedFrame, in roll: any PreRoll) throws(CamrecError) {
    let ticket = timed.ticket
    roll.keepAll(session.standing.isAsked)
    try roll.write(timed.frame, at: ticket.frame.ticks)
    last = ticket.frame
    held.append(ticket)
    guard let begin = roll.begin else { return }
    held.forget(before: begin)
    forgetNotes()
  }

  /// Begins the film if a start was requested.
  func beginIfAsked() throws(CamrecError) {
    guard current == nil, let plan = session.parts.standing, held.first != nil, session.standing.isAsked,
      let (file, asked) = session.standing.takePrepared()
    else { return }
    do throws(CamrecError) {
      try begin(file, plan, from: asked)
    } catch {
      file.discard()
      throw error
    }
  }

  private func begin(
    _ file: any PreparedSegment, _ plan: StandingPlan, from asked: Double
  ) throws(CamrecError) {
    let ticks = Int64((asked / session.timeBase.doubleValue).rounded(.down))
    guard let time = plan.roll.start(for: ticks) else {
      throw CamrecError(.defect, "the film cannot begin: no frame was kept for it")
    }
    held.forget(before: time)
    guard let first = held.first else { throw CamrecError(.defect, "the film's first frame is not known") }
    let start = FilmStart(
      frame: first.frame.index, ticks: time, sample: sample(at: time), time: instant(ofTicks: time))
    forgetNotes()
    plan.roll.begins(at: time, sample: start.sample)
    let identity = session.parts.identity
    let own = SegmentStart(
      origin: start.time, frame: 0, seconds: Rational(0), identity: identity, bakedFrame: start.frame)
    let sink = try file.begin(own)
    let seconds = Double(time) * session.timeBase.doubleValue
    session.state.opened(sink, at: seconds)
    let segment = OpenSegment(
      number: 1, identity: identity, path: file.path, sink: sink, sidecar: openSidecar(of: file, own),
      firstFrame: start.frame, firstTicks: time, firstSample: start.sample, before: first.before)
    current = segment
    session.ledger.begins(before: first.before, written: held.count)
    session.state.forgets(sound: notes.forgotten, samples: start.sample)
    session.standing.begins(start)
    session.state.began(
      file.path, identity, number: 1, firstFrame: start.frame, firstSample: start.sample, seconds: seconds)
    session.state.beganMovie()
    session.parts.observers.forEach { $0.began(file.path, identity) }
    segment.frames = held.count
    segment.soundFrames = max(0, soundPosition - start.sample)
    session.state.wrote(soundFrames: Int(segment.soundFrames))
    for ticket in held.all { note(ticket.frame, in: segment) }
    notes.waitingLosses.forEach {
      session.state.lost($0.reason, frame: $0.frame.map { $0 - start.frame }, count: $0.count)
    }
    held = HeldTickets()
    schedule.begin(at: time, timeOfDay: timeOfDay(at: time), preRollEnd: max(last.ticks, soundEnd))
    began(session.parts.effortTake, at: time)
  }

  func openSidecar(of file: any PreparedSegment, _ start: SegmentStart) -> SidecarWriter? {
    do throws(CamrecError) {
      return try file.openSidecar(start)
    } catch {
      session.state.warn("the film has no sidecar: \(error.description)")
      return nil
    }
  }

  /// Drops notes about frames and sound that no film will include.
  private func forgetNotes() {
    guard let first = held.first?.frame else { return }
    notes.forget(
      before: first.index, seconds: Double(first.ticks) * session.timeBase.doubleValue, sample: sample(at: first.ticks))
  }

  /// Keeps the sound, and returns the queue's buffer.
  func keep(_ sound: consuming AudioBuffer, in roll: any PreRoll) {
    var buffer = sound
    if failure == nil {
      do throws(CamrecError) {
        try roll.write(buffer, at: soundPosition)
      } catch {
        fail(error)
      }
    }
    soundPosition += Int64(buffer.count)
    buffer.dropFirst(buffer.count)
    _ = session.freeSound.offer(buffer)
  }
}
