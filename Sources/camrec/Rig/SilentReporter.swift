import Frames
import Recorder

/// Reports nothing: for trial recordings and for golden cases.
final class SilentReporter: Reporter {
  func prepared(_ description: RecordingDescription) {}
  func standsBy() {}
  func keeps(_ preRoll: PreRollDescription) {}
  func refused(_ error: CamrecError) {}
  func stopped(_ summary: SessionSummary, status: ExitStatus) {}
  func started(at time: MonotonicTime) {}
  func progressed(_ progress: SessionProgress) {}
  func warned(_ sentence: String) {}
}
