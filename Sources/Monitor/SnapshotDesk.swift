package import Frames
import Platform
package import RecorderAPI
import Synchronization

/// Makes snapshots one at a time, in the order in which they were asked for: the next one begins when the one before
/// was delivered, so that all of them together take no more memory than two frames.
///
/// Its thread has a lower priority than a film's, and than that of the pictures.
///
/// Thread: any.
package final class SnapshotDesk: Sendable {
  private struct State {
    var jobs: [SnapshotJob] = []
    var isClosed = false
  }

  private let state = Mutex(State())
  private let bell = MonotonicSemaphore()
  private let news: @Sendable () -> Void
  private let thread = Mutex<WorkThread?>(nil)

  /// Jobs that wait: as many as there may be subscribers.
  private static let most = MonitorProtocol.mostSubscribers
  static let niceness: Int32 = 15
  /// Nanoseconds after which whoever takes a snapshot slowly holds up the others no longer.
  private static let longestDelivery: Int64 = 30_000_000_000

  /// - Parameters:
  ///   - latest: the camera that somebody has looked at last.
  ///   - news: called on the desk's thread when a snapshot is ready.
  package init(_ source: any MonitorSource, _ latest: SeenCamera.Latest, news: @escaping @Sendable () -> Void) {
    self.news = news
    let worker = WorkThread(name: "camrec-snapshot", niceness: SnapshotDesk.niceness) { [self] in
      run(SnapshotMaker(source, latest))
    }
    thread.withLock { $0 = worker }
  }

  /// - Throws: code `overload` if too many wait.
  package func ask(_ request: SnapshotRequest) throws(CamrecError) -> SnapshotJob {
    let job = SnapshotJob(request) { [bell] in bell.signal() }
    let isTaken = state.withLock { state in
      guard state.jobs.count < SnapshotDesk.most else { return false }
      state.jobs.append(job)
      return true
    }
    guard isTaken else { throw CamrecError(.overload, "too many snapshots wait; try again", reason: .busy) }
    bell.signal()
    return job
  }

  /// Ends the thread, and waits for the snapshot under way.
  package func close() {
    state.withLock { $0.isClosed = true }
    bell.signal()
    thread.withLock { $0.take() }?.join()
  }

  private var isClosed: Bool { state.withLock { $0.isClosed } }

  private func run(_ maker: SnapshotMaker) {
    while !isClosed {
      guard let job = state.withLock({ $0.jobs.first }) else {
        bell.wait()
        continue
      }
      if !job.isEnded {
        job.finish(
          Result { () throws(CamrecError) in
            try maker.make(job.request, isCancelled: { [self] in isClosed || job.isEnded })
          })
        news()
      }
      let end = MonotonicTime.now().advanced(by: SnapshotDesk.longestDelivery)
      while !job.isEnded, !isClosed, MonotonicTime.now() < end { bell.wait(within: 1) }
      state.withLock { state in state.jobs.removeAll { $0 === job } }
    }
  }
}
