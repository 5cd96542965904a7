import Frames

/// Which films are this recorder's: those that were entered with its id, and those of recorders of its name that have
/// ended.
extension RetentionService {
  /// A recorder that had ended when this one started, and has not been seen since.
  struct Orphan {
    /// In seconds since the system started.
    var since: Double
    /// When it had taken its identity, if its file says so.
    var started: Moment?
    /// Whether it is known to have ended before this one started. Nobody knows once the folder was opened anew.
    var isOlder: Bool
  }

  /// Seconds in which another recorder of the same name may start: the next command of a script; one that a rig or a
  /// service manager starts again, or about which nothing is known; one on another machine, whose locks may not be seen
  /// here.
  public static let shortGrace = 60.0, longGrace = 600.0, otherMachineGrace = 86400.0

  /// Makes this recorder known in the folder, and takes over the films of those that have ended.
  ///
  /// - Parameter isLast: this recorder is ending.
  func join(isLast: Bool = false, _ state: inout State) throws(CamrecError) {
    guard let folder = state.folder else { return }
    let moment = ports.moment()
    if state.id == nil { state.id = plan.identity(started: moment) }
    let isStart = !state.hasJoined
    state.stranger = try state.id.flatMap { (wish) throws(CamrecError) in try folder.join(as: wish, isStart: isStart) }
    state.hasJoined = true
    // What it has taken over is its own from now on, also where its folder was moved away.
    if let own = folder.own?.identity { state.id = own }
    guard folder.ownID != nil, plan.entersFilms else { return }
    let orphans = folder.orphans()
    if state.orphans == nil {
      let isFirst = !state.hasLookedAtOrphans
      state.hasLookedAtOrphans = true
      state.orphans = orphans.mapValues {
        Orphan(since: moment.uptime, started: $0.identity?.started, isOlder: isFirst)
      }
      for (_, orphan) in orphans.sorted(by: { $0.key < $1.key }) where orphan.films > 0 {
        ports.say(
          .willAdopt(films: orphan.films, pattern: orphan.identity?.pattern, seconds: grace(orphan.identity)))
      }
    }
    for (id, known) in (state.orphans ?? [:]).sorted(by: { $0.key < $1.key }) {
      // It was back meanwhile, or somebody else has taken its films.
      guard let orphan = orphans[id], orphan.identity?.started == known.started else {
        state.orphans?[id] = nil
        continue
      }
      let grace = grace(orphan.identity)
      let isOver = moment.uptime - known.since >= grace
      // A recorder that has recorded nothing may have failed while the other one is starting.
      let isBrief =
        isLast && state.hasFinished && known.isOlder && !plan.isRestarted && grace == RetentionService.shortGrace
      guard isOver || isBrief else { continue }
      state.orphans?[id] = nil
      if try folder.adopt(id, at: moment), orphan.films > 0 {
        ports.say(.adopted(films: orphan.films, pattern: orphan.identity?.pattern))
      }
    }
  }

  private func grace(_ identity: RecorderIdentity?) -> Double {
    guard let identity else { return RetentionService.longGrace }
    guard identity.machine == plan.machine else { return RetentionService.otherMachineGrace }
    return identity.isRestarted ? RetentionService.longGrace : RetentionService.shortGrace
  }

  /// The owner of each film, as this recorder sees it; `own` stands for itself.
  ///
  /// Others are told apart by their ids. A film that was entered without an id belongs to the next recorder of its
  /// name.
  func owners(_ films: [CataloguedFilm], _ folder: FilmFolder?) -> [String] {
    var next: [String: String] = [:]
    return films.reversed().map { film in
      if folder?.isOwn(film, name: plan.recorder) ?? (film.recorder == plan.recorder) { return RetentionService.own }
      let id = folder?.hasLocks == true ? film.recorderID : nil
      if let id { next[film.recorder] = id }
      return id ?? next[film.recorder] ?? "name \(film.recorder)"
    }.reversed()
  }

  static let own = "own"
}

extension RetentionService.Plan {
  fileprivate func identity(started: Moment) -> RecorderIdentity {
    RecorderIdentity(
      id: RecorderIdentity.newID(), name: recorder, pattern: pattern, machine: machine, isRestarted: isRestarted,
      hasHook: hasHook, started: started)
  }
}
