import Frames
package import Goldens
package import Reporting

/// The result of a suite's run, for programs; the help of `camrec golden` explains its fields.
package struct GoldenReport: Encodable {
  package struct Case: Encodable {
    package let name: String
    package let verdict: CaseOutcome.Verdict
    package let seconds: Double
    package let stages: [Stage]
    package let error: String?
  }

  package struct Stage: Encodable {
    package let stage: GoldenStage
    /// `holds`, `differs`, `unknown`, `there` or `written`.
    package let outcome: String
    /// How much was compared, in frames, samples or facts.
    package let count: Int?
    package let unit: StageExtent.Unit?
    /// A remark; may be empty.
    package let note: String
    /// The differences from the golden, or from the one before it was written.
    package let differences: [String]
  }

  package let format = "camrec-golden"
  package let version = 1
  package let suite: String
  package let cases: [Case]
  package let status: Int32

  private static let listed = 1000

  package init(suite: String, _ outcomes: [CaseOutcome], status: ExitStatus) {
    self.suite = suite
    self.status = status.rawValue
    cases = outcomes.map { outcome in
      Case(
        name: outcome.name, verdict: outcome.verdict, seconds: outcome.seconds,
        stages: ((try? outcome.result.get()) ?? []).map(GoldenReport.stage), error: outcome.error?.description)
    }
  }

  private static func stage(_ stage: CaseOutcome.Stage) -> Stage {
    func made(_ word: String, _ extent: StageExtent? = nil) -> Stage {
      Stage(
        stage: stage.stage, outcome: word, count: extent?.count, unit: extent?.unit, note: extent?.note ?? "",
        differences: word == "unknown" ? [] : stage.outcome.sentences(limit: listed))
    }
    switch stage.outcome {
    case .holds(let extent): return made("holds", extent)
    case .differs: return made("differs")
    case .unknown: return made("unknown")
    case .there(let extent): return made("there", extent)
    case .written(let extent, _): return made("written", extent)
    }
  }
}

extension CaseOutcome {
  /// For people: a line, with one for each difference below it.
  ///
  /// - Parameters:
  ///   - number: which case it is, from 1.
  ///   - width: of the cases' names.
  ///   - columns: the terminal's width; `nil`: lines are not broken.
  package func lines(_ number: Int, of count: Int, width: Int, columns: Int?) -> [String] {
    let lines = lines(number, of: count, width: width)
    guard let columns else { return lines }
    let indent = CaseOutcome.indent(count) + 2
    return lines.flatMap { WrappedText.lines($0, columns: columns, indent: indent) }
  }

  /// Where the cases' names begin.
  private static func indent(_ count: Int) -> Int { 2 * "\(count)".count + 12 }

  private func lines(_ number: Int, of count: Int, width: Int) -> [String] {
    let counter = String(repeating: " ", count: "\(count)".count - "\(number)".count) + "\(number)/\(count)"
    let padded = name + String(repeating: " ", count: max(0, width - name.count))
    func line(_ word: String, _ rest: String) -> String { "\(counter)  \(word)  \(padded)  \(rest)" }
    switch result {
    case .failure(let error): return [line("error  ", error.description)]
    case .success(let stages):
      let word = verdict == .differs ? "differs" : stages.contains { $0.outcome.isWritten } ? "written" : "holds  "
      let counts = stages.map { "\($0.stage.rawValue) \($0.outcome.words)" }.joined(separator: ", ")
      let below = stages.flatMap { stage in stage.outcome.sentences(limit: 8).map { "\(stage.stage.rawValue): \($0)" } }
      return [line(word, counts)] + below.map { String(repeating: " ", count: CaseOutcome.indent(count)) + $0 }
    }
  }
}

extension StageOutcome {
  fileprivate var isWritten: Bool { if case .written = self { true } else { false } }

  fileprivate var words: String {
    switch self {
    case .holds(let extent): extent.words
    case .there(let extent): "is there (\(extent.words))"
    case .differs: "differs"
    case .unknown: "has no golden"
    case .written(let extent, .none): "\(extent.words) (new)"
    case .written(let extent, .same): "\(extent.words) (unchanged)"
    case .written(let extent, .different): "\(extent.words) (changed)"
    case .written(let extent, .broken): "\(extent.words) (the previous one could not be read)"
    }
  }
}
