import Foundation
public import Frames

/// A deletion that has not been seen to free anything yet.
///
/// It is noted before it happens, as an empty file `.camrec-trying-N-ID`. The name carries the number of bytes and the
/// film's id, so the mark needs no room on a full disk, and it goes with the disk. A second mark beside the sockets
/// says the same to recorders of other folders on the disk (`DiskMarks`). Deleting for lack of room goes on once N
/// bytes are unused there; then the files are deleted. A person may delete them, too.
///
/// A process that ends between the mark and the deletion has deleted nothing. So whoever finds a mark checks whether
/// its film is still there; if it is, the mark goes.
extension FilmFolder {
  /// A mark in the folder.
  private struct Mark {
    var name: String
    var enough: Int64
    /// The id of the film's entry; `nil` in marks of older versions, which say only that deleting has freed nothing.
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
      // A file with something in it is not camrec's.
      status(of: mark.name).map { $0.isOrdinary && $0.bytes == 0 } ?? false
    }
  }

  /// Bytes that have to be unused on the disk before another film is deleted for lack of room; `nil` if no deletion is
  /// pending.
  func trial() -> Int64? { (trials.map(\.enough) + (marks?.all ?? []).map(\.enough)).max() }

  /// - Throws: if it cannot be noted; then nothing may be deleted.
  package func beginTrial(of film: String, enough: Int64) throws(FolderFailure) {
    system.close(try system.open(FilmFolder.trialName(film, enough), in: folder, .write))
    do throws(FolderFailure) { try system.synchronize(folder) } catch {
      // Some file systems have nothing to wait for.
      if error.number != EINVAL { throw error }
    }
    // Without a place for it, each folder knows only about itself.
    try? marks?.add(.init(folder: path, film: film, enough: max(0, enough)))
  }

  /// Removes the marks of a deletion that did not happen.
  func cancelTrial(of film: String, enough: Int64) {
    try? system.unlink(FilmFolder.trialName(film, enough), in: folder)
    marks?.remove { $0.film == film }
  }

  private static func trialName(_ film: String, _ enough: Int64) -> String { "\(trialPrefix)\(max(0, enough))-\(film)" }

  /// Ends the trials that `unused` bytes on the disk prove.
  func endTrials(unused: Int64) {
    for mark in trials where unused >= mark.enough { try? system.unlink(mark.name, in: folder) }
    marks?.remove { unused >= $0.enough }
  }

  /// Removes marks of deletions that have not happened. Each mark is checked once, because whoever deletes has the
  /// lock.
  ///
  /// - Parameter recorder: who does it. Without locks, another recorder may be about to delete.
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
      // A fault of another folder is not this one's: its mark stays, and nothing is deleted for lack of room.
      guard let isUntouched = try isUntouched(mark, by: recorder) else { continue }
      if isUntouched { marks?.remove { $0 == mark } } else { judgedTrials.insert(mark.description) }
    }
  }

  /// - Returns: `nil` for a film of another folder that cannot be examined.
  private func isUntouched(_ mark: DiskMarks.Mark, by recorder: String) throws(CamrecError) -> Bool? {
    if mark.folder == path { return try isUntouched(mark.film, by: recorder) }
    // It may have been moved away.
    guard let other = try? FilmFolder(path: mark.folder, system: system) else { return nil }
    // Do not wait for another folder's lock.
    other.patience = 0
    // Perhaps nobody records there any more.
    guard (try? other.sweepHidden(by: recorder)) != nil else { return nil }
    return try? other.isUntouched(mark.film, by: recorder)
  }

  /// Whether a film that was to be deleted has its name and nobody is about to delete it; deleting needs the
  /// catalogue's lock.
  private func isUntouched(_ id: String, by recorder: String) throws(CamrecError) -> Bool {
    try withCatalogue { _ in
      guard let film = catalogue.film(id), hasLocks || film.recorder == recorder, let status = status(of: film.film)
      else { return false }
      return matches(status, film)
    }
  }
}
