import Foundation
public import Frames
import Platform

/// Marks a film that camrec must never delete, by an empty file `take.mov.keep` beside it. It goes wherever the files
/// go, to FAT and over networks, which no attribute does.
public enum KeepMark {
  public static let suffix = ".keep"

  /// What has the mark's name.
  private enum Place: Equatable {
    case free, mark
    /// Not a mark, and why.
    case taken(String)
  }

  /// Marks the film or removes its mark. Only an empty ordinary file is a mark; anything else with that name is left
  /// alone.
  ///
  /// - Returns: whether this has changed anything.
  /// - Throws: code `input` if there is no film; code `output` if the mark cannot be made or removed, or if something
  ///   else has its name.
  @discardableResult public static func set(_ isKept: Bool, film name: String) throws(CamrecError) -> Bool {
    // The mark belongs beside the film itself, not beside a link to it.
    let film = OutputPath.resolved(name)
    let mark = film + suffix
    let isNew = isKept ? try make(mark) : false
    // A recorder about to delete the film renames it for a moment, sees the mark, and renames it back.
    for _ in 0..<20 where !isFilm(film) { WorkThread.sleep(.milliseconds(50)) }
    guard isFilm(film) else {
      // Somebody may have put something into it meanwhile.
      if isNew, place(mark) == .mark { try? SystemCall.unlink(mark) }
      throw CamrecError(.input, "there is no film '\(film)'")
    }
    return isKept ? isNew : try remove(mark)
  }

  /// - Returns: whether it was not there before.
  private static func make(_ mark: String) throws(CamrecError) -> Bool {
    do throws(SystemCallError) {
      let file = try OpenFile.open(mark, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: SystemFile.mode)
      fsync(file)
      close(file)
    } catch {
      guard error.number == EEXIST else { throw refusal(mark, error) }
      if case .taken(let what) = place(mark) { throw occupied(mark, what) }
      return false
    }
    try? FolderSync.synchronize(folderOf: mark)
    return true
  }

  /// - Returns: whether there was one.
  private static func remove(_ mark: String) throws(CamrecError) -> Bool {
    switch place(mark) {
    case .free: return false
    case .taken(let what): throw occupied(mark, what)
    case .mark: break
    }
    do throws(SystemCallError) { try SystemCall.unlink(mark) } catch {
      guard error.number == ENOENT else { throw refusal(mark, error) }
    }
    try? FolderSync.synchronize(folderOf: mark)
    return true
  }

  private static func place(_ mark: String) -> Place {
    var status = stat()
    do throws(SystemCallError) { try SystemCall.perform("lstat") { unsafe lstat(mark, &status) } } catch {
      return error.number == ENOENT ? .free : .taken("cannot be examined (\(error.words))")
    }
    return switch status.st_mode & S_IFMT {
    case S_IFREG: status.st_size == 0 ? .mark : .taken("is not empty")
    case S_IFDIR: .taken("is a folder")
    case S_IFLNK: .taken("is a link")
    default: .taken("is a device, a pipe or a socket")
    }
  }

  private static func isFilm(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  private static func occupied(_ mark: String, _ what: String) -> CamrecError {
    CamrecError(
      .output,
      "'\(mark)' \(what), but a keep mark is an empty file. camrec leaves it alone, and keeps the film; to set or"
        + " remove a keep mark, move it away first")
  }

  private static func refusal(_ mark: String, _ refusal: SystemCallError) -> CamrecError {
    CamrecError(.output, "cannot make or remove '\(mark)'", cause: refusal.words)
  }
}
