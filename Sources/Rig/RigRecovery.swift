import Frames
import Platform
import RecorderRemote
import Recovery
import Synchronization

/// Recovers the films that a crash left in a rig's folders, without delaying its recordings. Each folder has a thread
/// of its own, so a slow film or a hanging disk delays no other folder.
///
/// Thread: any.
package final class RigRecovery: Sendable {
  package init() {}

  private let folders = Mutex<[String: FolderRecovery]>([:])
  private let recorders = RecorderDirectory()

  /// Looks into the cameras' folders. Does not wait for a disk.
  ///
  /// - Parameter cameras: their names and output patterns, relative to the current folder.
  package func begin(_ cameras: [(name: String, output: String)]) {
    for camera in cameras {
      let place = FolderRecovery.Place(pattern: FilmNamePattern(camera.output), recorder: camera.name)
      let recovery = folders.withLock { folders in
        let recovery = folders[place.pattern.folder] ?? FolderRecovery(recorders: recorders)
        folders[place.pattern.folder] = recovery
        return recovery
      }
      recovery.begin(place)
    }
  }

  /// Notes since the last call.
  package func news() -> [FolderRecovery.Note] { all.flatMap { $0.news() } }

  /// The rig ends: gives up on slow films. An interrupted recovery damages none.
  ///
  /// - Parameter patience: seconds to wait for all of them together.
  /// - Returns: number of films and folders left unfinished.
  package func end(within patience: Double) -> Int {
    let all = all, begin = MonotonicTime.now()
    all.forEach { $0.giveUp() }
    return all.reduce(0) { $0 + $1.end(within: max(0, patience - Double(MonotonicTime.now() - begin) * 1e-9)) }
  }

  private var all: [FolderRecovery] { folders.withLock { Array($0.values) } }
}
