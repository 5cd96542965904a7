import Frames
import Movies
import Synchronization

/// Deletes films, and checks whether that has freed anything.
extension RetentionService {
  /// Whether films may be deleted for lack of room.
  enum Gate {
    case open
    /// The room that the last deletion frees does not show yet.
    case settling
    /// The last deletion has freed nothing.
    case vain
  }

  /// Seconds within which deleted bytes show as free.
  public static let settling = 10.0

  /// - Parameters:
  ///   - target: what the recording needs.
  ///   - waits: waits for file systems that free what was deleted a moment later.
  ///   - isWanted: whether the recording still needs the room, asked before each deletion.
  func delete(
    _ target: RoomTarget, beside path: String, waits: Bool, isWanted: () -> Bool = { true }, _ state: inout State
  ) throws(CamrecError) {
    guard let folder = state.folder else { return }
    let now = ports.moment()
    let films = films(try folder.entries(at: now), folder)
    // Room is dealt with below.
    for deletion in RetentionPolicy.deletions(
      .init(films: films, limits: plan.limits, recorder: RetentionService.own, free: nil))
    {
      // What is deleted for age, number and size frees room as well.
      let space = ports.space(path)
      attempt(deletion.id, &state) { (state) throws(CamrecError) in
        guard let film = try delete(deletion, folder, proof: nil), let space else { return }
        expect(film.bytes, space, &state)
        watch(film, space, beside: path, &state)
      }
    }
    try free(target, beside: path, waits: waits, isWanted: isWanted, &state)
    look(at: try folder.entries(at: now), folder, state)
  }

  /// Notes how much deleting could free.
  private func look(at entries: [FilmFolder.Entry], _ folder: FilmFolder, _ state: State) {
    var films = situation(entries, nil, state).films
    let deletable = RetentionPolicy.deletable(among: films), bytes = RetentionPolicy.bytes(deletable)
    for index in films.indices where films[index].protection == .kept && folder.mayGo(entries[index].film) {
      guard folder.hasLocks || films[index].recorder == RetentionService.own else { continue }
      films[index].protection = nil
    }
    let released = RetentionPolicy.deletable(among: films)
    let kept = (
      count: released.count - deletable.count, bytes: RetentionPolicy.bytes(released).subtractingSaturated(bytes)
    )
    figures.withLock { [isVain = state.isVain] in
      $0.reclaimable = isVain ? 0 : bytes
      $0.kept = isVain ? (count: 0, bytes: 0) : kept
    }
  }

  /// Deletes one film after another, each only once the one before has freed what it should, and only if all films that
  /// may be deleted give what is needed.
  private func free(
    _ target: RoomTarget, beside path: String, waits: Bool, isWanted: () -> Bool, _ state: inout State
  ) throws(CamrecError) {
    guard let folder = state.folder else { return }
    var staying: Set<String> = [], isLookedAt = false
    while let space = ports.space(path) {
      switch gate(space, &state) {
      case .vain: return
      case .settling:
        guard waits else { return }
        ports.pause(0.1)
        continue
      case .open: break
      }
      let free = expectedFree(space, &state)
      var situation = self.situation(try folder.entries(at: ports.moment()), space, state)
      // The other limits were dealt with already.
      (situation.limits.age, situation.limits.count, situation.limits.bytes) = (nil, nil, nil)
      if let least = situation.limits.freeBytes, free >= least { situation.limits.freeBytes = nil }
      for index in situation.films.indices where staying.contains(situation.films[index].id) {
        situation.films[index].protection = .unavailable
      }
      let deletable = RetentionPolicy.deletable(among: situation.films)
      // What does not show yet may never show.
      if isWanted(), free < target.bytes, space.free.addingSaturated(RetentionPolicy.bytes(deletable)) >= target.least {
        if !isLookedAt {
          isLookedAt = true
          let inUse = inUse(deletable, until: target.least.subtractingSaturated(space.free), folder)
          if !inUse.isEmpty {
            staying.formUnion(inUse)
            continue
          }
        }
        situation.needed = target.bytes.subtractingSaturated(free)
      }
      guard
        let deletion = RetentionPolicy.deletions(situation).first,
        let film = situation.films.first(where: { $0.id == deletion.id })
      else {
        // What was deleted may be enough, and does not show yet.
        guard waits, free > space.free, space.free < target.bytes else { return }
        ports.pause(0.1)
        continue
      }
      // Half of it is proof enough: others go on writing meanwhile.
      let proof = space.unused.addingSaturated(max(0, film.bytes) / 2)
      guard let gone = try delete(deletion, folder, proof: proof) else {
        staying.insert(deletion.id)
        continue
      }
      expect(film.bytes, space, &state)
      state.trial = (proof, ports.moment().uptime, gone.film, state.written)
    }
  }

  /// Films that somebody uses. Looks at no more films than it takes for the others to have `bytes`.
  private func inUse(_ films: [RetentionPolicy.Film], until bytes: Int64, _ folder: FilmFolder) -> Set<String> {
    var inUse: Set<String> = [], sum: Int64 = 0
    for film in films where sum < bytes {
      if folder.isInUse(film.id) { inUse.insert(film.id) } else { sum = sum.addingSaturated(max(0, film.bytes)) }
    }
    return inUse
  }

  /// Notes that a film of `bytes` was deleted; `space` is the room before that.
  private func expect(_ bytes: Int64, _ space: DiskSpace, _ state: inout State) {
    state.pending.add(max(0, bytes), free: space.free, written: state.written, at: ports.moment().uptime)
  }

  /// Bytes that are free, or will be once this recorder's deletions show, so that room is not made twice.
  func expectedFree(_ space: DiskSpace, _ state: inout State) -> Int64 {
    state.pending.see(free: space.free, written: state.written, at: ports.moment().uptime)
    return space.free.addingSaturated(state.pending.bytes)
  }

  private func delete(
    _ deletion: RetentionPolicy.Deletion, _ folder: FilmFolder, proof: Int64?
  ) throws(CamrecError) -> CataloguedFilm? {
    guard let film = folder.catalogue.film(deletion.id),
      try folder.delete(deletion.id, for: deletion.reason, by: plan.recorder, proof: proof, at: ports.moment())
    else { return nil }
    figures.withLock { $0.deleted += 1 }
    ports.say(.deleted(film, deletion.reason))
    return film
  }

  /// Checks whether the last deletion for lack of room has freed what it should: this recorder's, another's, or one of
  /// an earlier run.
  func gate(_ space: DiskSpace, _ state: inout State) -> Gate {
    guard let folder = state.folder else { return .open }
    if folder.trial() != nil {
      attempt("trials", &state) { (_) throws(CamrecError) in try folder.clearTrials(by: plan.recorder) }
    }
    let now = ports.moment().uptime
    // What this recorder has written since would be free otherwise.
    let written = state.trial.map { $0.film == nil ? 0 : max(0, state.written.subtractingSaturated($0.written)) } ?? 0
    let hasOwn = state.trial.map { now - $0.since < RetentionService.settling } ?? false
    folder.endTrials(unused: space.unused.addingSaturated(hasOwn ? written : 0))
    guard let enough = folder.trial() else {
      if state.isVain { ports.say(.inVainNoMore) }
      (state.trial, state.isVain) = (nil, false)
      return .open
    }
    if state.trial?.enough != enough { state.trial = (enough, now, nil, state.written) }
    guard !state.isVain else { return .vain }
    guard let trial = state.trial, now - trial.since >= RetentionService.settling || now < trial.since else {
      return .settling
    }
    state.isVain = true
    figures.withLock {
      $0.reclaimable = 0
      $0.kept = (count: 0, bytes: 0)
    }
    ports.say(.inVain(film: trial.film, folder: folder.path, enough: enough))
    return .vain
  }

  /// Watches what a deletion for a limit frees. Nothing depends on it, but somebody should know.
  ///
  /// - Parameter space: before it.
  private func watch(_ film: CataloguedFilm, _ space: DiskSpace, beside path: String, _ state: inout State) {
    // One of several at once is enough: the first.
    guard state.limitTrial == nil else { return }
    let enough = space.unused.addingSaturated(max(0, film.bytes) / 2)
    // Most file systems show it at once; a second later other recorders may have written as much.
    if let now = ports.space(path), now.unused >= enough {
      state.hasToldOfLimit = false
      return
    }
    state.limitTrial = (enough, ports.moment().uptime, film.film, state.written)
  }

  /// Reports once that a deletion for a limit has freed nothing, and again if another has freed something in between.
  func lookAtLimits(beside path: String, _ state: inout State) {
    guard let trial = state.limitTrial, let folder = state.folder, let space = ports.space(path) else { return }
    let written = max(0, state.written.subtractingSaturated(trial.written))
    if space.unused.addingSaturated(written) >= trial.enough {
      (state.limitTrial, state.hasToldOfLimit) = (nil, false)
      return
    }
    let since = ports.moment().uptime - trial.since
    guard since >= RetentionService.settling || since < 0 else { return }
    if !state.hasToldOfLimit { ports.say(.limitFreedNothing(film: trial.film, folder: folder.path)) }
    (state.limitTrial, state.hasToldOfLimit) = (nil, true)
  }

  func situation(
    _ entries: [FilmFolder.Entry], _ space: DiskSpace?, _ state: State
  ) -> RetentionPolicy.Situation {
    var limits = plan.limits
    // If it is more than the disk holds, no deletion can meet it.
    if let least = limits.freeBytes, let space, least > space.total { limits.freeBytes = nil }
    var films = films(entries, state.folder)
    if state.folder?.hasLocks == false {
      for index in films.indices where films[index].recorder != RetentionService.own && films[index].protection == nil {
        films[index].protection = .unavailable
      }
    }
    return RetentionPolicy.Situation(
      films: films, limits: limits, recorder: RetentionService.own, free: space?.free)
  }
}
