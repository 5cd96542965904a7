import Foundation
import Frames
import Movies
import Platform
import Sidecar
import Synchronization

/// The sidecar: everything known about each frame, written by the write thread as it comes.
extension RecordingSession {
  /// Enters a frame as lost. Any thread.
  func lose(_ reason: LossReason, _ index: Int64, at stage: FrameLedger.Stage) {
    ledger.lost(reason, at: stage)
    noteLoss(reason, frame: index, count: 1)
  }

  /// Notes frames for the sidecar and the log that the ledger has as lost. Any thread.
  func noteLoss(_ reason: LossReason, frame: Int64?, count: Int64) {
    // A film that begins later reports those that it includes as its own.
    if isStanding {
      state.lostInPreRoll(reason, count: count)
    } else {
      state.lost(reason, frame: frame.map { max(0, $0 - start.frame) }, count: count)
    }
    notes.add(.frameLoss(reason, frame: frame, count: count))
  }

  /// The file in which lost frames or lost sound lie; `nil` while that is not known. Any thread.
  ///
  /// - Parameter extent: as the log is told: counted from the film's beginning.
  func place(ofLost extent: LossExtent, isEnd: Bool) -> LossPlace? {
    let begin = start
    let place = state.place(
      ofLost: extent.moved(frames: begin.frame, samples: begin.sample), isDivided: parts.segments != nil, isEnd: isEnd)
    return place.flatMap {
      $0.film.isEmpty
        ? nil
        : LossPlace(
          film: $0.film, firstFrame: $0.firstFrame - begin.frame, firstSample: $0.firstSample - begin.sample)
    }
  }

  /// Opens the film's sidecar; a failure is only a warning. Write thread.
  func openSidecar(_ film: String) -> SidecarWriter? {
    guard let open = parts.openSidecar else { return nil }
    do throws(CamrecError) {
      return try open(clock.reading?.origin ?? MonotonicTime.now(), film)
    } catch {
      state.warn("the film has no sidecar: \(error.description)")
      return nil
    }
  }

  /// Writes the last record of the last file, when the ledger is closed.
  func end(_ writing: Writing) {
    guard let segment = writing.last else { return }
    let sum = writing.parted.withLock { $0 }
    let counts = ledger.counts - sum.counts, sound = state.sound
    writing.notes?.passAll(to: segment)
    end(
      segment, counts, ticks: state.endTicks,
      soundFrames: sound.map { $0.frames - sum.soundFrames }, soundLost: sound.map { $0.lostFrames - sum.soundLost },
      failure: ending(ofLast: segment), isKept: writing.report != nil)
    tell(segment, counts, writing.report, endTicks: state.endTicks)
  }

  /// - Parameters:
  ///   - ticks: where the file ends, counted from the start of the recording.
  ///   - failure: why it ended early.
  ///   - isKept: otherwise its sidecar goes with the file, whatever has become of it.
  func end(
    _ segment: OpenSegment, _ counts: FrameLedger.Counts, ticks: Int64, soundFrames: Int64?, soundLost: Int64?,
    failure: String? = nil, isKept: Bool
  ) {
    guard let sidecar = segment.sidecar else { return }
    var losses: [LossReason: Int64] = [:]
    for reason in LossReason.allCases where counts.lost(reason) > 0 { losses[reason] = Int64(counts.lost(reason)) }
    sidecar.append(
      .end(
        SidecarEnd(
          date: Date(), expected: Int64(counts.expected), captured: Int64(counts.captured),
          written: Int64(counts.written), losses: losses, ticks: ticks - segment.firstTicks, soundFrames: soundFrames,
          soundLost: soundLost, ratePartsPerMillion: state.ratePartsPerMillion, failure: failure)))
    if isKept, let sentence = sidecar.takeFailure()?.description ?? sidecar.takeStall() {
      say(SessionRemark(sentence), of: segment)
    }
    if sidecar.isStalled { state.leaves(sidecar.stalledFile) }
  }
}
