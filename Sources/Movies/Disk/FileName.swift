import Synchronization

/// What an open file is called, as whoever looks at it last has found.
///
/// Thread: any; `look` waits for the disk.
package final class FileName: Sendable {
  private let port: any FilePort
  private let state: Mutex<(path: String, place: FilePlace)>

  /// - Parameter path: under which the file was opened, which may be a link's.
  package init(_ port: any FilePort, path: String) {
    self.port = port
    state = Mutex((path, .inPlace))
  }

  package var path: String { state.withLock { $0.path } }

  /// Since the file was opened: where it was given another name, that is said from then on.
  package var place: FilePlace { state.withLock { $0.place } }

  /// The file, or a copy that stands for it, has this name from now on.
  package func renamed(to path: String) { state.withLock { $0.path = path } }

  /// Compares the name with the open file.
  package func look() -> FilePlace {
    let found = port.look()
    return state.withLock { state in
      switch found {
      case .inPlace:
        // It may have come back to the name that it was looked for in vain under.
        if [.unknown, .unlinked].contains(state.place) { state.place = .inPlace }
      case .renamed(let path): state = (path, found)
      case .unlinked, .unknown: state.place = found
      }
      return state.place
    }
  }
}
