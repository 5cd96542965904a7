import Platform
import Synchronization
import Testing

/// Work that several threads share.
@Suite struct WorkPoolTests {
  /// What can be stopped, as a process can.
  private final class Stoppable: Sendable {
    private let stops = Mutex(0)
    let bell = MonotonicSemaphore()

    var count: Int { stops.withLock { $0 } }
    func stop() {
      stops.withLock { $0 += 1 }
      bell.signal()
    }
  }

  @Test(arguments: [(0, 3), (1, 3), (100, 1), (100, 4)])
  func eachPieceIsDoneOnce(count: Int, threads: Int) {
    let done = Mutex<[Int]>([])
    let pool = WorkPool<Int, Never>(count: count, threads: threads) { "pool-\($0)" }
    let outcomes = pool.run({ index in
      done.withLock { $0.append(index) }
      return index * 2
    })
    #expect(outcomes.compactMap(\.self) == (0..<count).map { $0 * 2 })
    #expect(done.withLock { $0.sorted() } == Array(0..<count))
  }

  @Test func reportsComeOneAfterTheOther() {
    let seen = Mutex<[(finished: Int, index: Int)]>([])
    let inside = Atomic<Int>(0), most = Atomic<Int>(0)
    let pool = WorkPool<Int, Never>(count: 50, threads: 4) { "pool-\($0)" }
    _ = pool.run(
      { $0 },
      ended: { (finished, index, outcome) in
        let depth = inside.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue
        most.max(depth, ordering: .sequentiallyConsistent)
        seen.withLock { $0.append((finished, outcome == index ? index : -1)) }
        inside.wrappingSubtract(1, ordering: .sequentiallyConsistent)
      })
    #expect(most.load(ordering: .sequentiallyConsistent) == 1)
    #expect(seen.withLock { $0.map(\.finished) } == Array(1...50))
    #expect(seen.withLock { $0.map(\.index).sorted() } == Array(0..<50))
  }

  /// A stop that comes first is told by `note`; one that comes later finds what runs. Both at once never happens.
  @Test func whatRunsIsStoppedOnce() {
    let pool = WorkPool<Bool, Stoppable>(count: 10, threads: 2) { "pool-\($0)" }
    let begun = MonotonicSemaphore()
    let work = Mutex<[Stoppable]>([])
    let stopper = WorkThread(name: "stopper") {
      begun.wait()
      pool.stop().forEach { $0.stop() }
    }
    let outcomes = pool.run({ index in
      let own = Stoppable()
      work.withLock { $0.append(own) }
      if pool.note(own, at: index) { own.stop() }
      begun.signal()
      own.bell.wait()
      return true
    })
    stopper.join()
    #expect(pool.isStopping && pool.running.isEmpty)
    let stopped = work.withLock { $0 }
    #expect(stopped.allSatisfy { $0.count == 1 } && (1...2).contains(stopped.count))
    #expect(outcomes.count(where: { $0 != nil }) == stopped.count)
  }

  @Test func afterAStopNothingBegins() {
    let pool = WorkPool<Int, Never>(count: 3, threads: 1) { _ in "pool" }
    let outcomes = pool.run({ index in
      pool.stop()
      return index
    })
    #expect(outcomes == [0, nil, nil])
  }
}
