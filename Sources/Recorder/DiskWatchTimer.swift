import Dispatch
import Synchronization

/// Makes a session check its disk ten times a second, on a thread that never waits for a disk.
///
/// Thread: one at a time.
final class DiskWatchTimer {
  private let timer = DispatchSource.makeTimerSource(queue: .global(qos: .utility))

  init(_ session: RecordingSession) {
    let watch = SharedWatch()
    timer.schedule(deadline: .now(), repeating: .milliseconds(100), leeway: .milliseconds(20))
    timer.setEventHandler { [weak session] in watch.look(session) }
    timer.resume()
  }

  deinit { timer.cancel() }

  private final class SharedWatch: Sendable {
    private let watch = Mutex(DiskWatch())
    func look(_ session: RecordingSession?) { watch.withLock { session?.lookAtDisk(&$0) } }
  }
}
