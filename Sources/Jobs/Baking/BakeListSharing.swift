import Assembly
import Foundation
package import Frames
import Reporting

/// Bakes a list of clips on a cluster.
///
/// Thread: the one that calls `run`.
package struct BakeListSharing {
  private let items: [ClipList.Item]
  private let results: BakeResults
  private let round: SlurmRound

  package init(_ items: [ClipList.Item], _ results: BakeResults, round: SlurmRound) {
    self.items = items
    self.results = results
    self.round = round
  }

  /// - Parameter ended: as for `BakeListRound.run`.
  /// - Returns: as `BakeListRound.run`.
  /// - Throws: as `SlurmRound.outcomes`.
  package func run(ended: (Int, ClipList.Item, BakedClip) -> Void) throws(CamrecError) -> [BakedClip] {
    let names = results.names
    for item in items where names.contains(results.name(item)) && results.outcome(item)?.isFilm != true {
      results.remove(item)
    }
    let outcomes = try round.outcomes(
      of: items.map(results.name), there: { results.names }, outcome: { results.outcome(items[$0]) },
      failed: { BakedClip($1, seconds: 0) },
      ended: { (count, index, outcome) in ended(count, items[index], outcome) })
    // Left by tasks that were killed and machines that went down.
    PartialFilm.removeAbandoned(of: items.map(\.film)).whole.forEach(HumanText.warning)
    return outcomes
  }
}

extension ClipList.Item {
  /// Whether a film of its name exists.
  package var isFilmThere: Bool { unsafe access(film, F_OK) == 0 }
}
