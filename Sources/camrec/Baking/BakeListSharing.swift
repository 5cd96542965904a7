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
  /// - Throws: as `SlurmRound.outcomes`.
  func run(ended: (Int, ClipList.Item, BakedClip) -> Void) throws(CamrecError) -> [BakedClip] {
    let names = results.names
    for item in items where names.contains(results.name(item)) && results.outcome(item)?.isFilm != true {
      results.remove(item)
    }
    let outcomes = try round.outcomes(
      of: items.map(results.name), there: { results.names }, outcome: { results.outcome(items[$0]) },
      failed: { BakedClip($1, seconds: 0) },
      ended: { (count, index, outcome) in ended(count, items[index], outcome) })
    // Of tasks that were ended, and of machines that went down.
    PartialFilm.removeAbandoned(of: items.map(\.film)).whole.forEach(HumanText.warning)
    return outcomes
  }
}

extension ClipList.Item {
  /// A film with its name is there.
  var isFilmThere: Bool { unsafe access(film, F_OK) == 0 }
}
