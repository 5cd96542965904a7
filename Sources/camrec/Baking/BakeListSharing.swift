import Frames
import Glibc

/// Has the clips of a list baked by a cluster.
///
/// Thread: the one that runs it.
struct BakeListSharing {
  private let items: [ClipList.Item]
  private let results: BakeResults
  private let round: SlurmRound

  init(_ items: [ClipList.Item], _ results: BakeResults, round: SlurmRound) {
    self.items = items
    self.results = results
    self.round = round
  }

  /// - Parameter ended: as `BakeListRound.run` has it.
  /// - Returns: as `BakeListRound.run`.
  /// - Throws: as `SlurmRound.run`.
  func run(ended: (Int, ClipList.Item, BakedClip) -> Void) throws(CamrecError) -> [BakedClip] {
    var outcomes = [BakedClip?](repeating: nil, count: items.count)
    var count = 0
    func take(_ outcome: BakedClip, _ index: Int) {
      outcomes[index] = outcome
      count += 1
      ended(count, items[index], outcome)
    }
    func missing() -> [Int] {
      let names = results.names
      for (index, item) in items.enumerated() where outcomes[index] == nil && names.contains(item.name) {
        guard let outcome = results.outcome(item) else { continue }
        take(outcome, index)
      }
      return outcomes.indices.filter { outcomes[$0] == nil }
    }
    let names = results.names
    for item in items where names.contains(item.name) && results.outcome(item)?.isFilm != true { results.remove(item) }
    let reason = try round.run(missing: missing)
    if !round.isStopped {
      for index in missing() {
        let error = round.failure(of: index, reason: reason)
        take(BakedClip(status: ExitStatus(error).rawValue, words: error.description, seconds: 0), index)
      }
    }
    // Of tasks that were ended, and of machines that went down; none runs any more.
    PartialFilm.removeAll(of: items.map(\.film))
    return outcomes.compactMap { $0 }
  }
}

extension ClipList.Item {
  /// A film with its name is there.
  var isFilmThere: Bool { unsafe access(film, F_OK) == 0 }
}
