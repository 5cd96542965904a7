import Foundation
import Frames
import Movies
import Recovery
import Sidecar

/// What makers of films have left that were killed.
extension PartialFilm {
  /// What was found.
  struct Abandoned {
    /// Sentences for people about films that are whole.
    var whole: [String] = []
    /// Nobody writes any of these films.
    var isClear = true
  }

  /// Takes it away. What somebody still writes stays, what is whole stays, and so does everything where the file system
  /// has no locks by which it would show that nobody writes it.
  @discardableResult static func removeAbandoned(of films: [String]) -> Abandoned {
    var found = Abandoned()
    for (folder, films) in Dictionary(grouping: films, by: { PathText($0).folder }) {
      let beginnings = Set(films.map { PathText(PartialFilmName.beginning(of: $0)).name })
      for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? [] {
        guard !name.hasSuffix(SidecarFile.suffix), let beginning = PartialFilmName.beginning(in: name),
          beginnings.contains(beginning)
        else { continue }
        let path = PathText(folder).appending(name)
        guard isAbandoned(path) else {
          found.isClear = false
          continue
        }
        guard !FilmRecovery.isWholeBake(path) else {
          found.whole.append(
            "'\(path)' is a whole film that an earlier bake has left: give it another name, or delete it")
          continue
        }
        unsafe unlink(path)
        SidecarFile.removeLeftover(ofFilm: path)
      }
    }
    found.whole.sort()
    return found
  }

  /// Writers of films hold a lock on them.
  private static func isAbandoned(_ path: String) -> Bool {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return FilmLock.take(descriptor) == .taken
  }
}
