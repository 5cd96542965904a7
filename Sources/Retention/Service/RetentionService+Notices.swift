import Frames
import Movies
import Synchronization

/// What people should know about the films, the limits and the disk.
extension RetentionService {
  func report(_ path: String, _ state: inout State) throws(CamrecError) {
    guard let folder = state.folder else { return }
    let now = ports.moment(), space = ports.space(path)
    let entries = try folder.entries(at: now)
    let waiting = entries.filter { $0.protection == .awaitsHook && !folder.hasOtherHook($0.film) }
    var notices = limits(entries, space, state)
    if space == nil { notices.append(("space", .unknownSpace(film: path))) }
    if !folder.hasLocks { notices.append(("locks", .noLocks(folder: folder.path))) }
    if let stranger = state.stranger { notices.append(("identity", .noIdentity(stranger))) }
    if plan.limits.age != nil, !now.isSynchronized { notices.append(("clock", .unsynchronizedClock)) }
    for (recorder, films) in Dictionary(grouping: waiting, by: \.film.recorder).sorted(by: { $0.key < $1.key }) {
      let sum = RetentionService.sum(recorder, films)
      if recorder == plan.recorder, plan.hasHook {
        let most = max(1, min(plan.limits.count ?? 10, 10))
        guard sum.error != nil || sum.films > most else { continue }
        // Once more when the hook begins to fail, and when there are twice as many.
        let kind = sum.error == nil ? "waiting" : "failing"
        notices.append(("\(kind) \(sum.films.bitWidth - sum.films.leadingZeroBitCount)", .waiting(sum)))
      } else if recorder == plan.recorder || films.allSatisfy({ isIdle($0, folder, now) }) {
        notices.append((
          "abandoned \(recorder)", .abandoned(sum, folder: folder.path, isOwn: recorder == plan.recorder)
        ))
      }
    }
    state.notices.update(notices, at: now.uptime).forEach(ports.say)
  }

  /// What waits for the hook of one recorder.
  public static func sum(_ recorder: String, _ films: [FilmFolder.Entry]) -> RetentionNotice.Waiting {
    let failed = films.filter { ($0.hook?.tries ?? 0) > 0 }
    return RetentionNotice.Waiting(
      recorder: recorder, films: films.count,
      bytes: films.reduce(0) { $0.addingSaturated(max(0, $1.film.bytes)) },
      error: failed.last.map { $0.hook?.error ?? "it failed" }, failed: failed.count)
  }

  private func limits(
    _ entries: [FilmFolder.Entry], _ space: DiskSpace?, _ state: State
  ) -> [(key: String, notice: RetentionNotice)] {
    let limits = plan.limits, disk = space?.total ?? 0
    var notices: [(key: String, notice: RetentionNotice)] = []
    if let least = limits.freeBytes, let space, least > space.total {
      notices.append(("free \(disk)", .freeBeyondDisk(total: space.total)))
    }
    let waiting = RetentionService.sum(plan.recorder, entries.filter { $0.protection == .awaitsHook })
    for unmeetable in RetentionPolicy.unmeetable(situation(entries, space, state)) {
      let kind = if case .free = unmeetable { "free" } else { "size" }
      notices.append(("\(kind) unmeetable \(disk)", .unmeetable(unmeetable, waiting)))
    }
    if let most = limits.bytes, let rate = figures.withLock({ $0.expected }) {
      let minute = Int64(saturating: rate * 60)
      if most < minute { notices.append(("minute \(disk)", .sizeBelowMinute(bytes: minute))) }
    }
    let others = films(entries, state.folder).count { $0.recorder != RetentionService.own }
    if others > 0, limits.scope == .recorder, limits.age != nil || limits.count != nil || limits.bytes != nil {
      notices.append(("others", .othersDoNotCount(others)))
    }
    return notices
  }

  /// Whether no hook has run for it for a day.
  private func isIdle(_ entry: FilmFolder.Entry, _ folder: FilmFolder, _ now: Moment) -> Bool {
    (entry.hook?.last.map { folder.catalogue.seconds(from: $0, to: now) } ?? entry.age) > 86400
  }
}
