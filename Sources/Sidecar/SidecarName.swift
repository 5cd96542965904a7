import Foundation
import Frames
import Movies
import Platform
import Synchronization

/// Keeps a sidecar beside its film, which may be renamed or deleted while both are being written.
///
/// Thread: any; everything but `follow` and `path` waits for the disk.
final class SidecarName: Sendable {
  let port: any FilePort
  private let name: FileName
  /// Held while the sidecar is renamed, so that no two threads do so.
  private let moving = NSLock()
  private let wanted = Mutex<(old: String, new: String)?>(nil)

  init(_ port: any FilePort, path: String) {
    self.port = port
    name = FileName(port, path: path)
  }

  var path: String { name.path }
  /// Whether the sidecar still has its name, as the latest look found.
  var place: FilePlace { name.place }

  /// Notes that the film was renamed. A sidecar that was left behind is renamed at the next look; one that was renamed
  /// with the film already has its name.
  ///
  /// - Parameters:
  ///   - old: the name of a sidecar that was left behind.
  ///   - new: the name that belongs to the film.
  func follow(from old: String, to new: String) {
    wanted.withLock { $0 = ($0?.old ?? old, new) }
  }

  /// Sets the name that the sidecar has from the beginning.
  func renamed(to path: String) { name.renamed(to: path) }

  func look() {
    moving.lock()
    defer { moving.unlock() }
    let place = name.look()
    // Whoever renames the film does not wait for the disk.
    guard let now = wanted.withLock({ $0.take() }) else { return }
    guard place == .inPlace, port.path == OutputPath.resolved(now.old) else { return }
    do throws(FileFailure) {
      try move(to: now.new)
      name.renamed(to: now.new)
    } catch {
      wanted.withLock { $0 = (now.old, $0?.new ?? now.new) }
    }
  }

  /// Renames the sidecar to `new`, or makes a copy of that name if it has none.
  func settle(at new: String, room: () -> Int64?) throws(FileFailure) {
    moving.lock()
    defer { moving.unlock() }
    switch name.look() {
    case .inPlace, .renamed: if port.path != OutputPath.resolved(new) { try move(to: new, isLast: true) }
    case .unlinked, .unknown: try port.copy(to: new, room: room)
    }
    name.renamed(to: new)
  }

  /// When two films have exchanged their names, the other film's sidecar may still have this name; then the sidecars
  /// exchange theirs, too. Any other file stays.
  ///
  /// - Parameter isLast: nobody will try again.
  private func move(to new: String, isLast: Bool = false) throws(FileFailure) {
    var attempts = isLast ? SidecarName.attempts : 1
    while true {
      attempts -= 1
      do throws(FileFailure) { return try port.rename(to: new) } catch {
        guard error.number == EEXIST, SidecarFile.isSidecar(new) else { throw error }
      }
      do throws(FileFailure) { return try port.exchange(with: OutputPath.resolved(new)) } catch {
        guard error.number == EWOULDBLOCK, attempts > 0 else { throw error }
      }
      // The other film's recorder is doing the same.
      WorkThread.sleep(.milliseconds(50))
      _ = port.look()
      if port.path == OutputPath.resolved(new) { return }
    }
  }

  private static let attempts = 100
}
