import Assembly
import Frames
import Testing

/// What is said of a report that cannot be written for a while.
struct ReportFaultTests {
  private func at(_ seconds: Double) -> MonotonicTime { MonotonicTime(nanoseconds: Int64(seconds * 1e9)) }

  @Test func itIsSaidOnce_andOnceAgainWhenItIsOver() {
    var fault = ReportFault()
    #expect(!fault.succeeded(at: at(0)), "nothing was wrong")
    #expect(fault.failed())
    for _ in 1...60 { #expect(!fault.failed()) }
    let over = (0...60).map { fault.succeeded(at: at(100 + Double($0))) }
    #expect(over.filter(\.self).count == 1)
    #expect(fault.failed(), "a new one")
  }

  /// A disk that is full and is not by turns.
  @Test func oneThatComesAndGoesIsOne() {
    var fault = ReportFault()
    #expect(fault.failed())
    for second in 1...600 {
      #expect(second % 3 == 0 ? !fault.failed() : !fault.succeeded(at: at(Double(second))))
    }
    let over = (601...700).map { fault.succeeded(at: at(Double($0))) }
    #expect(over.contains(true))
  }
}
