import Foundation
public import RecorderAPI

extension StateRecord {
  /// Whether its recorder runs and is recording this film, or finishing it. Files are compared, not paths. Any thread.
  public func isRecording(_ path: String) -> Bool {
    // Between two films the state names the last one; only one that is recorded or finished has a beginning there.
    guard writer.isAlive, state.started != nil, let film = state.film else { return false }
    // A relative path starts in the recorder's working folder.
    let named = film.hasPrefix("/") ? film : "/proc/\(writer.pid)/cwd/\(film)"
    var own = stat(), other = stat()
    guard unsafe stat(path, &own) == 0, unsafe stat(named, &other) == 0 else { return false }
    return own.st_dev == other.st_dev && own.st_ino == other.st_ino
  }
}
