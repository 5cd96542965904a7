import Frames
import Goldens

/// Has the cases of a suite run by a cluster.
///
/// Thread: the one that runs it.
struct GoldenSharing {
  private let suite: GoldenSuite
  private let results: CaseResults
  private let page: GoldenPage?
  private let round: SlurmRound

  init(_ suite: GoldenSuite, _ results: CaseResults, page: GoldenPage?, round: SlurmRound) {
    self.suite = suite
    self.results = results
    self.page = page
    self.round = round
  }

  /// - Parameter ended: as `GoldenRound.run` has it.
  /// - Returns: as `GoldenRound.run`.
  /// - Throws: as `SlurmRound.run`.
  func run(ended: (Int, CaseOutcome) -> Void) throws(CamrecError) -> [CaseOutcome] {
    var outcomes = [CaseOutcome?](repeating: nil, count: suite.cases.count)
    var count = 0
    func take(_ outcome: CaseOutcome, _ index: Int) {
      outcomes[index] = outcome
      count += 1
      ended(count, outcome)
    }
    func missing() -> [Int] {
      let names = results.names
      for (index, entry) in suite.cases.enumerated() where outcomes[index] == nil && names.contains(entry.name) {
        guard let record = results.record(of: entry) else { continue }
        if let page, !record.rows.isEmpty, page.hasRoom { page[entry.name] = record.rows }
        take(record.outcome, index)
      }
      return outcomes.indices.filter { outcomes[$0] == nil }
    }
    results.removeOthers()
    let reason = try round.run(missing: missing)
    if !round.isStopped {
      for index in missing() {
        let error = round.failure(of: index, reason: reason)
        take(CaseOutcome(name: suite.cases[index].name, seconds: 0, result: .failure(error)), index)
      }
    }
    return outcomes.compactMap { $0 }
  }
}
