import Dispatch
import Foundation
import Frames
import KernelClock
import Movies
import Recorder
import Recovery
import Retention
import Sidecar
import Synchronization
import Telemetry

/// Enters a recorder's films into the catalogue of their folder, and deletes those there that are not to be kept any
/// longer.
///
/// The observer's calls only leave a note; the work is done by the thread that calls `work`, and by whoever asks for
/// room. Thread: any.
final class FilmKeeping: SegmentObserver, Sendable {
  struct Plan {
    var limits: RetentionLimits
    /// What the recorder is called.
    var recorder: String
    /// A hook is run for each film.
    var hasHook = false
  }

  private enum Event {
    case began(String)
    case finished(FinishedSegment)

    var path: String {
      switch self {
      case .began(let path): path
      case .finished(let film): film.path
      }
    }
  }

  private struct Shelf {
    var folder: FilmFolder?
    /// What a crash has cut off there is cleared up.
    var isSwept = false
    /// When the films were looked at last, in seconds since the system started.
    var lookedAt: Double?
    /// When its catalogue was tidied last, likewise.
    var tidiedAt = 0.0
    var reclaimable: Int64 = 0
    var deleted = 0
    /// Films that a crash has left, and their sizes when they were looked at.
    var adopted: [String: Int] = [:]
    /// How often in a row films went for --keep-free and the disk had no more room for it: snapshots, or players, hold
    /// them.
    var vainRounds = 0
    /// What could not be entered when it happened.
    var waiting: [Event] = []
    /// What was said, and has not become better since.
    var troubles: Set<String> = []
  }

  let plan: Plan
  private let say: @Sendable (SessionRemark) -> Void
  private let events = Mutex<[Event]>([])
  private let shelf = Mutex(Shelf())
  /// Rings when there is something to be entered.
  let bell = DispatchSemaphore(value: 0)
  private static let boot = StateWriter.own().boot

  /// Between two looks at all films, in seconds.
  private static let interval = 60.0
  private static let tidyInterval = 3600.0
  private static let mostVainRounds = 3
  /// What may wait while the disk does not answer.
  private static let mostEvents = 4096

  /// - Parameter say: any thread.
  init(_ plan: Plan, say: @escaping @Sendable (SessionRemark) -> Void) {
    self.plan = plan
    self.say = say
  }

  // MARK: SegmentObserver

  func began(_ path: String) { note(.began(path)) }
  func finished(_ segment: FinishedSegment) { note(.finished(segment)) }
  func abandoned(_ path: String) {}

  private func note(_ event: Event) {
    events.withLock { if $0.count < FilmKeeping.mostEvents { $0.append(event) } }
    bell.signal()
  }

  // MARK: Work

  /// Bytes of films that may be deleted when the disk gets full.
  var reclaimableBytes: Int64 { shelf.withLock { $0.reclaimable } }
  /// Films that were deleted so far.
  var deletedFilms: Int { shelf.withLock { $0.deleted } }

  /// Enters what has happened, and looks at the films where that is due.
  ///
  /// - Parameter path: of a film, the last one or the next.
  func work(beside path: String) {
    let now = events.withLock { events in
      defer { events = [] }
      return events
    }
    shelf.withLock { shelf in
      let moment = FilmKeeping.moment()
      let isDue = shelf.lookedAt.map { moment.uptime - $0 >= FilmKeeping.interval } ?? true
      shelf.waiting = Array(notEntered(shelf.waiting + now, &shelf).prefix(FilmKeeping.mostEvents))
      guard isDue || now.contains(where: { if case .finished = $0 { true } else { false } }) else { return }
      attempt("look", &shelf) { (shelf) throws(CamrecError) in
        try open(path, &shelf)
        shelf.lookedAt = moment.uptime
        if moment.uptime - shelf.tidiedAt >= FilmKeeping.tidyInterval { tidy(&shelf) }
        // What waits to be entered is not what a crash has left.
        if shelf.waiting.isEmpty { try adopt(&shelf) }
        try delete(needed: 0, beside: path, &shelf, moment)
      }
    }
  }

  /// Deletes films until there is so much more room, as far as any may go.
  func makeRoom(bytes: Int64, beside path: String) {
    shelf.withLock { (shelf) -> Void in
      attempt("room", &shelf) { (shelf) throws(CamrecError) in
        try open(path, &shelf)
        try delete(needed: bytes, beside: path, &shelf, FilmKeeping.moment())
      }
    }
  }

  /// Has the folder's films worked on by others.
  func withFolder<R>(_ body: (FilmFolder) throws(CamrecError) -> R) throws(CamrecError) -> R? {
    try shelf.withLock { (shelf) throws(CamrecError) -> R? in
      guard let folder = shelf.folder else { return nil }
      return try body(folder)
    }
  }

  /// Enters what has happened in its order. What follows something that cannot be entered waits with it, in the same
  /// folder.
  private func notEntered(_ events: [Event], _ shelf: inout Shelf) -> [Event] {
    var closed: Set<String> = [], waiting: [Event] = []
    for event in events {
      let folder = (event.path as NSString).deletingLastPathComponent
      if !closed.contains(folder), enter(event, &shelf) { continue }
      closed.insert(folder)
      waiting.append(event)
    }
    return waiting
  }

  private func enter(_ event: Event, _ shelf: inout Shelf) -> Bool {
    attempt("catalogue", &shelf) { (shelf) throws(CamrecError) in
      let moment = FilmKeeping.moment()
      switch event {
      case .began(let path):
        try open(path, &shelf)?.begun(FilmKeeping.name(path), by: plan.recorder, at: moment)
      case .finished(let film):
        // One that has stayed in fragments is entered when it was recovered, which changes it.
        if (try? FilmRecovery(isDry: true).recover(film.path))?.verdict == .recoverable { return }
        try open(film.path, &shelf)?.finished(
          FilmKeeping.name(film.path), by: plan.recorder, seconds: film.duration, frames: film.frames,
          lost: Int64(film.counts.totalLost), start: FilmKeeping.start(of: film.path), awaitsHook: plan.hasHook,
          at: moment)
      }
    }
  }

  /// The folder that the film lies in; what a crash has left there is cleared up when it is opened.
  @discardableResult
  private func open(_ path: String, _ shelf: inout Shelf) throws(CamrecError) -> FilmFolder? {
    let place = URL(fileURLWithPath: path).deletingLastPathComponent().path
    let folder: FilmFolder
    if let known = shelf.folder, known.path == place {
      folder = known
    } else {
      folder = try FilmFolder(path: place, hasLastingInodes: FileSizeLimit.hasLastingInodes(beside: path))
      (shelf.folder, shelf.isSwept, shelf.adopted) = (folder, false, [:])
    }
    if !shelf.isSwept {
      try folder.sweep()
      shelf.isSwept = true
      tidy(&shelf)
    }
    return folder
  }

  /// Where that fails, nothing is lost: it is done an hour later.
  private func tidy(_ shelf: inout Shelf) {
    shelf.tidiedAt = FilmKeeping.moment().uptime
    try? shelf.folder?.tidy()
  }

  /// Enters films that a crash has cut off, and that have been made whole since (`camrec recover`, or a rig).
  private func adopt(_ shelf: inout Shelf) throws(CamrecError) {
    guard let folder = shelf.folder else { return }
    // Another's may be whole by now, and not yet entered by who has recorded it.
    for begun in try folder.leftBehind() where begun.recorder == plan.recorder {
      let path = "\(folder.path)/\(begun.film)"
      // Unless it is as it was when it was looked at before.
      let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
      guard shelf.adopted.updateValue(size, forKey: begun.film) != size, FilmRecovery.isOurs(path) else { continue }
      // In fragments it is not at its end: recovering changes it.
      guard let film = try? FilmRecovery(isDry: true).recover(path), [.finished, .matroska].contains(film.verdict)
      else { continue }
      try folder.finished(
        begun.film, by: begun.recorder, seconds: film.seconds, frames: film.frames, lost: 0,
        start: FilmKeeping.start(of: path), awaitsHook: plan.hasHook,
        at: FilmKeeping.moment())
    }
  }

  private func delete(
    needed: Int64, beside path: String, _ shelf: inout Shelf, _ now: Moment
  ) throws(CamrecError) {
    guard let folder = shelf.folder else { return }
    let entries = try folder.entries(at: now)
    let films = entries.map {
      RetentionPolicy.Film(id: $0.film.id, bytes: $0.film.bytes, age: $0.age, protection: $0.protection)
    }
    shelf.reclaimable = films.reduce(0) { $0 + ($1.protection == nil ? $1.bytes : 0) }
    let free = FreeSpace.bytes(beside: path) ?? .max
    var limits = plan.limits, freed: Int64 = 0
    defer { look(at: path, free: free, freed: freed, &shelf) }
    if shelf.vainRounds >= FilmKeeping.mostVainRounds { limits.freeBytes = nil }
    for deletion in RetentionPolicy.deletions(among: films, limits: limits, free: free, needed: needed) {
      guard let film = entries.first(where: { $0.film.id == deletion.id })?.film else { continue }
      attempt(film.film, &shelf) { (shelf) throws(CamrecError) in
        guard try folder.delete(film.id, for: deletion.reason, at: now) else { return }
        shelf.deleted += 1
        shelf.reclaimable -= film.bytes
        if deletion.reason == .free { freed += film.bytes }
        say(SpaceSentences.deleted(film, deletion.reason, plan.limits))
      }
    }
  }

  /// Whether there is more room since films went for it. A minute lies between two rounds, in which some file systems
  /// free it.
  private func look(at path: String, free: Int64, freed: Int64, _ shelf: inout Shelf) {
    guard let least = plan.limits.freeBytes else { return }
    if free >= least { return shelf.vainRounds = 0 }
    guard freed > 0 else { return }
    let now = FreeSpace.bytes(beside: path) ?? .max
    shelf.vainRounds = now - free < freed / 4 ? shelf.vainRounds + 1 : 0
    guard shelf.vainRounds == FilmKeeping.mostVainRounds else { return }
    say(
      SessionRemark(
        "films were deleted for --keep-free, and the disk has no more room for it (snapshots, or a program that has them "
          + "open, may hold them): no more go for it until there is"))
  }

  /// What goes wrong is said once, until it goes well again; it never is the recording's.
  ///
  /// - Returns: whether it went well.
  @discardableResult
  private func attempt(
    _ what: String, _ shelf: inout Shelf, _ body: (inout Shelf) throws(CamrecError) -> Void
  ) -> Bool {
    do throws(CamrecError) {
      try body(&shelf)
      shelf.troubles.remove(what)
      return true
    } catch {
      if shelf.troubles.insert(what).inserted {
        say(SessionRemark("\(error.description); the recording goes on", facts: ["code": error.code.rawValue]))
      }
      return false
    }
  }

  /// Of its first frame, as its sidecar has it.
  private static func start(of film: String) -> String? {
    (try? SidecarReader(path: SidecarFile.path(ofFilm: film)))?.head.start.formatted(.iso8601)
  }

  private static func name(_ path: String) -> String { (path as NSString).lastPathComponent }

  static func moment() -> Moment {
    Moment(
      boot: boot, uptime: StateRecord.uptime(), time: Date().timeIntervalSince1970,
      isSynchronized: KernelClock.state?.isSynchronized ?? false)
  }
}
