import Frames
import Movies
import Recorder

/// Passes everything on, and counts the warnings among it.
final class CountingReporter: Reporter {
  private let next: any Reporter
  private let warnings: WarningCount

  init(_ next: any Reporter, _ warnings: WarningCount) {
    self.next = next
    self.warnings = warnings
  }

  func warned(_ sentence: String) {
    warnings.add()
    next.warned(sentence)
  }

  func remarked(_ remark: SessionRemark) {
    if remark.isWarning { warnings.add() }
    next.remarked(remark)
  }

  func eased(_ change: EffortChange) {
    warnings.add()
    next.eased(change)
  }

  func isReached(at socket: @escaping () -> String?) { next.isReached(at: socket) }
  func prepared(_ description: RecordingDescription) { next.prepared(description) }
  func started(at time: MonotonicTime) { next.started(at: time) }
  func writes(_ path: String) { next.writes(path) }
  func progressed(_ progress: SessionProgress) { next.progressed(progress) }
  func segmented(_ segment: FinishedSegment) { next.segmented(segment) }
  func standsBy() { next.standsBy() }
  func keeps(_ preRoll: PreRollDescription) { next.keeps(preRoll) }
  func refused(_ error: CamrecError) { next.refused(error) }
  func stopped(_ summary: SessionSummary, status: ExitStatus) { next.stopped(summary, status: status) }
}
