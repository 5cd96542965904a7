import Foundation
package import Frames
import Movies
import Platform
import Sidecar

/// A film in the making, in its final folder under a hidden name that no other bake uses; with its sidecar.
package struct PartialFilm {
  package let path: String
  private let film: String

  /// A film could not get its final name.
  package struct Misplaced: Error {
    /// Where the film is.
    package let path: String
    /// Code `output`, naming that path.
    package let error: CamrecError
  }

  package init(_ film: String) {
    self.film = film
    path = PartialFilmName.beginning(of: film) + UUID().uuidString + "." + PathText(film).kind
  }

  /// Checks that the film of this name may be replaced, before hours of work or the start of a camera.
  ///
  /// - Throws: code `output` if it is, or may be, being recorded or recovered.
  package static func checkReplacing(_ film: String) throws(CamrecError) { _ = try FilmLock(replacing: film) }

  /// Gives the film its final name. Removes the sidecar of a film that it replaces, but no file that is not a sidecar.
  ///
  /// - Parameter overwrite: replace a film of that name; otherwise one created meanwhile stays.
  /// - Returns: why the film has no sidecar, if it should have one.
  /// - Throws: `Misplaced`; the film then has the next free name.
  @discardableResult package func finish(overwrite: Bool) throws(Misplaced) -> String? {
    // Held until the sidecar is the new film's.
    let lock = try giveName(overwrite: overwrite)
    defer { _ = lock }
    SidecarFile.removeLeftover(ofFilm: film)
    let sidecar = SidecarFile.path(ofFilm: path), name = SidecarFile.path(ofFilm: film)
    guard SidecarFile.isSidecar(sidecar) else { return nil }
    do throws(NewName.Failure) { try NewName.give(name, to: sidecar) } catch {
      try? SystemCall.unlink(sidecar)
      return "the film has no sidecar: '\(name)' cannot be created: \(SystemError.words(for: error.number))"
    }
    return nil
  }

  /// - Returns: the lock of the replaced film.
  private func giveName(overwrite: Bool) throws(Misplaced) -> FilmLock? {
    guard overwrite else {
      do throws(NewName.Failure) { try NewName.give(film, to: path) } catch { throw refusal(error.number) }
      return nil
    }
    let lock: FilmLock?
    do throws(CamrecError) { lock = try FilmLock(replacing: film) } catch {
      throw misplaced(error.message, cause: error.cause)
    }
    do throws(NewName.Failure) { try NewName.replace(film, with: path, holding: lock) } catch {
      throw refusal(error.number)
    }
    return lock
  }

  private func refusal(_ number: Int32) -> Misplaced {
    if number == EEXIST {
      return misplaced("'\(film)' was created by another program meanwhile and was not overwritten", cause: nil)
    }
    return misplaced("'\(film)' cannot be created", cause: SystemError.words(for: number))
  }

  private func misplaced(_ reason: String, cause: String?) -> Misplaced {
    let name = giveFreeName()
    return Misplaced(path: name, error: CamrecError(.output, "\(reason); the baked film is '\(name)'", cause: cause))
  }

  /// Gives the film a visible name: `take-2.mov` for `take.mov`.
  ///
  /// - Returns: the name; the hidden one if the folder takes no other.
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

  package func remove() {
    try? SystemCall.unlink(path)
    SidecarFile.removeLeftover(ofFilm: path)
  }
}
