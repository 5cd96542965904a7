import ArgumentParser
import Foundation
import Frames
import Goldens

/// Which cases of which suite, how many at a time, and where it is reported.
struct SuiteOptions: ParsableArguments {
  @Option(
    parsing: .unconditional, help: ArgumentHelp("Cases at a time. Default: 1.", valueName: "N"),
    transform: { try WholeNumber.parse($0, "the number of jobs is", in: 1...256) }) var jobs = 1

  @Option(help: ArgumentHelp("Write the report as JSON.", valueName: "FILE"), completion: .file(extensions: ["json"]))
  var json: String?

  @Option(
    help: ArgumentHelp("Write the report as JUnit's XML, which continuous integration reads.", valueName: "FILE"),
    completion: .file(extensions: ["xml"])) var junit: String?

  @Argument(help: ArgumentHelp("The suite.", valueName: "SUITE.yaml"), completion: .file(extensions: ["yaml", "yml"]))
  var suite: String

  @Argument(help: ArgumentHelp("Cases of it. Default: all.", valueName: "CASE")) var cases: [String] = []

  /// Runs the cases, says how each went, and ends the process's command.
  ///
  /// - Parameter variants: in which ways each case is run.
  /// - Throws: `Camrec.Ending` with the status where that is not success.
  func run(_ action: GoldenRound.Action, variants: [GoldenVariant] = [GoldenVariant()]) throws {
    let status: ExitStatus
    do { status = try report(GoldenSuite(readingFile: suite, names: cases), action, variants) } catch let refusal
      as GoldenSuite.Refusal
    {
      refusal.lines.forEach { HumanText.write($0 + "\n") }
      status = .usage
    } catch let error as CamrecError {
      HumanText.error(error)
      status = ExitStatus(error)
    }
    if status != .success { throw Camrec.Ending(status: status) }
  }

  private func report(_ suite: GoldenSuite, _ action: GoldenRound.Action, _ variants: [GoldenVariant]) throws
    -> ExitStatus
  {
    let width = suite.cases.map(\.name.count).max() ?? 0
    let count = suite.cases.count
    let round = GoldenRound(suite, action, jobs: jobs, variants: variants)
    let signals = StopSignals()
    signals.watch(stop: { round.stop() }, leftover: { nil }, givingUp: { round.removeLeftovers() })
    let outcomes = try round.run { (number, outcome) in SuiteOptions.say(outcome.lines(number, of: count, width: width))
    }
    func number(_ verdict: CaseOutcome.Verdict) -> Int { outcomes.count { $0.verdict == verdict } }
    SuiteOptions.say([
      "\(count) case\(count == 1 ? "" : "s"): \(number(.holds)) hold, \(number(.differs)) differ,"
        + " \(number(.error)) could not be run"
        + (outcomes.count < count ? ", \(count - outcomes.count) were not begun" : "")
    ])
    let status = outcomes.count < count ? .interrupted : SuiteOptions.status(outcomes)
    let name = URL(fileURLWithPath: suite.path).deletingPathExtension().lastPathComponent
    if let json {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      let report = try encoder.encode(GoldenReport(suite: suite.path, outcomes, status: status))
      try AtomicFile(path: json, mode: 0o644).replace(with: report + [UInt8(ascii: "\n")])
    }
    if let junit {
      try AtomicFile(path: junit, mode: 0o644).replace(with: JUnitReport(suite: name, outcomes: outcomes).text.utf8)
    }
    return status
  }

  /// Of several errors the gravest decides.
  private static func status(_ outcomes: [CaseOutcome]) -> ExitStatus {
    let codes = Set(outcomes.compactMap(\.error?.code))
    let gravest: [CamrecError.Code] = [.interrupted, .defect, .output, .device, .usage, .input]
    if let code = gravest.first(where: codes.contains) { return ExitStatus(CamrecError(code, "")) }
    return outcomes.contains { $0.verdict == .differs } ? .unfit : .success
  }

  /// At once, also into a pipe. A reader that has gone away is no reason to stop.
  private static func say(_ lines: [String]) {
    try? FileHandle.standardOutput.write(contentsOf: Data((lines.joined(separator: "\n") + "\n").utf8))
  }
}
