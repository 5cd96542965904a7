import Frames
import Logging
import Recorder
import RecorderAPI
import Reporting
import Telemetry
import Testing

/// What a log says of a recording, for whoever filters it by level and film.
@Suite struct LogReporterTests {
  private let kept = KeptLog()

  private func reporter() -> LogReporter { LogReporter(RecorderLogHandler.logger(to: kept, level: .info)) }

  private func segment(_ number: Int, isCutOff: Bool = false) -> FinishedSegment {
    FinishedSegment(
      number: number, identity: RecordingIdentity(), path: "take-000\(number).mov", bytes: 1000, frames: 25,
      counts: FrameLedger.Counts(), firstFrame: 0, start: 0, duration: 1, timecode: nil, isCutOff: isCutOff)
  }

  @Test func aSegmentThatADiskHasCutOff_isAWarning_andNotComplete() {
    let reporter = reporter()
    reporter.segmented(segment(1))
    reporter.segmented(segment(2, isCutOff: true))
    #expect(kept.entries.map(\.message) == ["take-0001.mov is complete", "take-0002.mov is cut off"])
    #expect(kept.entries.map(\.level) == [.notice, .warning])
    #expect(kept.entries.map { $0.fields["film"] } == ["take-0001.mov", "take-0002.mov"])
  }

  @Test func whatIsSaidOfAFilmThatIsBeingFinished_hasThatFilm() {
    let reporter = reporter()
    reporter.writes("new.mov")
    var old = SessionRemark("the disk of 'old.mov' is filling up")
    old.film = "old.mov"
    reporter.remarked(old)
    reporter.remarked(SessionRemark("the encoder is slow"))
    reporter.remarked(SessionRemark("the camera is gone", namesFilm: true))
    #expect(kept.entries.map { $0.fields["film"] } == ["old.mov", "new.mov", nil])
  }
}
