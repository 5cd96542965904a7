import Foundation
import Frames
import Movies
import Platform
import RecorderAPI
import Sidecar

extension FilmWriting {
  /// Seconds of film between a failed attempt to make the next file and another one.
  private static let retrySeconds: Int64 = 10

  /// Continues in the next file if it is ready; otherwise the present one continues for a frame.
  func part(at ticket: FrameTicket) {
    guard let old = current, let plan = plan ?? session.parts.continuation else { return }
    let ticks = ticket.frame.ticks
    // The sidecar of a deleted film has losses up to there.
    if notes.isAhead(of: ticket.frame.index, sample: sample(at: ticks)) { return schedule.postpone(behind: ticks) }
    let mustPart =
      old.place == .unlinked
      || schedule.isAtLimit(bytes: old.sink.bytesTaken, frames: Int64(old.frames), ticks: ticks)
    let waits = session.options.overload == .wait || mustPart
    if waits { finishes.wait(forAtMost: max(0, plan.mostFinishing - closing.count - 1)) }
    guard closing.count + finishes.count < plan.mostFinishing || mustPart else {
      warnOnce(
        "'\(old.path)' goes on, because the films before it are not finished yet (a slow disk, or late audio)")
      return schedule.postpone(behind: ticks)
    }
    if preparation == nil, ticks >= retryTicks { preparation = SegmentPreparation(plan.prepare) }
    guard let outcome = waits ? preparation?.result() : preparation?.ready else {
      return schedule.postpone(behind: ticks)
    }
    preparation = nil
    do throws(CamrecError) {
      try goOn(in: try outcome.get(), behind: old, at: ticket)
      hasWarned = false
    } catch {
      warnOnce("cannot begin the next film, so '\(old.path)' goes on: \(error.description)")
      retryTicks = ticks + session.timeBase.inverse.scaling(FilmWriting.retrySeconds)
      schedule.postpone(behind: ticks)
    }
  }

  private func goOn(
    in next: any PreparedSegment, behind old: OpenSegment, at ticket: FrameTicket
  ) throws(CamrecError) {
    let frame = ticket.frame
    let film = session.start
    let start = SegmentStart(
      origin: film.time, frame: frame.index - film.frame,
      seconds: Rational(frame.ticks - film.ticks) * session.timeBase, identity: old.identity.anotherFilm(),
      bakedFrame: frame.index)
    let sink = try next.begin(start)
    let seconds = Double(frame.ticks) * session.timeBase.doubleValue
    session.state.opened(sink, at: seconds)
    var sidecar: SidecarWriter?
    do throws(CamrecError) {
      sidecar = try next.openSidecar(start)
    } catch {
      session.state.warn("the film has no sidecar: \(error.description)")
    }
    sidecar?.append(.continuation(film: PathText(old.path).name, seconds: 0, frames: 0))
    // Notes from before the frame belong to the old file, and those of the frame itself to the new one.
    notes.pass(to: closing + [old], frame: frame.index, ticks: frame.ticks - 1, sample: soundPosition)
    let end = OpenSegment.End(ticks: frame.ticks, sample: sample(at: frame.ticks), before: ticket.before)
    old.end = end
    // Its sound, and with it its end, may be long in coming.
    old.sidecar?.handOver()
    closing.append(old)
    current = OpenSegment(
      number: old.number + 1, identity: start.identity, path: next.path, sink: sink, sidecar: sidecar,
      firstFrame: frame.index, firstTicks: frame.ticks, firstSample: end.sample, before: ticket.before)
    schedule.left(bytes: old.sink.bytesTaken, at: frame.ticks)
    schedule.begin(at: frame.ticks, timeOfDay: timeOfDay(at: frame.ticks))
    began(next.effort, at: frame.ticks)
    session.state.began(
      next.path, start.identity, number: old.number + 1, firstFrame: frame.index, firstSample: end.sample,
      seconds: seconds)
    session.parts.observers.forEach { $0.began(next.path, start.identity) }
  }

  private func warnOnce(_ sentence: String) {
    guard !hasWarned else { return }
    hasWarned = true
    session.state.warn(sentence)
  }
}
