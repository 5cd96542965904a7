import Foundation
import Frames
import Goldens
import Sidecar

/// Outcomes of a suite's cases in a folder, each of its case's inputs: suite, goldens, look, sidecar, ways and program. Of the clip the
/// suite says the hash; here its size and the time of its last change count.
///
/// Thread: any.
struct CaseResults: Sendable {
  private let suite: GoldenSuite
  private let ways: String
  private let results: ResultFolder<Record>

  struct Record: Codable {
    let outcome: CaseOutcome
    /// What there is to see of it.
    let rows: [ReportPage.Row]
  }

  /// - Parameters:
  ///   - folder: is made where it is not there.
  ///   - variants: in which ways each case is run.
  /// - Throws: code `output`.
  init(folder: String, suite: GoldenSuite, variants: [GoldenVariant], page: GoldenPage?) throws(CamrecError) {
    self.suite = suite
    let place = page.map { PathText($0.folder).absolute }
    ways = (variants.map(\.words) + [place ?? ""]).joined(separator: "; ")
    results = try ResultFolder(folder)
  }

  var folder: String { results.path }
  var names: Set<String> { results.names }

  func leave(isWanted: Bool) { results.leave(isWanted: isWanted) }

  func record(of entry: GoldenCase) -> Record? { results.outcome(entry.name, of: inputs(of: entry)) }

  /// Writes nothing where the inputs are others than they were before the case was run.
  ///
  /// - Parameter before: its inputs then.
  /// - Throws: code `output`.
  func write(_ outcome: CaseOutcome, _ rows: [ReportPage.Row], of entry: GoldenCase, before: String) throws(CamrecError)
  {
    let now = inputs(of: entry)
    guard now == before else { return }
    try results.write(Record(outcome: outcome, rows: rows), entry.name, of: now)
  }

  /// Those that ended with an error, or are of other inputs, are run again.
  func removeOthers() {
    let names = names
    for entry in suite.cases where names.contains(entry.name) {
      if let record = record(of: entry), record.outcome.verdict != .error { continue }
      results.remove(entry.name)
    }
  }

  func inputs(of entry: GoldenCase) -> String {
    var files = entry.stages.map { suite.folder.file(entry.name, $0) }
    if let lut = entry.words.bake.lut { files.append(lut) }
    if entry.stages.contains(.sidecar) { files.append(SidecarFile.path(ofFilm: entry.path)) }
    let hashes = files.map { (try? NamedFile.digest(path: $0, what: "file")) ?? "none" }
    return ResultFolder<Record>.inputs([suite.digest, entry.name, ways, FileState(entry.path).text] + hashes)
  }
}
