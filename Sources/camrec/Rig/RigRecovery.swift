import Frames
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
  /// - Parameter outputs: of the cameras, with their patterns, meant from the current folder.
  func begin(outputs: [String]) {
    for place in outputs.map(RigRecovery.place) {
      let recovery = folders.withLock { folders in
        let recovery = folders[place.folder] ?? FolderRecovery()
        folders[place.folder] = recovery
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

  private static func place(of output: String) -> FolderRecovery.Place {
    let parts = output.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    let fixed = parts.prefix { !$0.contains("%") }
    let isRoot = output.hasPrefix("/")
    func folder(_ parts: some Collection<String>) -> String {
      let joined = parts.joined(separator: "/")
      return joined.isEmpty ? (isRoot ? "/" : ".") : joined
    }
    let name = parts.last ?? ""
    let prefix = String(name.prefix { $0 != "%" })
    // Another's films are none of ours: without a beginning that says whose they are, each is looked into.
    guard fixed.count >= parts.count - 1, !prefix.isEmpty else {
      return .below(folder: folder(fixed.prefix(parts.count - 1)))
    }
    return .named(folder: folder(parts.dropLast()), prefix: prefix)
  }
}
