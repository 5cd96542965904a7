import Foundation
package import Frames
import Movies
import Platform
package import Recorder
package import RecorderAPI
import Telemetry
package import Terminal

/// Reports to a program: one JSON object per line on standard output.
package final class JSONReporter: Reporter {
  private var description: RecordingDescription?
  private var bitrate = BitrateMeter()
  /// From the start of the process to its first frame, until it is reported.
  private var secondsToFirstFrame: Double?
  /// The next film is the first one, and starts with the process.
  private var beginsWithProcess = true
  private var hasSegments = false
  /// The paths of the control socket and of the monitor socket, if there are any.
  private var socket: () -> String? = { nil }
  private var monitor: () -> String? = { nil }

  /// Reports errors to people, too, on standard error.
  private let saysErrors: Bool
  /// The progress through a clip, and the clip's frames a second.
  private var pace: (pace: WorkPace, extent: BakeExtent, realTime: Double)?

  package init(saysErrors: Bool = true, pace: (pace: WorkPace, extent: BakeExtent, realTime: Double)? = nil) {
    self.saysErrors = saysErrors
    self.pace = pace
  }

  package func isReached(at socket: @escaping () -> String?, monitor: @escaping () -> String?) {
    self.socket = socket
    self.monitor = monitor
  }

  package func prepared(_ description: RecordingDescription) { self.description = description }

  package func begins(withFrame number: Int64) {
    guard let look = description?.look else { return }
    description?.look = look.from(frame: number)
  }

  package func started(at time: MonotonicTime) {
    if beginsWithProcess { secondsToFirstFrame = Double(time - ProcessClock.launch) * 1e-9 }
    beginsWithProcess = false
    guard let description else { return }
    write(StartedEvent(description, socket: socket(), monitor: monitor()))
  }

  package func progressed(_ progress: SessionProgress) {
    var event = ProgressEvent(
      seconds: progress.seconds, frames: progress.frames, fps: progress.framesPerSecond,
      ledger: LedgerRecord(progress.counts), bytes: progress.bytes,
      bitrate: bitrate.megabitsPerSecond(bytes: progress.bytes, seconds: progress.seconds) * 1e6,
      peak: progress.peak, freeBytes: description.flatMap { FreeSpace.bytes(beside: $0.output) },
      unsavedSeconds: progress.unsavedSeconds)
    let now = MonotonicTime.now()
    if let extent = pace?.extent { pace?.pace.reach(extent.done(progress), at: now) }
    if let pace, pace.pace.total != nil {
      let reading = WorkReading(pace.pace, realTime: pace.realTime, at: now)
      (event.total, event.percent, event.speed) = (pace.pace.total, reading.percent, reading.speed)
      (event.secondsLeft, event.isFinishing) = (reading.secondsLeft, reading.isFinishing)
    }
    write(event, .routine)
  }

  package func segmented(_ segment: FinishedSegment) {
    hasSegments = true
    write(SegmentEvent(segment))
  }

  package func remarked(_ remark: SessionRemark) {
    let hasMessageAlone = remark.isWarning && !remark.isError && remark.facts.isEmpty
    if hasMessageAlone { warned(remark.message) } else { write(RemarkEvent(remark)) }
  }

  package func warned(_ sentence: String) { write(WarningEvent(message: sentence)) }

  package func eased(_ change: EffortChange) { write(EffortEvent(change)) }

  package func stopped(_ summary: SessionSummary, status: ExitStatus) {
    // A session's last segment has been reported; the next session may have none.
    defer { hasSegments = false }
    summary.remarks.forEach(remarked)
    var event = StoppedEvent(status: status.rawValue, ledger: LedgerRecord(summary.counts))
    event.recordingID = summary.identity?.recordingID
    event.filmID = summary.identity?.filmID
    event.between = summary.framesBetween
    event.output = summary.movie?.path
    event.frames = summary.movie?.frames
    event.repeated = summary.repeated
    event.discarded = summary.discardedFrames > 0 ? summary.discardedFrames : nil
    event.isPartial = summary.partial.map { _ in true }
    event.total = summary.partial?.total
    event.bytes = summary.movie?.bytes
    event.seconds = summary.movie.map { _ in summary.seconds }
    event.segments = hasSegments ? summary.segments : nil
    event.sound = summary.sound.map(SoundRecord.init)
    event.ratePartsPerMillion = summary.ratePartsPerMillion
    event.isVariableRate = summary.isVariableRate
    (event.secondsToFirstFrame, secondsToFirstFrame) = (secondsToFirstFrame, nil)
    event.soundError = summary.soundFailure.map(ErrorRecord.init)
    event.error = summary.failure.map(ErrorRecord.init)
    write(event)
    if let failure = summary.failure, saysErrors { HumanText.error(failure) }
  }

  package func standsBy() {
    beginsWithProcess = false
    write(StandbyEvent())
  }

  package func keeps(_ preRoll: PreRollDescription) {
    write(PreRollEvent(seconds: preRoll.seconds, bytes: preRoll.bytes, secondsAtMost: preRoll.secondsAtMost))
  }

  package func refused(_ error: CamrecError) {
    if saysErrors { HumanText.error(error) }
    var event = StoppedEvent(status: ExitStatus(error).rawValue, ledger: LedgerRecord(FrameLedger.Counts()))
    event.error = ErrorRecord(error)
    write(event)
  }

  private func write(_ event: some Encodable, _ weight: LineWriter.Weight = .news) { EventLine.write(event, weight) }
}
