import Foundation
import Frames
import Movies
import Sidecar
import SystemCalls

/// A film that is being made beside the place in which it will be: hidden, and of one maker alone; with its sidecar.
struct PartialFilm {
  let path: String
  private let film: String

  /// A film could not have its name.
  struct Misplaced: Error {
    /// Where it is.
    let path: String
    /// Code `output`, with that.
    let error: CamrecError
  }

  init(_ film: String) {
    self.film = film
    path = PartialFilmName.beginning(of: film) + UUID().uuidString + "." + PathText(film).kind
  }

  /// Looks whether the film of this name may be replaced, before hours are spent on another, or a camera is started.
  ///
  /// - Throws: code `output`: it is being recorded or recovered, or may be.
  static func checkReplacing(_ film: String) throws(CamrecError) { _ = try FilmLock(replacing: film) }

  /// Gives it its name. The sidecar of a film that it replaces goes; a file that is none stays.
  ///
  /// - Parameter overwrite: a film of that name is replaced; else one that has come there meanwhile stays.
  /// - Returns: why the film has no sidecar, where it was to have one.
  /// - Throws: `Misplaced`; the film then has the next free name.
  @discardableResult func finish(overwrite: Bool) throws(Misplaced) -> String? {
    // Held until the sidecar is the new film's, too.
    let lock = try giveName(overwrite: overwrite)
    defer { _ = lock }
    SidecarFile.removeLeftover(ofFilm: film)
    let sidecar = SidecarFile.path(ofFilm: path), name = SidecarFile.path(ofFilm: film)
    guard SidecarFile.isSidecar(sidecar) else { return nil }
    do throws(NewName.Failure) { try NewName.give(name, to: sidecar) } catch {
      unsafe unlink(sidecar)
      return "the film has no sidecar: '\(name)' cannot be created: \(SystemError.words(for: error.number))"
    }
    return nil
  }

  /// - Returns: the lock of the film that was replaced.
  private func giveName(overwrite: Bool) throws(Misplaced) -> FilmLock? {
    guard overwrite else {
      do throws(NewName.Failure) { try NewName.give(film, to: path) } catch { throw refusal(error.number) }
      return nil
    }
    let lock: FilmLock?
    do throws(CamrecError) { lock = try FilmLock(replacing: film) } catch {
      throw misplaced(error.message, cause: error.cause)
    }
    guard unsafe rename(path, film) == 0 else { throw refusal(errno) }
    return lock
  }

  private func refusal(_ number: Int32) -> Misplaced {
    if number == EEXIST {
      return misplaced("'\(film)' was created by another program in the meantime, and stays", cause: nil)
    }
    return misplaced("'\(film)' cannot be created", cause: SystemError.words(for: number))
  }

  private func misplaced(_ reason: String, cause: String?) -> Misplaced {
    let name = giveFreeName()
    return Misplaced(path: name, error: CamrecError(.output, "\(reason); what was baked is '\(name)'", cause: cause))
  }

  /// Has it lie under a name that everybody sees: `take-2.mov` for `take.mov`.
  ///
  /// - Returns: the name; the hidden one where the folder takes no other.
  private func giveFreeName() -> String {
    for number in 2...PartialFilm.mostNumber {
      let name = FilmNames.numbered(film, number)
      do throws(NewName.Failure) { try NewName.give(name, to: path) } catch {
        if error.number == EEXIST { continue }
        return path
      }
      try? NewName.give(SidecarFile.path(ofFilm: name), to: SidecarFile.path(ofFilm: path))
      return name
    }
    return path
  }

  private static let mostNumber = 10_000

  func remove() {
    unsafe unlink(path)
    SidecarFile.removeLeftover(ofFilm: path)
  }
}
