import Assembly
import Foundation
package import Frames
package import Goldens
import Platform
import Sidecar

/// Outcomes of a suite's cases in a folder, each for its case's inputs: suite, goldens, LUT or look, sidecar, variants
/// and program. The suite has the clip's hash; here size and time of the last change identify clip and sidecar.
///
/// Thread: any.
package struct CaseResults: Sendable {
  private let suite: GoldenSuite
  private let ways: String
  /// The page that shows the outcomes, and its folder; `nil` for none.
  private let page: GoldenPage?
  private let place: String?
  private let results: ResultFolder<Record>

  package struct Record: Codable {
    package let outcome: CaseOutcome
    /// Its rows on the page.
    package let rows: [ReportPage.Row]
    /// The folder of the page for which the case ran; `nil` for none.
    let place: String?
    /// Whether there are pictures of it for a page.
    let hasPictures: Bool
  }

  /// - Parameters:
  ///   - folder: created if missing.
  ///   - variants: in which each case runs.
  /// - Throws: code `output`.
  package init(folder: String, suite: GoldenSuite, variants: [GoldenVariant], page: GoldenPage?) throws(CamrecError) {
    self.suite = suite
    self.page = page
    place = page.map { PathText($0.folder).absolute }
    ways = variants.map(\.words).joined(separator: "; ")
    results = try ResultFolder(folder)
  }

  package var folder: String { results.path }
  package var names: Set<String> { results.names }

  package func leave(isNamed: Bool, isComplete: Bool) { results.leave(isNamed: isNamed, isComplete: isComplete) }

  /// - Returns: `nil` if the case has to run: for its outcome, or for pictures that the page lacks.
  package func record(of entry: GoldenCase) -> Record? {
    guard let record = results.outcome(entry.name, of: inputs(of: entry)) else { return nil }
    guard let page, record.hasPictures, record.place != place, page.hasRoom else { return record }
    return nil
  }

  /// Writes nothing if the inputs have changed since the case began.
  ///
  /// - Parameters:
  ///   - hasPictures: whether there are pictures of the case for a page.
  ///   - before: the inputs before the case ran.
  /// - Throws: code `output`.
  package func write(
    _ outcome: CaseOutcome, hasPictures: Bool, of entry: GoldenCase, before: String
  ) throws(CamrecError) {
    let now = inputs(of: entry)
    guard now == before else { return }
    let rows = page?[entry.name] ?? []
    let record = Record(outcome: outcome, rows: rows, place: place, hasPictures: hasPictures)
    try results.write(record, entry.name, of: now)
  }

  /// Removes outcomes that are errors or of other inputs, and those whose pictures the page lacks, so that their cases
  /// run again.
  package func removeOthers() {
    let names = names
    for entry in suite.cases where names.contains(entry.name) {
      if let record = record(of: entry), record.outcome.verdict != .error { continue }
      results.remove(entry.name)
    }
  }

  package func inputs(of entry: GoldenCase) -> String {
    var files = entry.stages.map { suite.folder.file(entry.name, $0) }
    files += Grade.files(entry.settings.bake)
    let hashes = files.map { (try? NamedFile.digest(path: $0, what: "file")) ?? "none" }
    // A clip's colours may come from its sidecar, whatever the stages.
    let states = [entry.path, SidecarFile.path(ofFilm: entry.path)].map { FileState($0).text }
    return ResultFolder<Record>.inputs([suite.digest, entry.name, ways] + states + hashes)
  }
}
