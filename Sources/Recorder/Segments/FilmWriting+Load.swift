import Cameras
import Frames
import Movies
import Platform
import Sidecar

extension FilmWriting {
  /// Gives the encoder a frame, and measures how long it takes.
  func write(_ frame: consuming Frame, at ticks: Int64, in sink: any MovieSink) throws(CamrecError) {
    guard isFollowingLoad else { return try sink.write(frame, at: ticks) }
    let begin = MonotonicTime.now()
    try sink.write(frame, at: ticks)
    let isHeldUp = sink.isHeldUp(since: begin)
    load.add(busy: isHeldUp ? nil : MonotonicTime.now() - begin)
  }

  /// Called after each frame: once a second the policy gets a reading. A source that waits is never too fast.
  func lookAtLoad() {
    guard isFollowingLoad, let effort = session.parts.effort else { return }
    let now = MonotonicTime.now(), options = session.options
    guard load.isDue(at: now) else { return }
    let reading = load.read(
      lost: session.ledger.counts.overloads, isFull: session.writeQueue.depths.frames >= options.bakedQueue,
      frameSeconds: session.frameRate.frameDuration.doubleValue, at: now)
    guard let reading else { return }
    let isClip = session.parts.camera.format.isClip
    guard let change = effort.look(reading, hasNextFile: plan != nil, isClip: isClip, at: now) else { return }
    session.state.eased(change)
    if change.isUrgent { hasten() }
  }

  /// A file begins.
  func began(_ take: EffortControl.Take, at ticks: Int64) {
    guard let effort = session.parts.effort else { return }
    if let preset = take.preset, take.step != effortStep {
      session.notes.add(.setting("preset", value: preset, seconds: Double(ticks) * session.timeBase.doubleValue))
    }
    effortStep = take.step
    if effort.began(step: take.step, at: .now()) { hasten() }
  }

  /// Begins the next file soon: until then any frame may be lost.
  private func hasten() {
    guard plan != nil, let current else { return }
    schedule.hasten(behind: max(last.ticks, current.firstTicks))
  }

  private var isFollowingLoad: Bool { session.parts.effort != nil && session.options.overload != .wait }
}
