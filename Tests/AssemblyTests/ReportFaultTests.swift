import Assembly
import Frames
import Testing

/// What is said of a report that cannot be written for a while.
struct ReportFaultTests {
  /// The seconds in which something is said, of attempts once a second.
  ///
  /// - Parameter isWritten: what becomes of each attempt.
  private func said(in seconds: Range<Int>, isWritten: (Int) -> Bool) -> [Int] {
    var fault = ReportFault()
    return seconds.filter { second in
      let now = MonotonicTime(nanoseconds: Int64(second) * 1_000_000_000)
      return isWritten(second) ? fault.succeeded(at: now) : fault.failed()
    }
  }

  @Test func itIsSaidOnce_andOnceAgainWhenItIsOver() {
    #expect(said(in: 0..<100) { _ in true } == [], "nothing was wrong")
    #expect(said(in: 0..<300) { !(10..<60).contains($0) && !(200..<220).contains($0) } == [10, 65, 200, 225])
  }

  /// A disk that is full and is not by turns.
  @Test func oneThatComesAndGoesIsOne() {
    #expect(said(in: 0..<700) { $0 >= 600 || !$0.isMultiple(of: 3) } == [0, 603])
  }
}
