import Foundation
public import Frames

/// A film that is never deleted by camrec: an empty file `take.mov.keep` beside it says so. It goes wherever the files
/// go, to FAT and over networks, which no attribute does.
public enum KeepMark {
  public static let suffix = ".keep"

  /// Marks the film, or takes its mark away.
  ///
  /// - Throws: code `input` where there is no film, code `output` where its folder takes no mark.
  public static func set(_ isKept: Bool, film name: String) throws(CamrecError) {
    // The mark belongs beside the film itself, not beside a link to it.
    let film = OutputPath.resolved(name)
    let mark = film + suffix
    if isKept {
      let file = unsafe open(mark, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, SystemFile.mode)
      guard file >= 0 else { throw refusal(mark) }
      fsync(file)
      close(file)
      try? FolderSync.synchronize(folderOf: mark)
    }
    // Whoever is about to delete it gives it another name for a moment, sees the mark, and gives it back.
    for _ in 0..<20 where !isFilm(film) { WorkThread.sleep(.milliseconds(50)) }
    guard isFilm(film) else {
      if isKept { unsafe unlink(mark) }
      throw CamrecError(.input, "there is no film '\(film)'")
    }
    if !isKept {
      guard unsafe unlink(mark) == 0 || errno == ENOENT else { throw refusal(mark) }
      try? FolderSync.synchronize(folderOf: mark)
    }
  }

  private static func isFilm(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  private static func refusal(_ mark: String) -> CamrecError {
    CamrecError(.output, "'\(mark)' cannot be made or taken away", cause: SystemError.words(for: errno))
  }
}
