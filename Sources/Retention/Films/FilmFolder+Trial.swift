import Foundation
public import Frames

/// A deletion of which nobody knows yet whether it has freed anything.
///
/// It is remembered before it happens, as an empty file `.camrec-trying-N-ID`: its name carries the number of bytes and
/// the film's id, so that it needs no room on a disk that is full, and it goes with the disk. Beside the sockets a
/// second one says the same to recorders of other folders on the disk (`DiskMarks`). Deleting for lack of room goes on
/// once N bytes are unused there, which is when the files are deleted; a person may delete them as well.
///
/// A process that ends between the mark and the deletion has deleted nothing. So whoever finds a mark looks whether its
/// film is still there; then the mark goes.
extension FilmFolder {
  /// A mark in the folder.
  private struct Mark {
    var name: String
    var enough: Int64
    /// Of the film; `nil` in marks of older versions, which say only that deleting has freed nothing.
    var film: String?

    init?(name: String) {
      let number: Substring
      if name.hasPrefix(FilmFolder.oldTrialPrefix) {
        number = name.dropFirst(FilmFolder.oldTrialPrefix.count)
      } else if name.hasPrefix(FilmFolder.trialPrefix) {
        let parts = name.dropFirst(FilmFolder.trialPrefix.count).split(separator: "-", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        number = parts[0]
        film = String(parts[1])
      } else {
        return nil
      }
      guard let enough = Int64(number), enough >= 0 else { return nil }
      self.name = name
      self.enough = enough
    }
  }

  static let trialPrefix = ".camrec-trying-"
  static let oldTrialPrefix = ".camrec-in-vain-"

  private var trials: [Mark] {
    ((try? system.names(in: folder)) ?? []).compactMap(Mark.init).filter { mark in
      // What has something in it is not camrec's.
      status(of: mark.name).map { $0.isOrdinary && $0.bytes == 0 } ?? false
    }
  }

  /// Bytes that have to be unused on the disk before another film goes for lack of room; `nil` where none is pending.
  func trial() -> Int64? { (trials.map(\.enough) + (marks?.all ?? []).map(\.enough)).max() }

  /// - Throws: it cannot be remembered, and so nothing may be deleted.
  package func beginTrial(of film: String, enough: Int64) throws(FolderFailure) {
    system.close(try system.open(FilmFolder.trialName(film, enough), in: folder, .write))
    do throws(FolderFailure) { try system.synchronize(folder) } catch {
      // Some file systems have nothing to wait for.
      if error.number != EINVAL { throw error }
    }
    // Where there is no place for it, each folder knows of itself.
    try? marks?.add(.init(folder: path, film: film, enough: max(0, enough)))
  }

  /// Nothing was deleted.
  func cancelTrial(of film: String, enough: Int64) {
    try? system.unlink(FilmFolder.trialName(film, enough), in: folder)
    marks?.remove { $0.film == film }
  }

  private static func trialName(_ film: String, _ enough: Int64) -> String { "\(trialPrefix)\(max(0, enough))-\(film)" }

  /// So many bytes are unused: what they prove is over.
  func endTrials(unused: Int64) {
    for mark in trials where unused >= mark.enough { try? system.unlink(mark.name, in: folder) }
    marks?.remove { unused >= $0.enough }
  }

  /// Takes away marks of deletions that have not happened. Each mark is looked at once: whoever deletes has the lock.
  ///
  /// - Parameter recorder: who does it. Where there are no locks, another may be about to delete.
  public func clearTrials(by recorder: String) throws(CamrecError) {
    let here = trials, everywhere = marks?.all ?? []
    let known = judgedTrials
    judgedTrials.formIntersection(here.map(\.name) + everywhere.map(\.description))
    guard !judgedTrials.isSuperset(of: here.map(\.name) + everywhere.map(\.description)) else { return }
    try sweepHidden(by: recorder)
    for mark in here where !known.contains(mark.name) {
      guard let film = mark.film, try isUntouched(film, by: recorder) else {
        judgedTrials.insert(mark.name)
        continue
      }
      try? system.unlink(mark.name, in: folder)
    }
    for mark in everywhere where !known.contains(mark.description) {
      // What is wrong with another folder is no fault of this one: its mark stays, and nothing goes for lack of room.
      guard let isUntouched = try isUntouched(mark, by: recorder) else { continue }
      if isUntouched { marks?.remove { $0 == mark } } else { judgedTrials.insert(mark.description) }
    }
  }

  /// - Returns: `nil` for a film of another folder, of which nothing can be found out.
  private func isUntouched(_ mark: DiskMarks.Mark, by recorder: String) throws(CamrecError) -> Bool? {
    if mark.folder == path { return try isUntouched(mark.film, by: recorder) }
    // It may have been moved away.
    guard let other = try? FilmFolder(path: mark.folder, system: system) else { return nil }
    // Nobody waits for another folder's lock.
    other.patience = 0
    // Perhaps nobody records there any more.
    guard (try? other.sweepHidden(by: recorder)) != nil else { return nil }
    return try? other.isUntouched(mark.film, by: recorder)
  }

  /// A film that was to be deleted has its name, and nobody is about to delete it: that needs the catalogue's lock.
  private func isUntouched(_ id: String, by recorder: String) throws(CamrecError) -> Bool {
    try withCatalogue { _ in
      guard let film = catalogue.film(id), hasLocks || film.recorder == recorder, let status = status(of: film.film)
      else { return false }
      return matches(status, film)
    }
  }
}
