package import Frames
import Movies
package import Recorder
package import RecorderAPI

/// Passes everything on, and counts the warnings among it.
package final class CountingReporter: Reporter {
  private let next: any Reporter
  private let warnings: WarningCount

  package init(_ next: any Reporter, _ warnings: WarningCount) {
    self.next = next
    self.warnings = warnings
  }

  package func warned(_ sentence: String) {
    warnings.add()
    next.warned(sentence)
  }

  package func remarked(_ remark: SessionRemark) {
    if remark.isWarning { warnings.add() }
    next.remarked(remark)
  }

  package func eased(_ change: EffortChange) {
    warnings.add()
    next.eased(change)
  }

  package func isReached(at socket: @escaping () -> String?, monitor: @escaping () -> String?) {
    next.isReached(at: socket, monitor: monitor)
  }
  package func prepared(_ description: RecordingDescription) { next.prepared(description) }
  package func begins(withFrame number: Int64) { next.begins(withFrame: number) }
  package func started(at time: MonotonicTime) { next.started(at: time) }
  package func writes(_ path: String) { next.writes(path) }
  package func progressed(_ progress: SessionProgress) { next.progressed(progress) }
  package func segmented(_ segment: FinishedSegment) { next.segmented(segment) }
  package func standsBy() { next.standsBy() }
  package func keeps(_ preRoll: PreRollDescription) { next.keeps(preRoll) }
  package func refused(_ error: CamrecError) { next.refused(error) }
  package func stopped(_ summary: SessionSummary, status: ExitStatus) { next.stopped(summary, status: status) }
}
