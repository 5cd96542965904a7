import Frames
import Platform
import Testing

/// What the wall clock does to a wait is tried where that clock can be set: Tests/VM/tests/35-clock.
@Suite struct MonotonicSemaphoreTests {
  @Test func eachSignal_endsOneWait() {
    let semaphore = MonotonicSemaphore()
    #expect(!semaphore.wait(within: 0))
    #expect(!semaphore.wait(within: -1))
    semaphore.signal()
    semaphore.signal()
    #expect(semaphore.wait(within: 0))
    #expect(semaphore.wait(within: .greatestFiniteMagnitude))
    #expect(!semaphore.wait(within: 0))
  }

  @Test func aWait_lastsAsLongAsItMay_andNoShorter() {
    let semaphore = MonotonicSemaphore(), begin = MonotonicTime.now()
    #expect(!semaphore.wait(within: 0.05))
    #expect(MonotonicTime.now() - begin >= 50_000_000)
  }

  @Test func waits_ofSeveralThreads_endByAsManySignals() {
    let semaphore = MonotonicSemaphore(), ended = MonotonicSemaphore()
    let threads = (0..<8).map { number in
      WorkThread(name: "waits-\(number)") {
        if number % 2 == 0 { semaphore.wait() } else { while !semaphore.wait(within: 3600) {} }
        ended.signal()
      }
    }
    for _ in threads { semaphore.signal() }
    threads.forEach { $0.join() }
    for _ in threads { #expect(ended.wait(within: 0)) }
    #expect(!ended.wait(within: 0) && !semaphore.wait(within: 0))
  }

  @Test func aCondition_thatNobodyMeets_isWaitedForUntilTheEnd() {
    let condition = MonotonicCondition(), end = MonotonicTime.now().advanced(by: 20_000_000)
    condition.lock()
    while condition.wait(until: end) {}
    condition.unlock()
    #expect(MonotonicTime.now() >= end)
    condition.lock()
    #expect(!condition.wait(until: MonotonicTime(nanoseconds: -1)))
    condition.unlock()
  }
}
