import Foundation
import Frames
import Movies
import Synchronization

/// Keeps a sidecar beside its film, which may be given another name, or be deleted, while both are written.
///
/// Thread: any; everything but `follow` and `path` waits for the disk.
final class SidecarName: Sendable {
  let port: any FilePort
  private let name: FileName
  /// Held while it is renamed: no two do so.
  private let moving = NSLock()
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

  /// It has that name from the beginning.
  func renamed(to path: String) { name.renamed(to: path) }

  func look() {
    moving.lock()
    defer { moving.unlock() }
    let place = name.look()
    // Nobody who has the film renamed waits for the disk.
    guard let now = wanted.withLock({ $0.take() }) else { return }
    guard place == .inPlace, port.path == OutputPath.resolved(now.old) else { return }
    do throws(FileFailure) {
      try move(to: now.new)
      name.renamed(to: now.new)
    } catch {
      wanted.withLock { $0 = (now.old, $0?.new ?? now.new) }
    }
  }

  /// Gives it the name `new`, or makes a copy of that name where it has none.
  func settle(at new: String, room: () -> Int64?) throws(FileFailure) {
    moving.lock()
    defer { moving.unlock() }
    switch name.look() {
    case .inPlace, .renamed: if port.path != OutputPath.resolved(new) { try move(to: new, isLast: true) }
    case .unlinked, .unknown: try port.copy(to: new, room: room)
    }
    name.renamed(to: new)
  }

  /// Another film's sidecar may still lie there, when two films have taken each other's name: then the two do so, too.
  /// Any other file stays.
  ///
  /// - Parameter isLast: nobody tries again.
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
      // The other film's recorder is at it.
      WorkThread.sleep(.milliseconds(50))
      _ = port.look()
      if port.path == OutputPath.resolved(new) { return }
    }
  }

  private static let attempts = 100
}
