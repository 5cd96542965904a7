import Dispatch
import Synchronization

/// Makes a session check ten times a second what a crash would cost, on a thread that never waits for a disk.
///
/// Thread: one at a time.
final class SafetyTimer {
  private let timer = DispatchSource.makeTimerSource(queue: .global(qos: .utility))

  init(_ session: RecordingSession) {
    let watches = SharedWatches(hasFasterPreset: session.parts.hasFasterPreset)
    timer.schedule(deadline: .now(), repeating: .milliseconds(100), leeway: .milliseconds(20))
    timer.setEventHandler { [weak session] in watches.look(session) }
    timer.resume()
  }

  deinit { timer.cancel() }

  private final class SharedWatches: Sendable {
    private let disk = Mutex(DiskWatch())
    private let unsaved: Mutex<UnsavedWatch>

    init(hasFasterPreset: Bool) { unsaved = Mutex(UnsavedWatch(hasFasterPreset: hasFasterPreset)) }

    func look(_ session: RecordingSession?) {
      guard let session else { return }
      disk.withLock { session.lookAtDisk(&$0) }
      unsaved.withLock { session.lookAtUnsaved(&$0) }
    }
  }
}
