import Foundation
import Frames

/// A deletion of which nobody knows yet whether it has freed anything.
///
/// It is remembered as an empty file, `.camrec-in-vain-N`: its name carries the number, so that it needs no room on a
/// disk that is full, and it goes with the disk. Deleting for lack of room goes on once N bytes are unused there, which
/// is when the file is deleted; a person may delete it as well.
extension FilmFolder {
  static let trialPrefix = ".camrec-in-vain-"

  /// Bytes that have to be unused on the disk before another film goes for lack of room; `nil` where none is pending.
  func trial() -> Int64? {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).compactMap(FilmFolder.trial(of:)).max()
  }

  private static func trial(of name: String) -> Int64? {
    guard name.hasPrefix(trialPrefix), let enough = Int64(name.dropFirst(trialPrefix.count)), enough >= 0 else {
      return nil
    }
    return enough
  }

  /// - Returns: false: it cannot be remembered, and so nothing may be deleted.
  func beginTrial(enough: Int64) -> Bool {
    let name = "\(FilmFolder.trialPrefix)\(max(0, enough))"
    let file = unsafe openat(folder, name, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o640)
    guard file >= 0 else { return false }
    close(file)
    return fsync(folder) == 0 || errno == EINVAL
  }

  /// So many bytes are unused: what they prove is over.
  func endTrials(unused: Int64) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] {
      guard let enough = FilmFolder.trial(of: name), unused >= enough else { continue }
      var status = stat()
      // What has something in it is not camrec's.
      guard unsafe fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0, status.st_mode & S_IFMT == S_IFREG,
        status.st_size == 0
      else { continue }
      unsafe _ = unlinkat(folder, name, 0)
    }
  }
}
