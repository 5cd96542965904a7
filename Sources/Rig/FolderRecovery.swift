import Foundation
import Frames
import Platform
package import RecorderRemote
package import Recovery
import Retention
package import Supervision
import Synchronization

/// Recovers the films that a crash left in one folder.
///
/// Thread: any; it reads the films on a thread of its own.
package final class FolderRecovery: Sendable {
  package struct Note: Sendable {
    package let urgency: ChildWatch.Urgency
    package let sentence: String
    package let recorder: String
    /// `nil` for a whole folder.
    package let film: String?
  }

  /// A camera's film name pattern, and its name.
  package struct Place: Hashable {
    package let pattern: FilmNamePattern
    package let recorder: String

    package init(pattern: FilmNamePattern, recorder: String) {
      self.pattern = pattern
      self.recorder = recorder
    }
  }

  private struct Progress: Sendable {
    var places: [Place] = []
    var films: [(path: String, recorder: String)] = []
    var notes: [Note] = []
    var thread: WorkThread?
    var isWorking = false
    var isGivenUp = false
  }

  private let progress = Mutex(Progress())
  private let recorders: RecorderDirectory

  /// - Parameter recorders: say which films are being recorded.
  package init(recorders: RecorderDirectory) { self.recorders = recorders }

  /// Adds a place to the queue. Films that are being recorded or cannot be recovered stay as they are. Does not wait
  /// for a disk.
  package func begin(_ place: Place) {
    progress.withLock { progress in
      if !progress.places.contains(place) { progress.places.append(place) }
      guard !progress.isWorking else { return }
      progress.isWorking = true
      progress.thread = WorkThread(name: "camrec-recover") { [self] in work() }
    }
  }

  private func work() {
    while goOn() {
      if let film = progress.withLock({ $0.films.popLast() }) {
        guard FilmRecovery.isOurs(film.path), let note = recover(film.path, of: film.recorder) else { continue }
        progress.withLock { $0.notes.append(note) }
      } else if let place = progress.withLock({ $0.places.first }) {
        look(into: place)
      }
    }
  }

  private func goOn() -> Bool {
    progress.withLock { progress in
      progress.isWorking = !progress.isGivenUp && !(progress.films.isEmpty && progress.places.isEmpty)
      return progress.isWorking
    }
  }

  private func look(into place: Place) {
    do throws(CamrecError) {
      let pattern = place.pattern
      let all =
        pattern.hasTimedFolder
        ? try FilmRecovery.movies(below: pattern.folder) : FolderRecovery.films(in: pattern.folder)
      var owners: [Substring: [String: String]] = [:]
      let films = all.filter { path in
        let slash = path.lastIndex(of: "/") ?? path.startIndex
        let folder = path[..<slash], name = path[slash...].drop { $0 == "/" }
        let known = owners[folder] ?? FilmCatalogue.owners(in: folder.isEmpty ? "/" : String(folder))
        owners[folder] = known
        return pattern.isOwn(path, recorder: place.recorder, owner: known[String(name)])
      }
      // `popLast` takes the first film first.
      progress.withLock { $0.films = films.reversed().map { ($0, place.recorder) } }
    } catch {
      // The recorder itself says that it is missing.
      if !FolderRecovery.isMissing(place.pattern.folder) {
        let note = Note(urgency: .warning, sentence: error.description, recorder: place.recorder, film: nil)
        progress.withLock { $0.notes.append(note) }
      }
    }
    progress.withLock { $0.places.removeAll { $0 == place } }
  }

  private static func isMissing(_ folder: String) -> Bool {
    var status = stat()
    do throws(SystemCallError) {
      try SystemCall.perform("stat") { unsafe stat(folder, &status) }
      return false
    } catch {
      return error.number == ENOENT
    }
  }

  /// Notes since the last call.
  package func news() -> [Note] {
    progress.withLock { progress in
      defer { progress.notes = [] }
      return progress.notes
    }
  }

  /// The rig ends: starts on no further film.
  package func giveUp() { progress.withLock { $0.isGivenUp = true } }

  /// - Parameter patience: seconds to wait for the film that is being recovered.
  /// - Returns: number of films and places left unfinished.
  package func end(within patience: Double) -> Int {
    let isDone = progress.withLock { $0.thread }?.join(within: patience) ?? true
    return progress.withLock { $0.films.count + $0.places.count } + (isDone ? 0 : 1)
  }

  private func recover(_ path: String, of recorder: String) -> Note? {
    func note(_ urgency: ChildWatch.Urgency, _ sentence: String) -> Note {
      // As the recorder names it.
      let film = path.hasPrefix("./") ? String(path.dropFirst(2)) : path
      return Note(urgency: urgency, sentence: sentence, recorder: recorder, film: film)
    }
    do throws(CamrecError) {
      let recovery = FilmRecovery(isOfRig: true, isBeingRecorded: { [recorders] in recorders.isRecording($0) })
      let film = try recovery.recover(path)
      return film.verdict.isUnfinished ? note(.info, film.sentence) : nil
    } catch {
      return error == FilmRecovery.inUse(path) ? nil : note(.warning, error.description)
    }
  }

  private static func films(in folder: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { !$0.hasPrefix(".") && $0.lowercased().hasSuffix(".mov") }.sorted().map { "\(folder)/\($0)" }
      .filter { path in
        // A linked file may belong to someone else.
        let kind = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
        return kind == .typeRegular
      }
  }
}
