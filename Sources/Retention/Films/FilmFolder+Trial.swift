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
    ((try? system.names(in: folder)) ?? []).compactMap(FilmFolder.trial(of:)).max()
  }

  private static func trial(of name: String) -> Int64? {
    guard name.hasPrefix(trialPrefix), let enough = Int64(name.dropFirst(trialPrefix.count)), enough >= 0 else {
      return nil
    }
    return enough
  }

  /// - Throws: it cannot be remembered, and so nothing may be deleted.
  func beginTrial(enough: Int64) throws(FolderFailure) {
    system.close(try system.open("\(FilmFolder.trialPrefix)\(max(0, enough))", in: folder, .write))
    do throws(FolderFailure) { try system.synchronize(folder) } catch {
      // Some file systems have nothing to wait for.
      if error.number != EINVAL { throw error }
    }
  }

  /// So many bytes are unused: what they prove is over.
  func endTrials(unused: Int64) {
    for name in (try? system.names(in: folder)) ?? [] {
      guard let enough = FilmFolder.trial(of: name), unused >= enough else { continue }
      // What has something in it is not camrec's.
      guard let status = status(of: name), status.isOrdinary, status.bytes == 0 else { continue }
      try? system.unlink(name, in: folder)
    }
  }
}
