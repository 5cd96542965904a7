import Foundation
import Movies
import Synchronization

/// Keeps a sidecar beside its film, which may be given another name, or be deleted, while both are written.
///
/// Thread: any; everything but `follow` and `path` waits for the disk.
final class SidecarName: Sendable {
  let port: any FilePort
  private let name: FileName
  private let wanted = Mutex<(old: String, new: String)?>(nil)

  init(_ port: any FilePort, path: String) {
    self.port = port
    name = FileName(port, path: path)
  }

  var path: String { name.path }
  /// By the latest look.
  var place: FilePlace { name.place }

  /// The film was renamed. A sidecar that was left behind is renamed at the next look; one that was renamed with the
  /// film has its name already.
  ///
  /// - Parameters:
  ///   - old: the name of a sidecar that was left behind.
  ///   - new: the name that belongs to the film.
  func follow(from old: String, to new: String) {
    wanted.withLock { $0 = ($0?.old ?? old, new) }
  }

  func look() {
    let place = name.look()
    // Locked meanwhile, so that no two rename it.
    wanted.withLock { wanted in
      guard let now = wanted else { return }
      if place == .inPlace, port.path == OutputPath.resolved(now.old) {
        guard (try? port.rename(to: now.new)) != nil else { return }
        name.renamed(to: now.new)
      }
      wanted = nil
    }
  }

  /// Gives it the name `new`, or makes a copy of that name where it has none.
  func settle(at new: String, room: () -> Int64?) throws(FileFailure) {
    switch name.look() {
    case .inPlace, .renamed: if port.path != OutputPath.resolved(new) { try port.rename(to: new) }
    case .unlinked, .unknown: try port.copy(to: new, room: room)
    }
    name.renamed(to: new)
  }
}
