import Foundation
public import Frames
import Platform

/// Deletes films.
extension FilmFolder {
  /// Deletes a film and its sidecar, if it is the file that was finished, is not kept, and is not in use.
  ///
  /// The film first gets a hidden name, under which it is checked once more. If somebody puts another file in its place
  /// at that moment, that file stays as it is.
  ///
  /// - Parameters:
  ///   - recorder: who deletes it. A folder that is no longer at its path loses nothing. Without locks, others' films
  ///     stay.
  ///   - proof: for a deletion that is meant to free room: as many bytes are unused on the disk once it has. The number
  ///     is noted beforehand (`FilmFolder+Trial`); while an earlier deletion is not proven, the film stays.
  /// - Returns: false if the film stays.
  /// - Throws: code `output` if it may not be deleted.
  public func delete(
    _ id: String, for reason: DeletionReason, by recorder: String, proof: Int64? = nil, at now: Moment
  ) throws(CamrecError) -> Bool {
    try withCatalogue { (catalogueFile) throws(CamrecError) in
      guard isAtItsPath else { return false }
      guard let film = catalogue.film(id), hasLocks || film.recorder == recorder, !isKept(film.film), mayGo(film),
        let file = opened(film.film) else {
        return false
      }
      defer { system.close(file) }
      guard isFree(file), let status = status(of: file), matches(status, film), status.links == 1,
        head(of: file) == film.head
      else { return false }
      if let proof {
        guard trial() == nil else { return false }
        do throws(FolderFailure) {
          try beginTrial(of: id, enough: proof)
        } catch {
          cancelTrial(of: id, enough: proof)
          throw CamrecError(
            .output, "'\(path)/\(film.film)' was not deleted: the deletion could not be noted beforehand",
            cause: SystemError.words(for: error.number))
        }
      }
      var isGone = false
      defer { if !isGone, let proof { cancelTrial(of: id, enough: proof) } }
      let going = FilmFolder.goingName(id)
      do throws(FolderFailure) { try system.rename(film.film, to: going, in: folder) } catch {
        throw refusal(film.film, error)
      }
      guard let moved = self.status(of: going), moved.isSameFile(as: status), !isKept(film.film) else {
        bringBack(going, film.film)
        return false
      }
      deleteSidecar(film.film)
      do throws(FolderFailure) { try system.unlink(going, in: folder) } catch {
        bringBack(going, film.film)
        throw refusal(film.film, error)
      }
      isGone = true
      // The film is gone whether or not that can be entered.
      try? append(
        CatalogueLine(deleted: .init(id: id, film: film.film, reason: reason, moment: now)), to: catalogueFile)
      return true
    }
  }

  /// Whether somebody holds a lock on a film, as far as locks tell.
  func isInUse(_ id: String) -> Bool {
    guard let film = catalogue.film(id), let file = opened(film.film) else { return false }
    defer { system.close(file) }
    return !isFree(file)
  }

  func mayGo(_ film: CataloguedFilm) -> Bool { catalogue.hook(of: film).map(\.isGivenUp) ?? true }

  /// Completes or undoes deletions that a crash has cut off, in the middle or before they happened.
  ///
  /// - Parameter recorder: who does it. Without locks, others' films stay as they are.
  public func sweep(by recorder: String) throws(CamrecError) {
    try sweepHidden(by: recorder)
    try clearTrials(by: recorder)
  }

  /// Completes or undoes deletions whose films have their hidden names.
  func sweepHidden(by recorder: String) throws(CamrecError) {
    let names = (try? system.names(in: folder)) ?? []
    let (prefix, suffix) = FilmFolder.goingAffixes
    for name in names where name.hasPrefix(prefix) && name.hasSuffix(suffix) {
      try withCatalogue { _ in
        guard let film = catalogue.film(String(name.dropFirst(prefix.count).dropLast(suffix.count))),
          hasLocks || film.recorder == recorder, let file = opened(name)
        else { return }
        defer { system.close(file) }
        if let status = status(of: file), matches(status, film), status.links == 1, head(of: file) == film.head,
          !isKept(film.film)
        {
          deleteSidecar(film.film)
          try? system.unlink(name, in: folder)
        } else {
          bringBack(name, film.film)
        }
      }
    }
  }

  static func goingName(_ id: String) -> String { goingAffixes.0 + id + goingAffixes.1 }

  private func bringBack(_ going: String, _ name: String) {
    // Overwrites nobody's file: a second name is made only if that name is free.
    do throws(FolderFailure) {
      try system.link(going, to: name, in: folder)
      try? system.unlink(going, in: folder)
    } catch {
      if error.number == EEXIST {
        // It is back already, and a crash has left its second name.
        if let here = status(of: name), let there = status(of: going), here.isSameFile(as: there) {
          try? system.unlink(going, in: folder)
        }
        return
      }
      // FAT has no second names.
      guard isMissing(name) else { return }
      try? system.rename(going, to: name, in: folder)
    }
  }

  private func deleteSidecar(_ film: String) {
    let name = film + FilmFolder.sidecarSuffix
    guard let file = opened(name) else { return }
    defer { system.close(file) }
    guard let status = status(of: file), isFilm(status),
      bytes(of: file, most: FilmFolder.sidecarMark.utf8.count).map({ $0.elementsEqual(FilmFolder.sidecarMark.utf8) })
        == true
    else { return }
    try? system.unlink(name, in: folder)
  }

  private func refusal(_ name: String, _ failure: FolderFailure) -> CamrecError {
    CamrecError(.output, "cannot delete '\(path)/\(name)'", cause: SystemError.words(for: failure.number))
  }
}
