import Frames
import Recovery
import Synchronization

/// Makes ordinary films of what a crash has left in the folders of a rig, beside its recordings: nothing is recorded
/// later for it. Each folder has a thread of its own: a film that takes long, on a disk that hangs, keeps nobody
/// waiting.
///
/// Thread: any.
final class RigRecovery: Sendable {
  private let folders = Mutex<[String: FolderRecovery]>([:])

  /// Looks into the cameras' folders. Does not wait for a disk.
  ///
  /// - Parameter cameras: their names, and their outputs with patterns, meant from the current folder.
  func begin(_ cameras: [(name: String, output: String)]) {
    for camera in cameras {
      let place = FolderRecovery.Place(pattern: FilmNamePattern(camera.output), recorder: camera.name)
      let recovery = folders.withLock { folders in
        let recovery = folders[place.pattern.folder] ?? FolderRecovery()
        folders[place.pattern.folder] = recovery
        return recovery
      }
      recovery.begin(place)
    }
  }

  /// What has come of it since the last call.
  func news() -> [FolderRecovery.Note] { all.flatMap { $0.news() } }

  /// The rig ends. A film that takes long is left as it is; a recovery that is cut off harms none.
  ///
  /// - Parameter patience: seconds that all may still take.
  /// - Returns: films and folders that were not looked at to the end.
  func end(within patience: Double) -> Int {
    let all = all, begin = MonotonicTime.now()
    all.forEach { $0.giveUp() }
    return all.reduce(0) { $0 + $1.end(within: max(0, patience - Double(MonotonicTime.now() - begin) * 1e-9)) }
  }

  private var all: [FolderRecovery] { folders.withLock { Array($0.values) } }
}
