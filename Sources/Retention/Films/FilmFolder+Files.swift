import Digest
import Foundation
import Movies

/// Looks at files of the folder.
extension FilmFolder {
  func opened(_ name: String) -> Int32? { try? system.open(name, in: folder, .read) }

  /// Whether nobody writes it, as far as locks tell.
  func isFree(_ file: Int32) -> Bool {
    do throws(FolderFailure) { try system.lock(file) } catch { return error.number != EWOULDBLOCK }
    return true
  }

  func status(of file: Int32) -> FileStatus? { try? system.status(of: file) }

  func status(of name: String) -> FileStatus? { try? system.status(of: name, in: folder) }

  /// Whether nothing has this name. If that cannot be determined, something may have it.
  func isMissing(_ name: String) -> Bool {
    do throws(FolderFailure) { _ = try system.status(of: name, in: folder) } catch { return error.number == ENOENT }
    return false
  }

  /// Whether it is an ordinary file on this file system.
  func isFilm(_ status: FileStatus) -> Bool {
    status.isOrdinary && self.status(of: folder)?.device == status.device
  }

  func matches(_ status: FileStatus, _ film: CataloguedFilm) -> Bool {
    isFilm(status) && status.bytes == film.bytes && film.inode.map { $0 == status.inode } ?? true
  }

  func isKept(_ name: String) -> Bool { !isMissing(name + KeepMark.suffix) }

  func head(of file: Int32) -> String? { bytes(of: file, most: FilmFolder.headBytes).map { SHA256.hash($0) } }

  func bytes(of file: Int32, most: Int, from offset: Int64 = 0) -> [UInt8]? {
    try? system.read(file, at: offset, count: most)
  }

  /// Writes all bytes; they are on the medium when this returns.
  func put(_ bytes: [UInt8], into file: Int32) throws(FolderFailure) {
    var done = 0
    while done < bytes.count {
      let count = try system.write(bytes.span.extracting(done...), to: file)
      guard count > 0 else { throw FolderFailure(ENOSPC) }
      done += count
    }
    try system.synchronize(file)
  }

  /// Whether nobody else can have written it.
  func isTrusted(_ status: FileStatus) -> Bool {
    status.isOrdinary && (status.owner == geteuid() || status.owner == 0) && !status.isWritableByOthers
  }
}
