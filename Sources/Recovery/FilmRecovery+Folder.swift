import Foundation
public import Frames
import MovieBoxes
import Platform
import Sidecar

extension FilmRecovery {
  /// What became of one film of a folder.
  public enum FolderEntry: Sendable {
    case film(RecoveredFilm)
    /// Its path, and why it was left as it is: it is in use, or nothing can be recovered.
    case left(path: String, CamrecError)
  }

  /// Recovers every unfinished .mov that camrec has recorded below `folder`. Skips finished films, those of others,
  /// links and hidden files, and leaves alone what is being recorded. Names films that were cut off before their first
  /// picture; they stay.
  ///
  /// - Parameter reached: called with how many of how many films have been looked at.
  /// - Throws: code `input` if the folder cannot be read.
  public func recoverAll(in folder: String, reached: (Int, _ total: Int) -> Void = { _, _ in }) throws(CamrecError)
    -> [FolderEntry]
  {
    var entries: [FolderEntry] = []
    let paths = try FilmRecovery.movies(below: folder)
    for (place, path) in paths.enumerated() {
      reached(place, paths.count)
      do throws(CamrecError) {
        if let film = try recover(inFolder: path) { entries.append(.film(film)) }
      } catch {
        entries.append(.left(path: path, error))
      }
    }
    return entries
  }

  /// - Returns: `nil` if there is nothing to say of it.
  private func recover(inFolder path: String) throws(CamrecError) -> RecoveredFilm? {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    let lack = FilmRecovery.head(of: path).flatMap { FilmBeginning.lack(Array($0), size: Int64(status.st_size)) }
    // A film that is created at this moment is empty, too; to open it under a lock would refuse it to its recorder.
    if status.st_size == 0, let lack { return RecoveredFilm(path: path, lacking: lack) }
    guard lack != nil || FilmRecovery.isOurs(path) else { return nil }
    let film = try recover(film: path)
    return film.verdict.isUnfinished || film.verdict == .empty ? film : nil
  }

  /// Every .mov below a folder, sorted by name, without hidden files and links. Opens none of them.
  ///
  /// - Throws: code `input` if the folder cannot be read.
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
    else { throw CamrecError(.input, "cannot read the folder '\(folder)'") }
    var films: [String] = []
    for case let url as URL in all where PathText(url.path).kind.lowercased() == "mov" {
      guard let kind = try? url.resourceValues(forKeys: Set(keys)), kind.isRegularFile == true,
        kind.isSymbolicLink != true
      else { continue }
      films.append(url.path)
    }
    guard isReadable else { throw CamrecError(.input, "cannot read the folder '\(folder)'; check its permissions") }
    return films.sorted()
  }

  /// What `recover` throws for a film that somebody is recording or recovering.
  public static func inUse(_ path: String) -> CamrecError { FilmFile.inUse(path) }

  /// Whether camrec has recorded it: a sidecar lies beside it, or its header, with which an unfinished film begins,
  /// names the software, as does what stands there before the header (`PreparedMark`). A film that has begun without
  /// getting as far as a header is nobody's.
  public static func isOurs(_ path: String) -> Bool {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_size > 0 else { return false }
    let hasSidecar = SidecarFile.isSidecar(SidecarFile.path(ofFilm: path))
    guard let head = head(of: path) else { return hasSidecar }
    return hasSidecar ? head != Data(PreparedMark.bytes) : head.range(of: Data("camrec ".utf8)) != nil
  }

  private static func head(of path: String) -> Data? {
    guard let file = try? InputFile(path: path) else { return nil }
    return (try? file.bytes(at: 0, count: FilmBeginning.headBytes)).map { Data($0) }
  }
}
