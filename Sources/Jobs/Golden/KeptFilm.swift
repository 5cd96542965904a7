import Foundation
import Frames
import Platform

/// The lossless film of a case's baked frames: written under another name, until the golden that it belongs to is
/// there.
struct KeptFilm {
  let path: String

  var part: String { path + ".part.mkv" }

  /// Makes sure that the film may have its name, and keeps others from using a former one until the lock ends.
  ///
  /// - Returns: `nil` if there is no former one.
  /// - Throws: code `output`.
  func lock() throws(CamrecError) -> FilmLock? {
    var status = stat()
    if unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      throw CamrecError(.output, "'\(path)' is a folder, and the case's film has that name")
    }
    return try FilmLock(replacing: path, setting: nil)
  }

  /// Gives the film its name; a former one goes.
  ///
  /// - Throws: code `output`; a former one is then gone, too: it does not belong to the golden.
  func place(holding lock: FilmLock?) throws(CamrecError) {
    do throws(NewName.Failure) { try NewName.replace(path, with: part, holding: lock) } catch {
      remove()
      throw CamrecError(.output, "'\(path)' cannot be created", cause: SystemError.words(for: error.number))
    }
  }

  /// Removes what has the film's name, if that is a file.
  func remove() { try? SystemCall.unlink(path) }

  /// Removes what has not been given its name.
  func removePart() { try? SystemCall.unlink(part) }
}
