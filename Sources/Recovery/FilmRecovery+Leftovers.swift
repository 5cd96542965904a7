import Foundation
public import Frames
import Movies
import Sidecar

extension FilmRecovery {
  /// Removes, or with `isDry` finds, what bakes have left below a folder that were killed: `.x.mov.part-…`, which no
  /// program plays before it is whole. What somebody still writes stays, and so does everything where there are no
  /// locks by which that would show.
  ///
  /// - Throws: code `output` where one cannot be removed.
  public func takeLeftovers(in folder: String) throws(CamrecError) -> [RecoveredFilm] {
    guard let all = FileManager.default.enumerator(atPath: folder) else { return [] }
    var paths: [String] = []
    for case let name as String in all where PartialFilmName.isOne(PathText(name).name) {
      paths.append(PathText(folder).appending(name))
    }
    var found: [RecoveredFilm] = []
    for path in paths.sorted() where isAbandoned(path) {
      if !isDry {
        guard unsafe unlink(path) == 0 else {
          throw CamrecError(.output, "'\(path)' cannot be removed", cause: SystemError.words(for: errno))
        }
        SidecarFile.removeLeftover(ofFilm: path)
      }
      found.append(RecoveredFilm(path: path, verdict: isDry ? .leftover : .discarded))
    }
    return found
  }

  private func isAbandoned(_ path: String) -> Bool {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return lock(descriptor, LOCK_EX | LOCK_NB) == 0
  }
}
