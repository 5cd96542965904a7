import Foundation
public import Frames
import Movies
import Platform
import Synchronization

/// Enters a recorder's films into the catalogue of their folder, and deletes films there that need not be kept any
/// longer.
///
/// `began`, `renamed`, `finished` and `abandoned` only leave a note; the thread that calls `work`, `admit` or
/// `makeRoom` does the work. Thread: any.
public final class RetentionService: Sendable {
  public struct Plan: Sendable {
    public var limits: RetentionLimits
    /// The recorder's name.
    public var recorder: String
    /// A hook runs for each film.
    public var hasHook: Bool
    /// As in a recorder's identity.
    public var pattern: String
    public var machine: String
    public var isRestarted: Bool
    /// `false` for a recorder with neither limits nor hook, which only shows the others in the folder that it is
    /// running.
    public var entersFilms: Bool
    /// The folder in which the recorder begins its films, and the only one in which it deletes any. A film that
    /// somebody has moved to another folder while it was recorded is entered in that folder. `nil`: the folder of each
    /// film.
    public var folder: String?

    public init(
      limits: RetentionLimits, recorder: String, hasHook: Bool = false, pattern: String = "", machine: String = "",
      isRestarted: Bool = false, entersFilms: Bool = true, folder: String? = nil
    ) {
      self.limits = limits
      self.recorder = recorder
      self.hasHook = hasHook
      self.pattern = pattern
      self.machine = machine
      self.isRestarted = isRestarted
      self.entersFilms = entersFilms
      self.folder = folder
    }
  }

  /// A finished film.
  public struct Finished: Sendable {
    public var path: String
    public var seconds: Double
    public var frames: Int64
    public var lost: Int64
    /// When its first frame was captured, ISO 8601; what its sidecar says comes before that.
    public var start: String?
    /// Its UUID.
    public var id: String?

    public init(
      path: String, seconds: Double, frames: Int64, lost: Int64, start: String? = nil, id: String? = nil
    ) {
      self.start = start
      self.id = id
      self.path = path
      self.seconds = seconds
      self.frames = frames
      self.lost = lost
    }
  }

  enum Event {
    /// With its UUID, and the moment when it began: it may be entered much later.
    case began(String, id: String?, Moment)
    case renamed(from: String, to: String)
    case finished(Finished)
    /// Nothing can be said of its end.
    case abandoned(String)

    var path: String {
      switch self {
      case .began(let path, _, _), .renamed(_, let path), .abandoned(let path): path
      case .finished(let film): film.path
      }
    }
  }

  struct State {
    var folder: FilmFolder?
    /// The identity that this recorder takes if there is none to take over, and why it has none.
    var id: RecorderIdentity?
    var stranger: CamrecError?
    /// Whether this recorder has been known in a folder.
    var hasJoined = false
    /// Recorders that had ended when this one started; `nil` before anybody has looked.
    var orphans: [String: Orphan]?
    /// Whether anybody has looked before, perhaps in a folder that was moved away since.
    var hasLookedAtOrphans = false
    /// A film was entered as finished.
    var hasFinished = false
    /// Unfinished films by path, which no other film of this process has: when each began, the identity that this
    /// recorder had then, and the film's UUID.
    var beginnings: [String: (moment: Moment, id: String?, filmID: String?)] = [:]
    /// Whether what a crash has cut off there is cleared up.
    var isSwept = false
    /// When the films were looked at last, in seconds since the system started.
    var lookedAt: Double?
    /// When its catalogue was tidied last, likewise.
    var tidiedAt = 0.0
    /// Films that a crash has left, and their sizes when they were looked at.
    var adopted: [String: Int64] = [:]
    /// Events that could not be entered when they happened.
    var waiting: [Event] = []
    /// Faults that were reported and are not over yet.
    var troubles: Set<String> = []
    var notices = StandingNotices()
    /// Of this recorder's deletions.
    var pending = PendingRoom()
    /// The last deletion for lack of room, or one that was found: what proves it, and since when that is watched.
    var trial: (enough: Int64, since: Double, film: String?, written: Int64)?
    var isVain = false
    /// The last deletion for a limit, likewise, and whether anybody was told that one has freed nothing.
    var limitTrial: (enough: Int64, since: Double, film: String, written: Int64)?
    var hasToldOfLimit = false
    /// Bytes that the recorder has written so far.
    var written: Int64 = 0
  }

  /// What others ask for, and set, while work is going on.
  struct Figures {
    var reclaimable: Int64 = 0
    /// Films that only their keep marks keep from being reclaimable.
    var kept: (count: Int, bytes: Int64) = (count: 0, bytes: 0)
    var deleted = 0
    /// Bytes a second of the next film, at most.
    var expected: Double?
  }

  public let plan: Plan
  let ports: RetentionPorts
  private let events = Mutex<[Event]>([])
  private let state = Mutex(State())
  let figures = Mutex(Figures())

  /// Seconds between two looks at all films.
  private static let interval = 60.0
  private static let tidyInterval = 3600.0
  /// How many events may wait while the disk does not answer.
  private static let mostEvents = 4096

  public init(_ plan: Plan, ports: RetentionPorts) {
    self.plan = plan
    self.ports = ports
  }

  // MARK: Notes

  /// - Parameter id: the film's UUID; `nil` if it has none.
  public func began(_ path: String, id: String? = nil) { note(.began(path, id: id, ports.moment())) }
  /// Notes that a film being recorded has another name now, or that a copy stands for it. It keeps its place in the
  /// order.
  public func renamed(from old: String, to path: String) { note(.renamed(from: old, to: path)) }
  public func finished(_ film: Finished) { note(.finished(film)) }
  /// Notes that a film that began has no end that could be told: once it is whole, it is entered as one that a crash
  /// has left.
  public func abandoned(_ path: String) { note(.abandoned(path)) }

  private func note(_ event: Event) {
    guard plan.entersFilms else { return }
    events.withLock { if $0.count < RetentionService.mostEvents { $0.append(event) } }
  }

  // MARK: Work

  /// Bytes of films that may be deleted when the disk gets full.
  public var reclaimableBytes: Int64 { figures.withLock { $0.reclaimable } }
  /// Films that could be deleted as well when the disk gets full, but for their keep marks.
  public var keptFilms: (count: Int, bytes: Int64) { figures.withLock { $0.kept } }
  /// Films that were deleted so far.
  public var deletedFilms: Int { figures.withLock { $0.deleted } }
  public func moment() -> Moment { ports.moment() }
  /// Sets how many bytes a second the next film takes at most; `nil` if unknown. Waits for nobody.
  public func expect(bytesPerSecond: Double?) { figures.withLock { $0.expected = bytesPerSecond } }

  /// Enters what has happened, and looks at the films if that is due.
  ///
  /// - Parameters:
  ///   - path: a film's, the last one's or the next one's.
  ///   - writtenBytes: what the recorder has written so far.
  public func work(beside path: String, writtenBytes: Int64 = 0) {
    work(beside: path, writtenBytes: writtenBytes, isLast: false)
  }

  /// The same when the recorder ends.
  public func end(beside path: String) { work(beside: path, writtenBytes: nil, isLast: true) }

  private func work(beside path: String, writtenBytes: Int64?, isLast: Bool) {
    let now = events.withLock { events in
      defer { events = [] }
      return events
    }
    let path = home(path)
    state.withLock { state in
      if let writtenBytes { state.written = writtenBytes }
      let moment = ports.moment()
      // A system that was started again counts from 0.
      let isDue = state.lookedAt.map { (moment.uptime - $0).magnitude >= RetentionService.interval } ?? true
      let all = state.waiting + now
      state.waiting = Array(notEntered(all, &state).prefix(RetentionService.mostEvents))
      lookAtLimits(beside: path, &state)
      // What was deleted may show by now.
      if state.trial != nil || !state.pending.isEmpty, let space = ports.space(path) {
        _ = expectedFree(space, &state)
        if state.trial != nil { _ = gate(space, &state) }
      }
      guard isDue || isLast || now.contains(where: { if case .finished = $0 { true } else { false } }) else { return }
      attempt("look", &state) { (state) throws(CamrecError) in
        try open(path, &state)
        state.lookedAt = moment.uptime
        try join(isLast: isLast, &state)
        guard plan.entersFilms else { return try state.folder?.clearRecorders(isLast: isLast) ?? () }
        if moment.uptime - state.tidiedAt >= RetentionService.tidyInterval { tidy(&state) }
        // A film that waits to be entered is not one that a crash has left.
        if state.waiting.isEmpty { try adopt(&state) }
        try delete(.none, beside: path, waits: false, &state)
        try report(path, &state)
        try state.folder?.clearRecorders(isLast: isLast)
      }
    }
  }

  /// Deletes films until there is as much room as `target` asks, as far as any may be deleted; deletes none if all of
  /// them would not be enough.
  ///
  /// - Parameters:
  ///   - writtenBytes: what the recorder has written so far; `nil`: what `work` was told last.
  ///   - isWanted: whether the recording still goes on, asked before each deletion: until one begins, another recorder
  ///     may have had the catalogue for a while.
  public func makeRoom(
    _ target: RoomTarget, beside path: String, writtenBytes: Int64? = nil, isWanted: () -> Bool = { true }
  ) {
    let path = home(path)
    state.withLock { (state) -> Void in
      // What was written before must not pass for room that a deletion has made.
      if let writtenBytes { state.written = writtenBytes }
      attempt("room", &state) { (state) throws(CamrecError) in
        try open(path, &state)
        try delete(target, beside: path, waits: false, isWanted: isWanted, &state)
      }
    }
  }

  /// Checks whether there is room for a film, and makes some if that is enough for it.
  ///
  /// - Parameters:
  ///   - needed: bytes that have to be free.
  ///   - bytesPerSecond: the rate expected of the film, if known.
  ///   - mayDelete: films may be deleted for it.
  /// - Returns: `nil` if there is room, as far as anybody knows; otherwise the bytes that are free.
  public func admit(_ path: String, needed: Int64, bytesPerSecond: Double?, mayDelete: Bool) -> Int64? {
    let path = home(path)
    expect(bytesPerSecond: bytesPerSecond)
    return state.withLock { state in
      guard let space = ports.space(path), space.free < needed else { return nil }
      guard mayDelete else { return space.free }
      attempt("room", &state) { (state) throws(CamrecError) in
        try open(path, &state)
        // If that were not enough, the film would be refused all the same, and the others would be gone.
        try delete(RoomTarget(bytes: needed, least: needed), beside: path, waits: true, &state)
      }
      guard let now = ports.space(path), now.free < needed else { return nil }
      return now.free
    }
  }

  /// Lets others work on the folder's films.
  ///
  /// - Returns: `nil` before the folder was opened.
  public func withFolder<R>(_ body: (FilmFolder) throws(CamrecError) -> R) throws(CamrecError) -> R? {
    try state.withLock { (state) throws(CamrecError) -> R? in
      guard let known = state.folder, let folder = try open("\(known.path)/film", &state) else { return nil }
      return try body(folder)
    }
  }

  // MARK: Entries

  /// Enters events in order. After one that cannot be entered, later events in the same folder wait with it.
  private func notEntered(_ events: [Event], _ state: inout State) -> [Event] {
    var closed: Set<String> = [], waiting: [Event] = []
    for event in events {
      let folder = RetentionService.folder(of: event.path)
      if !closed.contains(folder), enter(event, &state) { continue }
      closed.insert(folder)
      waiting.append(event)
    }
    return waiting
  }

  private func enter(_ event: Event, _ state: inout State) -> Bool {
    attempt("catalogue", &state) { (state) throws(CamrecError) in
      let moment = ports.moment()
      switch event {
      case .began(let path, let filmID, let beginning):
        let folder = try folder(for: path, &state)
        try folder?.begun(RetentionService.name(path), by: plan.recorder, filmID: filmID, at: beginning)
        state.beginnings[path] = (beginning, folder?.ownID, filmID)
      case .renamed(let old, let path):
        // Its beginning may wait for a folder that is away.
        let beginning = state.beginnings[old] ?? (moment, state.id?.id, nil)
        let left = left(old, for: path, begun: beginning.moment)
        // Where it was moved to, this recorder has no identity of its own.
        try folder(for: path, &state)?.begun(
          RetentionService.name(path), by: plan.recorder, id: beginning.id, filmID: beginning.filmID,
          former: left == nil ? RetentionService.name(old) : nil, at: beginning.moment)
        try? left?.moved(RetentionService.name(old), begun: beginning.moment, at: moment)
        state.beginnings[old] = nil
        state.beginnings[path] = beginning
      case .finished(let film):
        // A film that has stayed in fragments is entered once it was recovered, which changes it.
        if ports.inspect(film.path, false).state == .fragmented {
          state.beginnings[film.path] = nil
          return
        }
        try folder(for: film.path, &state)?.finished(
          RetentionService.name(film.path), by: plan.recorder, seconds: film.seconds, frames: film.frames,
          lost: film.lost, start: ports.start(film.path) ?? film.start, awaitsHook: plan.hasHook, id: film.id,
          at: moment)
        state.hasFinished = true
        state.beginnings[film.path] = nil
      case .abandoned(let path): state.beginnings[path] = nil
      }
    }
  }

  /// A path in the recorder's own folder, where films are deleted whatever has become of the last film's folder.
  private func home(_ path: String) -> String { plan.folder.map { PathText($0).appending("film") } ?? path }

  /// The folder whose catalogue a film is entered in.
  private func folder(for path: String, _ state: inout State) throws(CamrecError) -> FilmFolder? {
    let own = RetentionService.folder(of: home(path)), place = RetentionService.folder(of: path)
    guard own != place, PathText(own).resolved != PathText(place).resolved else { return try open(home(path), &state) }
    return try FilmFolder(
      path: place, hasLastingInodes: FileSizeLimit.hasLastingInodes(beside: path), system: ports.system)
  }

  /// The folder that a film has left for another, if the film's beginning is entered in its catalogue.
  private func left(_ old: String, for path: String, begun: Moment) -> FilmFolder? {
    let place = RetentionService.folder(of: old)
    guard PathText(place).resolved != PathText(RetentionService.folder(of: path)).resolved,
      let folder = try? FilmFolder(path: place, system: ports.system),
      (try? folder.hasBegun(RetentionService.name(old), at: begun)) == true
    else { return nil }
    return folder
  }

  /// The folder that the film lies in; what a crash has left there is cleared up when it is opened.
  @discardableResult
  private func open(_ path: String, _ state: inout State) throws(CamrecError) -> FilmFolder? {
    let place = RetentionService.folder(of: path)
    let folder: FilmFolder
    if let known = state.folder, known.path == place, !known.isAtItsPath {
      ports.say(.folderMoved(folder: place))
      (state.folder, state.lookedAt) = (nil, nil)
    }
    if let known = state.folder, known.path == place {
      folder = known
    } else {
      // What it holds there may be the same file.
      state.folder?.leave()
      folder = try FilmFolder(
        path: place, hasLastingInodes: FileSizeLimit.hasLastingInodes(beside: path), marks: ports.marks(place),
        system: ports.system)
      (state.folder, state.isSwept, state.adopted, state.trial) = (folder, false, [:], nil)
      state.pending = PendingRoom()
      (state.isVain, state.limitTrial) = (false, nil)
      state.orphans = nil
    }
    if !state.isSwept {
      if plan.entersFilms { try folder.sweep(by: plan.recorder) }
      try join(&state)
      state.isSwept = true
      if plan.entersFilms { tidy(&state) }
    }
    return folder
  }

  /// If that fails, nothing is lost: it is done an hour later.
  private func tidy(_ state: inout State) {
    state.tidiedAt = ports.moment().uptime
    try? state.folder?.tidy()
  }

  /// Enters films that a crash has cut off, and that have been made whole since (`camrec recover`, or a rig).
  private func adopt(_ state: inout State) throws(CamrecError) {
    guard let folder = state.folder else { return }
    // Another recorder's film may be whole by now, and not yet entered by the recorder itself.
    for begun in try folder.leftBehind()
    where begun.recorder == plan.recorder && folder.others[begun.recorderID ?? ""]?.isLiving != true {
      // This process knows more about its own film than the file does, and tells it at its end.
      if state.beginnings.contains(where: { RetentionService.name($0) == begun.film && $1.moment == begun.moment }) {
        continue
      }
      let path = "\(folder.path)/\(begun.film)"
      // Skip a film that is as it was at the last look.
      let size = folder.status(of: begun.film)?.bytes ?? 0
      guard state.adopted.updateValue(size, forKey: begun.film) != size else { continue }
      let film = ports.inspect(path, true)
      // In fragments it is not final: recovering changes it.
      guard film.state == .whole else { continue }
      try folder.finished(
        begun.film, by: begun.recorder, seconds: film.seconds, frames: film.frames, lost: film.lost,
        start: ports.start(path), awaitsHook: plan.hasHook, at: ports.moment())
    }
  }

  /// Reports a fault once, until it is over; a fault here is never the recording's.
  ///
  /// - Returns: whether there was no fault.
  @discardableResult
  func attempt(
    _ what: String, _ state: inout State, _ body: (inout State) throws(CamrecError) -> Void
  ) -> Bool {
    do throws(CamrecError) {
      try body(&state)
      state.troubles.remove(what)
      return true
    } catch {
      if state.troubles.insert(what).inserted { ports.say(.trouble(error)) }
      return false
    }
  }

  /// The films of a folder as the policy sees them.
  func films(_ entries: [FilmFolder.Entry], _ folder: FilmFolder?) -> [RetentionPolicy.Film] {
    zip(entries, owners(entries.map(\.film), folder)).map { entry, owner in
      RetentionPolicy.Film(
        id: entry.film.id, recorder: owner, bytes: entry.film.bytes, age: entry.age,
        protection: entry.protection, hasBegun: entry.film.begun != nil)
    }
  }

  private static func folder(of path: String) -> String {
    PathText(PathText(path).absolute).folder
  }

  private static func name(_ path: String) -> String {
    String(path.split(separator: "/", omittingEmptySubsequences: false).last ?? "")
  }
}
