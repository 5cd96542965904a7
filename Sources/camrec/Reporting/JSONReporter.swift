import Foundation
import Frames
import Movies
import Recorder

/// Reports to a program: one JSON object per line on standard output.
final class JSONReporter: Reporter {
  private let encoder = JSONEncoder()
  private var description: RecordingDescription?
  private var bitrate = BitrateMeter()
  private var firstFrame: MonotonicTime?

  init() { encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes] }

  func prepared(_ description: RecordingDescription) { self.description = description }

  func started(at time: MonotonicTime) {
    firstFrame = time
    guard let description else { return }
    write(StartedEvent(description))
  }

  func progressed(_ progress: SessionProgress) {
    write(
      ProgressEvent(
        seconds: progress.seconds, frames: progress.counts.written, fps: progress.framesPerSecond,
        ledger: LedgerRecord(progress.counts), bytes: progress.bytes,
        bitrate: bitrate.megabitsPerSecond(bytes: progress.bytes, seconds: progress.seconds) * 1e6,
        peak: progress.peak, freeBytes: description.flatMap { FreeSpace.bytes(beside: $0.output) }))
  }

  func warned(_ sentence: String) { write(WarningEvent(message: sentence)) }

  func stopped(_ summary: SessionSummary, status: ExitStatus) {
    var event = StoppedEvent(status: status.rawValue, ledger: LedgerRecord(summary.counts))
    event.output = summary.movie?.path
    event.frames = summary.movie?.frames
    event.bytes = summary.movie?.bytes
    event.sound = summary.sound.map(SoundRecord.init)
    event.ratePartsPerMillion = summary.ratePartsPerMillion
    event.isVariableRate = summary.isVariableRate
    event.secondsToFirstFrame = firstFrame.map { Double($0 - ProcessClock.launch) * 1e-9 }
    event.soundError = summary.soundFailure.map(ErrorRecord.init)
    event.error = summary.failure.map(ErrorRecord.init)
    write(event)
    if let failure = summary.failure { HumanText.error(failure) }
  }

  /// Said to people, too.
  func refused(_ error: CamrecError) {
    HumanText.error(error)
    var event = StoppedEvent(status: ExitStatus(error).rawValue, ledger: LedgerRecord(FrameLedger.Counts()))
    event.error = ErrorRecord(error)
    write(event)
  }

  /// A reader that has gone away is no reason to stop recording.
  private func write(_ event: some Encodable) {
    guard var line = try? encoder.encode(event) else { return }
    line.append(UInt8(ascii: "\n"))
    try? FileHandle.standardOutput.write(contentsOf: line)
  }
}
