import Frames
import Movies
import Synchronization

/// Which films go, and whether that has freed anything.
extension RetentionService {
  /// Whether films may go for lack of room.
  enum Gate {
    case open
    /// The last one's room does not show yet.
    case settling
    /// The last one has freed nothing.
    case vain
  }

  /// Seconds within which what was deleted shows as free.
  public static let settling = 10.0

  /// - Parameters:
  ///   - needed: bytes.
  ///   - waits: for file systems that free what was deleted a moment later.
  func delete(needed: Int64, beside path: String, waits: Bool, _ state: inout State) throws(CamrecError) {
    guard let folder = state.folder else { return }
    let now = ports.moment()
    // What the limits on age, number and size take frees room as well.
    let space = ports.space(path)
    var freed: Int64 = 0
    for deletion in RetentionPolicy.deletions(situation(try folder.entries(at: now), space, needed: 0))
    where ![.free, .room].contains(deletion.reason) {
      attempt(deletion.id, &state) { (state) throws(CamrecError) in
        if let film = try delete(deletion, folder, proof: nil) { freed = freed.addingSaturated(max(0, film.bytes)) }
      }
    }
    try free(needed: needed.subtractingSaturated(freed), beside: path, waits: waits, &state)
    let left = situation(try folder.entries(at: now), nil, needed: 0)
    let bytes = RetentionPolicy.bytes(RetentionPolicy.deletable(among: left.films))
    figures.withLock { [isVain = state.isVain] in $0.reclaimable = isVain ? 0 : bytes }
  }

  /// One film after another, each only once the one before has freed what it should.
  private func free(
    needed: Int64, beside path: String, waits: Bool, _ state: inout State
  ) throws(CamrecError) {
    guard let folder = state.folder else { return }
    var staying: Set<String> = [], freed: Int64 = 0
    while let space = ports.space(path) {
      switch gate(space, &state) {
      case .vain: return
      case .settling:
        guard waits else { return }
        ports.pause(0.1)
        continue
      case .open: break
      }
      var situation = self.situation(
        try folder.entries(at: ports.moment()), space, needed: max(0, needed.subtractingSaturated(freed)))
      for index in situation.films.indices where staying.contains(situation.films[index].id) {
        situation.films[index].protection = .foreign
      }
      guard
        let deletion = RetentionPolicy.deletions(situation).first(where: { [.free, .room].contains($0.reason) }),
        let film = situation.films.first(where: { $0.id == deletion.id }), !staying.contains(film.id)
      else { return }
      // Half of it is proof: others go on writing meanwhile.
      let proof = space.unused.addingSaturated(max(0, film.bytes) / 2)
      guard let gone = try delete(deletion, folder, proof: proof) else {
        staying.insert(deletion.id)
        continue
      }
      freed = freed.addingSaturated(max(0, film.bytes))
      state.trial = (proof, ports.moment().uptime, gone.film, state.written)
    }
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

  /// Looks whether the last deletion for lack of room has freed what it should: this recorder's, another's, or one of
  /// an earlier run.
  func gate(_ space: DiskSpace, _ state: inout State) -> Gate {
    guard let folder = state.folder else { return .open }
    let now = ports.moment().uptime
    // What this recorder has written since would be free.
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
    figures.withLock { $0.reclaimable = 0 }
    ports.say(.inVain(film: trial.film, folder: folder.path, enough: enough))
    return .vain
  }

  func situation(_ entries: [FilmFolder.Entry], _ space: DiskSpace?, needed: Int64) -> RetentionPolicy.Situation {
    var limits = plan.limits
    // Where it is more than there is, no film meets it.
    if let least = limits.freeBytes, let space, least > space.total { limits.freeBytes = nil }
    return RetentionPolicy.Situation(
      films: entries.map(RetentionService.film), limits: limits, recorder: plan.recorder, free: space?.free,
      needed: needed)
  }
}
