import Foundation
public import Frames

/// A film that is never deleted by camrec: an empty file `take.mov.keep` beside it says so. It goes wherever the files
/// go, to FAT and over networks, which no attribute does.
public enum KeepMark {
  public static let suffix = ".keep"

  /// What lies at a mark's name.
  private enum Place: Equatable {
    case free, mark
    /// Not a mark, and why.
    case taken(String)
  }

  /// Marks the film, or takes its mark away. Only an empty ordinary file is a mark; whatever else has its name stays as
  /// it is.
  ///
  /// - Returns: whether that is new.
  /// - Throws: code `input` where there is no film, code `output` where its folder takes no mark, or something else has
  ///   the mark's name.
  @discardableResult public static func set(_ isKept: Bool, film name: String) throws(CamrecError) -> Bool {
    // The mark belongs beside the film itself, not beside a link to it.
    let film = OutputPath.resolved(name)
    let mark = film + suffix
    let isNew = isKept ? try make(mark) : false
    // Whoever is about to delete it gives it another name for a moment, sees the mark, and gives it back.
    for _ in 0..<20 where !isFilm(film) { WorkThread.sleep(.milliseconds(50)) }
    guard isFilm(film) else {
      // Somebody may have put something into it meanwhile.
      if isNew, place(mark) == .mark { unsafe unlink(mark) }
      throw CamrecError(.input, "there is no film '\(film)'")
    }
    return isKept ? isNew : try remove(mark)
  }

  /// - Returns: whether it was not there before.
  private static func make(_ mark: String) throws(CamrecError) -> Bool {
    let file = unsafe open(mark, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, SystemFile.mode)
    guard file >= 0 else {
      guard errno == EEXIST else { throw refusal(mark) }
      if case .taken(let what) = place(mark) { throw occupied(mark, what) }
      return false
    }
    fsync(file)
    close(file)
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
    guard unsafe unlink(mark) == 0 || errno == ENOENT else { throw refusal(mark) }
    try? FolderSync.synchronize(folderOf: mark)
    return true
  }

  private static func place(_ mark: String) -> Place {
    var status = stat()
    guard unsafe lstat(mark, &status) == 0 else {
      return errno == ENOENT ? .free : .taken("cannot be looked at: \(SystemError.words(for: errno))")
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
      "'\(mark)' \(what), and is not a mark of 'camrec keep', which is an empty file; it stays as it is, and keeps the"
        + " film from being deleted. Move it away if the film is to be marked or unmarked")
  }

  private static func refusal(_ mark: String) -> CamrecError {
    CamrecError(.output, "'\(mark)' cannot be made or taken away", cause: SystemError.words(for: errno))
  }
}
