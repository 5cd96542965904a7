import ArgumentParser
import Assembly
import Foundation
import Frames
import Goldens
import Jobs
import Platform
import Reporting

/// The suite and its cases, how many to run at a time, and where to report.
struct SuiteOptions: ParsableArguments {
  @Option(
    parsing: .unconditional, help: ArgumentHelp("Number of cases to run at the same time. Default: 1.", valueName: "N"),
    transform: { try WholeNumber.parse($0, "the number of jobs is", in: 1...256) }) var jobs = 1

  @Flag(help: "Print the report as one JSON object, and nothing else.") var json = false

  @Option(
    help: ArgumentHelp("Write the report as JSON to a file.", valueName: "FILE"),
    completion: .file(extensions: ["json"])) var report: String?

  @Option(
    help: ArgumentHelp("Write the report as JUnit XML, for continuous integration.", valueName: "FILE"),
    completion: .file(extensions: ["xml"])) var junit: String?

  @Option(
    help: ArgumentHelp(
      "Write the report as a web page, with the worst of the measured frames.", valueName: "DIR"),
    completion: .directory) var html: String?

  @Argument(help: ArgumentHelp("The suite.", valueName: "SUITE.yaml"), completion: .file(extensions: ["yaml", "yml"]))
  var suite: String

  @Argument(help: ArgumentHelp("Cases of the suite. Default: all.", valueName: "CASE")) var cases: [String] = []

  /// Marks by which camrec recognises a report of its own; `--json` prints one without spaces.
  private static let jsonMark = AtomicFile.Mark(
    name: "report", text: "\"format\" : \"camrec-golden\"", older: ["\"format\":\"camrec-golden\""])
  private static let junitMark = AtomicFile.Mark(name: "report", text: "<testsuites ")

  /// Runs the cases, prints each outcome, and ends the command.
  ///
  /// - Parameters:
  ///   - ways: the variants in which each case is run.
  ///   - sharing: where they are run; `nil`: in this process.
  /// - Throws: `Camrec.Ending` with the status if that is not success.
  func run(_ action: GoldenRound.Action, ways: VariantOptions? = nil, sharing: SharingOptions<CaseWork>? = nil) throws {
    let status: ExitStatus
    do {
      let chosen = try GoldenSuite(readingFile: suite, names: cases, shard: sharing?.shard, language: .cases())
      status = try report(chosen, action, ways, sharing)
    } catch let refusal as GoldenSuite.Refusal {
      refusal.lines.forEach { HumanText.write($0 + "\n") }
      status = .usage
    } catch let error as CamrecError {
      HumanText.error(error)
      status = ExitStatus(error)
    }
    if status != .success { throw Camrec.Ending(status: status) }
  }

  private func report(
    _ suite: GoldenSuite, _ action: GoldenRound.Action, _ ways: VariantOptions?, _ sharing: SharingOptions<CaseWork>?
  ) throws -> ExitStatus {
    let width = suite.cases.map(\.name.count).max() ?? 0
    let count = suite.cases.count
    let reportFile = SuiteOptions.file(self.report, SuiteOptions.jsonMark)
    let junitFile = SuiteOptions.file(junit, SuiteOptions.junitMark)
    // Makes its folder, where the reports may go as well.
    let page = try html.map { (folder) throws(CamrecError) in try GoldenPage(folder: folder) }
    try reportFile?.check()
    try junitFile?.check()
    let variants = ways?.variants ?? [GoldenVariant()]
    let signals = StopSignals()
    let progress = WorkProgress(action.isUpdate || action == .record ? "recording" : "checking", "cases", total: count)
    defer { progress.close() }
    let ended: @Sendable (Int, CaseOutcome) -> Void = { (number, outcome) in
      progress.reach(number)
      let lines = outcome.lines(number, of: count, width: width, columns: Console.output.width)
      progress.say { if !json { SuiteOptions.say(lines) } }
    }
    func results(_ folder: String) throws(CamrecError) -> CaseResults {
      try CaseResults(folder: folder, suite: suite, variants: variants, page: page)
    }
    let outcomes: [CaseOutcome]
    if let sharing, sharing.engine == .slurm {
      let folder = sharing.results ?? "\(self.suite).results-\(UUID().uuidString.prefix(8))"
      let results = try results(PathText(folder).absolute)
      let round = try SlurmRound(
        command: ["golden", "check"], arguments: words(ways, results.folder), items: count, folder: results.folder,
        tasks: sharing.tasks, cores: jobs)
      signals.watch(stop: { _ in round.stop() }, leftover: { nil }, givingUp: { round.cancel() })
      outcomes = try GoldenSharing(suite, results, page: page, round: round).run(ended: ended)
      results.leave(
        isNamed: sharing.results != nil,
        isComplete: outcomes.count == count && !outcomes.contains { $0.verdict == .error })
    } else {
      let results = try sharing?.results.map(results)
      let round = GoldenRound(suite, action, jobs: jobs, variants: variants, page: page, results: results)
      signals.watch(stop: { _ in round.stop() }, leftover: { nil }, givingUp: { round.removeLeftovers() })
      outcomes = try round.run(ended: ended)
    }
    progress.close()
    if !json { SuiteOptions.say([SuiteOptions.account(outcomes, of: count)]) }
    let status = outcomes.count < count ? .interrupted : ExitStatus.worst(of: outcomes.map(ExitStatus.init))
    let name = PathText(suite.path).stem
    let found = GoldenReport(suite: suite.path, outcomes, status: status)
    if json { JSONLine.print(found) }
    if let reportFile {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      try reportFile.replace(with: try encoder.encode(found) + [UInt8(ascii: "\n")])
    }
    try junitFile?.replace(with: JUnitReport(suite: name, outcomes: outcomes).text.utf8)
    // The page of a part would replace that of the whole.
    if let page, sharing?.shard == nil {
      let date = Date().formatted(Date.ISO8601FormatStyle(dateTimeSeparator: .space))
      try page.write(outcomes, of: count, suite: name, facts: ["\(suite.path), \(date)", "camrec \(Camrec.version)"])
    }
    return status
  }

  private static func file(_ path: String?, _ mark: AtomicFile.Mark) -> AtomicFile? {
    path.map { AtomicFile(path: $0, mark: mark, mode: 0o644) }
  }

  /// `3 cases: 1 holds, 2 differ, 0 could not be run`.
  private static func account(_ outcomes: [CaseOutcome], of count: Int) -> String {
    func number(_ verdict: CaseOutcome.Verdict) -> Int { outcomes.count { $0.verdict == verdict } }
    let holds = number(.holds), differs = number(.differs), left = count - outcomes.count
    return "\(HumanText.count(count, "case")): \(holds) hold\(holds == 1 ? "s" : ""),"
      + " \(differs) differ\(differs == 1 ? "s" : ""), \(number(.error)) could not be run"
      + (left > 0 ? ", \(left) \(left == 1 ? "was" : "were") not begun" : "")
  }

  /// The arguments for running a part of the suite elsewhere.
  private func words(_ ways: VariantOptions?, _ results: String) -> [String] {
    func absolute(_ path: String) -> String { PathText(path).absolute }
    var words = ["--jobs", "\(jobs)", "--results=\(results)"] + (ways?.words ?? [])
    if let html { words.append("--html=\(absolute(html))") }
    return words + ["--", absolute(suite)] + cases
  }

  /// Prints at once, also into a pipe. Continues if the reader has gone away.
  private static func say(_ lines: [String]) {
    Console.print(lines.joined(separator: "\n"))
  }
}

extension ExitStatus {
  fileprivate init(_ outcome: CaseOutcome) {
    self = outcome.error.map(ExitStatus.init) ?? (outcome.verdict == .differs ? .unfit : .success)
  }
}
