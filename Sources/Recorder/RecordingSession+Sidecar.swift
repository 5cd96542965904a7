import Foundation
import Frames
import Sidecar

/// The sidecar: everything that says something about a frame, written by the write thread as it comes.
extension RecordingSession {
  /// A frame that has entered is lost. Any thread.
  func lose(_ reason: LossReason, _ index: Int64) {
    ledger.lost(reason)
    notes?.add(.frameLoss(reason, frame: index, count: 1))
  }

  /// Write thread. A film without a sidecar is a film.
  func openSidecar() -> SidecarWriter? {
    guard let open = parts.openSidecar else { return nil }
    do throws(CamrecError) {
      return try open(clock.reading?.origin ?? MonotonicTime.now())
    } catch {
      state.warn("the film has no sidecar: \(error.description)")
      return nil
    }
  }

  /// Write thread: what the others have noted since.
  func pass(to sidecar: SidecarWriter) {
    while let record = notes?.take() { sidecar.append(record) }
    if let failure = sidecar.takeFailure() { state.warn(failure.description) }
  }

  /// The last record, when the ledger is closed.
  func end(_ sidecar: SidecarWriter?, _ summary: SessionSummary) {
    guard let sidecar else { return }
    let counts = ledger.counts
    var losses: [LossReason: Int64] = [:]
    for reason in LossReason.allCases where counts.lost(reason) > 0 { losses[reason] = Int64(counts.lost(reason)) }
    pass(to: sidecar)
    sidecar.append(
      .end(
        SidecarEnd(
          date: Date(), expected: Int64(counts.expected), captured: Int64(counts.captured),
          written: Int64(counts.written), losses: losses, ticks: state.endTicks, soundFrames: summary.sound?.frames,
          soundLost: summary.sound?.lostFrames, ratePartsPerMillion: summary.ratePartsPerMillion,
          failure: summary.failure?.description)))
    if let failure = sidecar.takeFailure() { state.warn(failure.description) }
  }
}
