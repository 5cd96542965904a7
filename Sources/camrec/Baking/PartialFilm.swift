import Foundation
import Frames
import Movies
import Sidecar
import SystemCalls

/// A film that is being made beside the place in which it will be: hidden, and of one maker alone; with its sidecar.
struct PartialFilm {
  let path: String
  private let film: String

  init(_ film: String) {
    self.film = film
    path = PartialFilmName.beginning(of: film) + UUID().uuidString + "." + PathText(film).kind
  }

  /// Looks whether the film of this name may be replaced, before hours are spent on another.
  ///
  /// - Throws: code `output`: it is being recorded or recovered, or may be.
  static func checkReplacing(_ film: String) throws(CamrecError) { _ = try FilmLock(replacing: film) }

  /// Gives it its name. The sidecar of a film that it replaces goes; a file that is none stays.
  ///
  /// - Parameter overwrite: a film of that name is replaced; else one that has come there meanwhile stays.
  /// - Returns: why the film has no sidecar, where it was to have one.
  /// - Throws: code `output`; the film then keeps its hidden name.
  @discardableResult func finish(overwrite: Bool) throws(CamrecError) -> String? {
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
  private func giveName(overwrite: Bool) throws(CamrecError) -> FilmLock? {
    guard overwrite else {
      do throws(NewName.Failure) { try NewName.give(film, to: path) } catch { throw refusal(error.number) }
      return nil
    }
    let lock: FilmLock?
    do throws(CamrecError) { lock = try FilmLock(replacing: film) } catch {
      throw CamrecError(.output, "\(error.message); what was baked is '\(path)'", cause: error.cause)
    }
    guard unsafe rename(path, film) == 0 else { throw refusal(errno) }
    return lock
  }

  private func refusal(_ number: Int32) -> CamrecError {
    CamrecError(
      .output, number == EEXIST
        ? "'\(film)' has come to be there meanwhile, and stays; what was baked is '\(path)'"
        : "'\(film)' cannot be created; what was baked is '\(path)'", cause: SystemError.words(for: number))
  }

  func remove() {
    unsafe unlink(path)
    SidecarFile.removeLeftover(ofFilm: path)
  }

  /// Takes away what makers of these films have left that were killed. What somebody still writes stays, and so does
  /// everything where the file system has no locks by which that would show.
  ///
  /// - Returns: nothing of these films is left.
  @discardableResult static func removeAbandoned(of films: [String]) -> Bool {
    var isClear = true
    for (folder, films) in Dictionary(grouping: films, by: { PathText($0).folderOrDot }) {
      let beginnings = Set(films.map { PathText(PartialFilmName.beginning(of: $0)).name })
      for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
        guard !name.hasSuffix(SidecarFile.suffix), let beginning = PartialFilmName.beginning(in: name),
          beginnings.contains(beginning)
        else { continue }
        let path = PathText(folder).appending(name)
        guard isAbandoned(path) else {
          isClear = false
          continue
        }
        unsafe unlink(path)
        SidecarFile.removeLeftover(ofFilm: path)
      }
    }
    return isClear
  }

  /// Writers of films hold a lock on them.
  private static func isAbandoned(_ path: String) -> Bool {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return FilmLock.take(descriptor) == .taken
  }
}
