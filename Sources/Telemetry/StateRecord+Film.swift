import Foundation
import Recorder

extension StateRecord {
  /// Whether its recorder lives and names this film, be it by another path: the file counts. Any thread.
  public func isRecording(_ path: String) -> Bool {
    guard writer.isAlive, let film = state.film else { return false }
    // A path that is not absolute is meant from the recorder's folder.
    let named = film.hasPrefix("/") ? film : "/proc/\(writer.pid)/cwd/\(film)"
    var own = stat(), other = stat()
    guard unsafe stat(path, &own) == 0, unsafe stat(named, &other) == 0 else { return false }
    return own.st_dev == other.st_dev && own.st_ino == other.st_ino
  }
}
