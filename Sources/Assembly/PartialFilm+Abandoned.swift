import Foundation
import Frames
import Movies
import Platform
import Recovery
import Sidecar

/// Partial films that killed bakes left.
extension PartialFilm {
  /// What a removal found.
  package struct Abandoned {
    /// Sentences for people about complete films, which stay.
    package var whole: [String] = []
    /// No process writes any of these films any more.
    package var isClear = true
  }

  /// Removes them. Films still being written stay, and so do complete films. On a file system without locks all of them
  /// stay, because nothing shows whether a film is still being written.
  @discardableResult package static func removeAbandoned(of films: [String]) -> Abandoned {
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
            "'\(path)' is a complete film left by an earlier bake; rename it or delete it")
          continue
        }
        try? SystemCall.unlink(path)
        SidecarFile.removeLeftover(ofFilm: path)
      }
    }
    found.whole.sort()
    return found
  }

  /// The writer of a film holds a lock on it.
  private static func isAbandoned(_ path: String) -> Bool {
    guard let descriptor = try? OpenFile.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK) else { return false }
    defer { close(descriptor) }
    return FilmLock.take(descriptor) == .taken
  }
}
