package import Frames
package import Goldens

/// Runs the cases of a suite on a cluster.
///
/// Thread: the one that calls `run`.
package struct GoldenSharing {
  private let suite: GoldenSuite
  private let results: CaseResults
  private let page: GoldenPage?
  private let round: SlurmRound

  package init(_ suite: GoldenSuite, _ results: CaseResults, page: GoldenPage?, round: SlurmRound) {
    self.suite = suite
    self.results = results
    self.page = page
    self.round = round
  }

  /// - Parameter ended: as for `GoldenRound.run`.
  /// - Returns: as `GoldenRound.run`.
  /// - Throws: as `SlurmRound.outcomes`.
  package func run(ended: (Int, CaseOutcome) -> Void) throws(CamrecError) -> [CaseOutcome] {
    results.removeOthers()
    return try round.outcomes(
      of: suite.cases.map(\.name), there: { results.names },
      outcome: { index in
        let entry = suite.cases[index]
        guard let record = results.record(of: entry) else { return nil }
        if let page, !record.rows.isEmpty, page.hasRoom { page[entry.name] = record.rows }
        return record.outcome
      }, failed: { CaseOutcome(name: suite.cases[$0].name, seconds: 0, result: .failure($1)) },
      ended: { (count, _, outcome) in ended(count, outcome) })
  }
}
