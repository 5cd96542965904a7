import Foundation
public import Frames
import Movies
import Platform
import Sidecar

extension FilmRecovery {
  /// Removes, or with `isDry` finds, incomplete films that killed bakes have left below a folder, `.x.mov.part-…`;
  /// their clips are baked again. Complete films stay, and are named. So do films that somebody still writes, and all
  /// films where there are no locks that would show that.
  ///
  /// - Throws: code `output` if one cannot be removed.
  public func takeLeftovers(in folder: String) throws(CamrecError) -> [RecoveredFilm] {
    guard let all = FileManager.default.enumerator(atPath: folder) else { return [] }
    var paths: [String] = []
    for case let name as String in all where PartialFilmName.isOne(PathText(name).name) {
      paths.append(PathText(folder).appending(name))
    }
    var found: [RecoveredFilm] = []
    for path in paths.sorted() where refusal(path) == 0 { found.append(try take(path)) }
    return found
  }

  /// The same for one file.
  ///
  /// - Returns: `nil` if no bake gives such a name, or if the file cannot be opened.
  /// - Throws: code `output` if somebody still writes it, or may, or if it cannot be removed.
  func takeLeftover(_ path: String) throws(CamrecError) -> RecoveredFilm? {
    guard PartialFilmName.isOne(PathText(path).name), let number = refusal(path) else { return nil }
    guard number != EWOULDBLOCK else { throw FilmFile.inUse(path) }
    guard number == 0 else {
      throw CamrecError(
        .output,
        "'\(path)' was left by a bake but not removed: camrec cannot tell whether somebody still writes it; remove it"
          + " by hand when no bake is running", cause: SystemError.words(for: number))
    }
    return try take(path)
  }

  private func take(_ path: String) throws(CamrecError) -> RecoveredFilm {
    guard !FilmRecovery.isWholeBake(path) else { return RecoveredFilm(path: path, verdict: .finished) }
    if !isDry {
      try SystemCall.unlink(path, or: .output, "cannot remove '\(path)'")
      SidecarFile.removeLeftover(ofFilm: path)
    }
    return RecoveredFilm(path: path, verdict: isDry ? .leftover : .discarded)
  }

  /// Whether somebody may still write it: 0 if nobody does, or the lock's error number; `nil` if it is not a regular
  /// file that can be opened.
  private func refusal(_ path: String) -> Int32? {
    guard let descriptor = try? OpenFile.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK) else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return lock(descriptor, LOCK_EX | LOCK_NB)
  }

  /// Whether a film that a bake has left under a hidden name is complete. For a hash recording nobody can tell.
  public static func isWholeBake(_ path: String) -> Bool {
    guard let file = try? InputFile(path: path), let head = try? file.bytes(at: 0, count: 4096) else { return false }
    switch RecordingKind(head) {
    case .quickTime: return (try? FilmRecovery(isDry: true).recover(film: path))?.verdict == .finished
    case .matroska: return MatroskaSegment.hasLength(head)
    case .hashes, .sidecar, nil: return false
    }
  }
}
