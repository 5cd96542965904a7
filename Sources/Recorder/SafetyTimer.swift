import Cameras
import Platform
import Synchronization

/// Makes a session check ten times a second what a crash would cost, on a thread that never waits for a disk: that of
/// the ticker.
///
/// Thread: one at a time.
final class SafetyTimer {
  private let tick: Tick

  init(_ session: RecordingSession) {
    let parts = session.parts
    let watches = SharedWatches(hasFasterPreset: parts.hasFasterPreset, isClip: parts.camera.format.isClip)
    tick = Ticker.shared.every(0.1) { [weak session] in watches.look(session) }
  }

  deinit { tick.close() }

  private final class SharedWatches: Sendable {
    private let disk = Mutex(DiskWatch())
    private let unsaved: Mutex<UnsavedWatch>

    init(hasFasterPreset: Bool, isClip: Bool) {
      unsaved = Mutex(UnsavedWatch(hasFasterPreset: hasFasterPreset, isClip: isClip))
    }

    func look(_ session: RecordingSession?) {
      guard let session else { return }
      disk.withLock { session.lookAtDisk(&$0) }
      unsaved.withLock { session.lookAtUnsaved(&$0) }
    }
  }
}
