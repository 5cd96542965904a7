package import Frames
package import Recorder
package import RecorderAPI

/// Reports nothing: for trial recordings and for golden cases.
package final class SilentReporter: Reporter {
  package init() {}

  package func prepared(_ description: RecordingDescription) {}
  package func standsBy() {}
  package func keeps(_ preRoll: PreRollDescription) {}
  package func refused(_ error: CamrecError) {}
  package func stopped(_ summary: SessionSummary, status: ExitStatus) {}
  package func started(at time: MonotonicTime) {}
  package func progressed(_ progress: SessionProgress) {}
  package func warned(_ sentence: String) {}
}
