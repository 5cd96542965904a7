import Foundation
public import Frames
import MovieBoxes
import Sidecar

extension FilmRecovery {
  /// What became of one film of a folder.
  public enum FolderEntry: Sendable {
    case film(RecoveredFilm)
    /// Its path, and why it was left as it is: in use, or nothing can be made of it.
    case left(path: String, CamrecError)
  }

  /// Recovers every unfinished .mov that camrec has recorded below `folder`; finished ones, those of others, links,
  /// hidden and empty files are passed over, and what is being recorded is left alone.
  ///
  /// - Parameter reached: is told how many of how many films have been looked at.
  /// - Throws: code `input` for a folder that cannot be read.
  public func recoverAll(in folder: String, reached: (Int, _ total: Int) -> Void = { _, _ in }) throws(CamrecError)
    -> [FolderEntry]
  {
    var entries: [FolderEntry] = []
    let paths = try FilmRecovery.movies(below: folder)
    for (place, path) in paths.enumerated() {
      reached(place, paths.count)
      guard FilmRecovery.isOurs(path) else { continue }
      do throws(CamrecError) {
        let film = try recover(path)
        if film.verdict.isUnfinished { entries.append(.film(film)) }
      } catch {
        entries.append(.left(path: path, error))
      }
    }
    return entries
  }

  /// Every .mov below a folder, sorted by name; hidden files and links are passed over. None is looked into.
  ///
  /// - Throws: code `input` for a folder that cannot be read.
  public static func movies(below folder: String) throws(CamrecError) -> [String] {
    let keys: [URLResourceKey] = [.isRegularFileKey, .isSymbolicLinkKey]
    var isReadable = true
    guard
      let all = FileManager.default.enumerator(
        at: URL(fileURLWithPath: folder), includingPropertiesForKeys: keys, options: [.skipsHiddenFiles],
        errorHandler: { url, _ in
          if url.path == URL(fileURLWithPath: folder).path { isReadable = false }
          return true
        })
    else { throw CamrecError(.input, "the folder '\(folder)' cannot be read") }
    var films: [String] = []
    for case let url as URL in all where PathText(url.path).kind.lowercased() == "mov" {
      guard let kind = try? url.resourceValues(forKeys: Set(keys)), kind.isRegularFile == true,
        kind.isSymbolicLink != true
      else { continue }
      films.append(url.path)
    }
    guard isReadable else { throw CamrecError(.input, "the folder '\(folder)' cannot be read; check its permissions") }
    return films.sorted()
  }

  /// What `recover` throws for a film that somebody records or recovers.
  public static func inUse(_ path: String) -> CamrecError { FilmFile.inUse(path) }

  /// A sidecar lies beside it, or its header, which is at the beginning of an unfinished one, names the software; so does
  /// what stands there before it (`PreparedMark`). One that has begun and not come as far as a header is nobody's.
  public static func isOurs(_ path: String) -> Bool {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_size > 0 else { return false }
    let hasSidecar = SidecarFile.isSidecar(SidecarFile.path(ofFilm: path))
    guard let head = head(of: path) else { return hasSidecar }
    return hasSidecar ? head != Data(PreparedMark.bytes) : head.range(of: Data("camrec ".utf8)) != nil
  }

  private static func head(of path: String) -> Data? {
    guard let file = try? InputFile(path: path) else { return nil }
    return (try? file.bytes(at: 0, count: headBytes)).map { Data($0) }
  }

  /// The header of a movie in fragments is a few thousand bytes.
  private static let headBytes = 1 << 16
}
