import Foundation
import Frames
import Recovery
import Sidecar

/// What makers of films have left that were killed.
extension PartialFilm {
  /// Takes it away. What somebody still writes stays, what is whole stays, and so does everything where the file system
  /// has no locks by which it would show that nobody writes it.
  ///
  /// - Returns: sentences for people about films that are whole.
  static func removeAbandoned(of films: [String]) -> [String] {
    var whole: [String] = []
    for (folder, films) in Dictionary(grouping: films, by: { PathText($0).folder }) {
      let beginnings = Set(films.map { PathText(beginning(of: $0)).name })
      for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? [] {
        guard !name.hasSuffix(SidecarFile.suffix), let mark = name.range(of: mark, options: .backwards),
          beginnings.contains(String(name[..<mark.upperBound]))
        else { continue }
        let path = PathText(folder).appending(name)
        guard isAbandoned(path) else { continue }
        guard !isWhole(path) else {
          whole.append("'\(path)' is a whole film that an earlier bake has left: give it another name, or delete it")
          continue
        }
        unsafe unlink(path)
        SidecarFile.removeLeftover(ofFilm: path)
      }
    }
    return whole.sorted()
  }

  /// Writers of films hold a lock on them.
  private static func isAbandoned(_ path: String) -> Bool {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return FilmLock.take(descriptor) == .taken
  }

  /// Its maker came to its end. Of hashes nobody can tell.
  private static func isWhole(_ path: String) -> Bool {
    guard let file = try? InputFile(path: path), let head = try? file.bytes(at: 0, count: 4096) else { return false }
    switch RecordingKind(head) {
    case .quickTime: return (try? FilmRecovery(isDry: true).recover(path))?.verdict == .finished
    case .matroska: return hasSegmentSize(head)
    case .hashes, .sidecar, nil: return false
    }
  }

  /// Whether the length of a Matroska file's only segment is known, which is written at the end (RFC 8794, 6.2).
  private static func hasSegmentSize(_ head: [UInt8]) -> Bool {
    let segment: [UInt8] = [0x18, 0x53, 0x80, 0x67]
    guard let place = head.firstRange(of: segment)?.upperBound, place + 8 <= head.count else { return false }
    return head[place..<place + 8] != [0x01, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]
  }
}
