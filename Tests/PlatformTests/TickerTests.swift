import Platform
import Synchronization
import Testing

@Suite struct TickerTests {
  @Test func aBodyIsCalledAgainAndAgain() {
    let called = MonotonicSemaphore()
    let tick = Ticker.shared.every(0.001) { called.signal() }
    for _ in 0..<5 { #expect(called.wait(within: 60)) }
    tick.close()
  }

  @Test func aClosedOneIsNotCalledAnyMore() {
    let count = Atomic<Int>(0)
    let called = MonotonicSemaphore(), other = MonotonicSemaphore()
    let tick = Ticker.shared.every(0.001) {
      count.wrappingAdd(1, ordering: .relaxed)
      called.signal()
    }
    #expect(called.wait(within: 60))
    tick.close()
    let then = count.load(ordering: .relaxed)
    // Others go on meanwhile.
    let second = Ticker.shared.every(0.001) { other.signal() }
    for _ in 0..<5 { #expect(other.wait(within: 60)) }
    second.close()
    let now = count.load(ordering: .relaxed)
    #expect(now == then)
  }

  @Test func closingWaitsForACallUnderWay() {
    let begun = MonotonicSemaphore()
    let isDone = Atomic<Bool>(false)
    let tick = Ticker.shared.every(3600) {
      begun.signal()
      WorkThread.sleep(.milliseconds(50))
      isDone.store(true, ordering: .releasing)
    }
    #expect(begun.wait(within: 60))
    tick.close()
    let wasDone = isDone.load(ordering: .acquiring)
    #expect(wasDone)
  }

  /// The thread ends with the last body, and another one begins with the next.
  @Test func itBeginsAgainAfterTheLastOne() {
    for _ in 0..<20 {
      let called = MonotonicSemaphore()
      let tick = Ticker.shared.every(0.0005) { called.signal() }
      #expect(called.wait(within: 60))
      tick.close()
    }
  }
}
