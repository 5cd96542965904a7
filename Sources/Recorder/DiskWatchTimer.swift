import Dispatch
import Synchronization

/// Has a session look at its disk ten times a second, on a thread that waits for no disk.
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
