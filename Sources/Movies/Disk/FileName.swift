import Synchronization

/// The name of an open file, as the latest look found it.
///
/// Thread: any; `look` waits for the disk.
package final class FileName: Sendable {
  private let port: any FilePort
  private let state: Mutex<(path: String, place: FilePlace)>

  /// - Parameter path: the name under which the file was opened; it may be a link's.
  package init(_ port: any FilePort, path: String) {
    self.port = port
    state = Mutex((path, .inPlace))
  }

  package var path: String { state.withLock { $0.path } }

  /// What has happened to the name since the file was opened. A renamed file stays `renamed` from then on.
  package var place: FilePlace { state.withLock { $0.place } }

  /// Sets the name that the file, or the copy that stands for it, has from now on.
  package func renamed(to path: String) { state.withLock { $0.path = path } }

  /// Compares the name with the open file.
  package func look() -> FilePlace {
    let found = port.look()
    return state.withLock { state in
      switch found {
      case .inPlace:
        // It may be back under the name where it was not found before.
        if [.unknown, .unlinked].contains(state.place) { state.place = .inPlace }
      case .renamed(let path): state = (path, found)
      case .unlinked, .unknown: state.place = found
      }
      return state.place
    }
  }
}
