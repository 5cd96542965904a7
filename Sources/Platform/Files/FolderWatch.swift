import CPlatform
import Glibc

/// Tells what has changed in folders, by the kernel's own reports (inotify(7)).
///
/// A change is there to read as soon as the call that has made it returns, on whatever process. Changes by other
/// machines on a network disk are not reported.
///
/// Thread: any.
public final class FolderWatch: Sendable {
  /// A watched folder; the same for two paths of one folder.
  public struct Folder: Hashable, Sendable {
    fileprivate let number: Int32
  }

  public enum Event: Hashable, Sendable {
    /// An entry was made, replaced, written or removed, or its attributes changed. The name is empty if that was the
    /// folder itself.
    case changed(Folder, name: String)
    /// The folder was removed or renamed, and is not watched any more.
    case gone(Folder)
    /// There were more changes than the kernel keeps, so anything may have changed.
    case lost
  }

  /// Why a folder cannot be watched.
  public enum Refusal: Error, Hashable, Sendable {
    /// There is no folder at that path that this process may read.
    case missing
    /// The user's watches (`fs.inotify.max_user_watches`), or the memory, are used up.
    case exhausted
  }

  let descriptor: Int32

  /// Bytes read at once: a few hundred changes.
  private static let piece = 1 << 14

  /// - Returns: `nil` if the process has no descriptors left, or the user no watches
  ///   (`fs.inotify.max_user_instances`).
  public init?() {
    let descriptor = CWatch_open()
    guard descriptor >= 0 else { return nil }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Watches a folder, but none of the folders in it. Watching it twice has no further effect.
  public func add(_ path: String) throws(Refusal) -> Folder {
    let number = CWatch_add(descriptor, path)
    if number >= 0 { return Folder(number: number) }
    switch errno {
    case ENOSPC, ENOMEM: throw .exhausted
    default: throw .missing
    }
  }

  /// Watches a folder no longer. Some of its changes may still be read.
  public func remove(_ folder: Folder) { CWatch_remove(descriptor, folder.number) }

  /// The changes since the last call, in their order; does not wait.
  public func read() -> [Event] {
    var events: [Event] = []
    // No more than what is there now: somebody may be making changes all the time.
    var left = Int(CWatch_waiting(descriptor))
    var bytes = [UInt8](repeating: 0, count: left > 0 ? FolderWatch.piece : 0)
    while left > 0 {
      let count = Glibc.read(descriptor, &bytes, bytes.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      left -= count
      var change = CWatch_event(), offset = 0
      while true {
        offset = CWatch_parse(bytes, count, offset, &change)
        guard offset > 0 else { break }
        let folder = Folder(number: change.folder)
        switch change.kind {
        case 0:
          let name = bytes[change.name..<(change.name + change.name_length)]
          events.append(.changed(folder, name: String(decoding: name, as: UTF8.self)))
        case 1: events.append(.gone(folder))
        default: events.append(.lost)
        }
      }
    }
    return events
  }
}
