import Frames
import Reporting
import Testing

/// How a recorder ended is not what its exit status says: that is of the first film that was not a success.
struct RecorderEndTests {
  private func at(_ seconds: Int64) -> MonotonicTime { MonotonicTime(nanoseconds: seconds * 1_000_000_000) }

  @Test func aRecorderThatEndsByItself_endsAsItsLastFilm() {
    let end = RecorderEnd(films: .lost, last: (.output, at(9)), asked: nil)
    #expect(end.status == .output && !end.isAsked)
    #expect(RecorderEnd(films: .lost, last: (.success, at(9)), asked: nil).status == .success)
  }

  @Test func aFilmThatIsFinishedOnRequest_decides() {
    for status in [Reporting.ExitStatus.success, .lost, .output] {
      let end = RecorderEnd(films: .device, last: (status, at(9)), asked: at(8))
      #expect(end.status == status && end.isAsked)
    }
  }

  @Test func aFailureBeforeTheRequest_isALoss() {
    #expect(RecorderEnd(films: .output, last: (.output, at(7)), asked: at(8)).status == .lost)
    #expect(RecorderEnd(films: .device, last: (.success, at(7)), asked: at(8)).status == .lost)
    #expect(RecorderEnd(films: .success, last: (.success, at(7)), asked: at(8)).status == .success)
    #expect(RecorderEnd(films: .success, last: nil, asked: at(8)).status == .success)
  }

  @Test func aDeletedFilmWithoutACopy_isAFailureOfTheEnd() {
    #expect(RecorderEnd(films: .success, last: (.lost, at(7)), asked: at(8), lacksCopy: true).status == .output)
  }
}
