import Foundation
package import Frames
package import Goldens
import Platform
import Recorder

/// Runs the cases of a suite, several at a time, and compares the results with the goldens.
///
/// Thread: the one that calls `run`; threads of its own run the cases. Call `stop` from any.
package final class GoldenRound: Sendable {
  package enum Action: Sendable {
    /// Report differences from the goldens.
    case check
    /// Make the goldens that are missing.
    case record
    /// Write all goldens again.
    case update
    /// Write the goldens again that differ.
    case updateChanged

    package var isUpdate: Bool { self == .update || self == .updateChanged }
  }

  private let suite: GoldenSuite
  private let action: Action
  /// The variants in which each case runs; the first is compared with the goldens.
  private let variants: [GoldenVariant]
  /// Receives the worst frames of stages that differ; `nil` for no page.
  private let page: GoldenPage?
  /// Earlier outcomes, to which new ones are added.
  private let results: CaseResults?
  /// For temporary files.
  private let folder: String
  private let pool: WorkPool<CaseOutcome, RecordingSession>

  /// - Parameters:
  ///   - jobs: cases at a time.
  ///   - variants: in which each case runs, at least one.
  package init(
    _ suite: GoldenSuite, _ action: Action, jobs: Int, variants: [GoldenVariant] = [GoldenVariant()],
    page: GoldenPage? = nil, results: CaseResults? = nil
  ) {
    self.page = page
    self.results = results
    self.suite = suite
    self.action = action
    // Parallel cases get a core each.
    self.variants = variants.map { variant in
      var variant = variant
      if jobs > 1 { variant.workers = variant.workers ?? 1 }
      return variant
    }
    folder = "\(FileManager.default.temporaryDirectory.path)/camrec-golden-\(UUID().uuidString)"
    pool = WorkPool(count: suite.cases.count, threads: jobs) { "case-\($0)" }
  }

  /// - Parameter ended: called serially for each finished case, with the number finished, on the cases' threads.
  /// - Returns: the outcomes in the suite's order, without cases that a stop left unstarted.
  /// - Throws: code `output` if the folder for temporary files cannot be made.
  package func run(ended: @escaping @Sendable (Int, CaseOutcome) -> Void) throws(CamrecError) -> [CaseOutcome] {
    do { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) } catch {
      throw CamrecError(.output, "the folder '\(folder)' cannot be made", cause: error.localizedDescription)
    }
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let outcomes = pool.run(
      { self.outcome(self.suite.cases[$0], $0) }, ended: { (finished, _, outcome) in ended(finished, outcome) })
    return outcomes.compactMap(\.self)
  }

  /// Removes temporary files when the caller stops waiting for the end. Thread: any.
  package func removeLeftovers() { try? FileManager.default.removeItem(atPath: folder) }

  /// Starts no further case, and interrupts those that run.
  package func stop() { pool.stop().forEach { $0.requestStop() } }

  private func outcome(_ entry: GoldenCase, _ index: Int) -> CaseOutcome {
    if let record = results?.record(of: entry), record.outcome.verdict != .error {
      if let page, !record.rows.isEmpty, page.hasRoom { page[entry.name] = record.rows }
      return record.outcome
    }
    let inputs = results?.inputs(of: entry) ?? ""
    let start = MonotonicTime.now()
    func outcome(_ result: Result<[CaseOutcome.Stage], CamrecError>) -> CaseOutcome {
      CaseOutcome(name: entry.name, seconds: Double(MonotonicTime.now() - start) / 1e9, result: result)
    }
    do throws(CamrecError) {
      var hasPictures = false
      let made: CaseOutcome
      do throws(CamrecError) { made = outcome(.success(try stages(entry, index, &hasPictures))) } catch {
        made = outcome(.failure(error))
      }
      if made.error?.code != .interrupted {
        try results?.write(made, hasPictures: hasPictures, of: entry, before: inputs)
      }
      return made
    } catch { return outcome(.failure(error)) }
  }

  /// - Parameter hasPictures: set if there are pictures of the case for a page.
  private func stages(
    _ entry: GoldenCase, _ index: Int, _ hasPictures: inout Bool
  ) throws(CamrecError) -> [CaseOutcome.Stage] {
    var stages: [(stage: GoldenStage, former: StageJudge.Former)] = []
    for stage in entry.stages { stages.append((stage, try former(entry, stage))) }
    let kept = suite.folder.kept(entry.name)
    let hasKept = entry.settings.keep && FileManager.default.fileExists(atPath: kept)
    if action == .record, variants.count == 1,
      let early = withoutPass(stages, lacksKept: entry.settings.keep && !hasKept)
    {
      try entry.checkClip()
      return early
    }
    let watch = GoldenPass.Watch(
      begun: { self.watch($0, index) }, check: { () throws(CamrecError) in try self.checkStopped() })
    let pass = GoldenPass(entry, folder: folder, variant: variants[0], watch: watch)
    defer { pass.removeAll() }
    try pass.run()
    try checkStopped()
    var judge = StageJudge(entry, pass, action, kept: hasKept ? kept : nil)
    var outcomes: [CaseOutcome.Stage] = []
    for (stage, former) in stages { outcomes.append(CaseOutcome.Stage(stage, try judge.outcome(stage, former))) }
    hasPictures = !judge.subjects.isEmpty
    if let page, hasPictures, page.hasRoom {
      for subject in judge.subjects { try page.add(try pass.evidence(subject), of: entry.name) }
    }
    if variants.count > 1 { outcomes.append(try compareVariants(entry, pass, watch)) }
    try checkStopped()
    let film = KeptFilm(path: kept)
    guard makesFilm(of: entry, outcomes, hasKept: hasKept) else {
      // A film kept for the previous golden does not belong to the new one.
      try writeGoldens(of: entry, outcomes, pass) { film.remove() }
      return outcomes
    }
    try suite.folder.make()
    defer { film.removePart() }
    // A case with an error reports no stages. So if the disk has no room for the film, there must be no goldens either.
    try pass.write(film)
    let lock = try film.lock()
    // Its golden is there, and stays.
    if !outcomes.contains(where: \.isNewBake) { try film.place(holding: lock) }
    try writeGoldens(of: entry, outcomes, pass) { () throws(CamrecError) in try film.place(holding: lock) }
    return outcomes
  }

  /// Whether to write the case's film of the baked frames: one that it keeps, and that is missing or belongs to the
  /// previous golden.
  private func makesFilm(of entry: GoldenCase, _ outcomes: [CaseOutcome.Stage], hasKept: Bool) -> Bool {
    guard entry.settings.keep, action != .check else { return false }
    return outcomes.contains { outcome in
      guard outcome.stage == .baked else { return false }
      switch outcome.outcome {
      case .written: return true
      case .holds: return !hasKept
      case .differs, .unknown, .there: return false
      }
    }
  }

  /// Good stages get their goldens, whatever the others are.
  ///
  /// - Parameter settleFilm: called when a new golden of the baked frames is there.
  /// - Throws: code `output`; the sentence names the goldens that were written before.
  private func writeGoldens(
    of entry: GoldenCase, _ outcomes: [CaseOutcome.Stage], _ pass: GoldenPass,
    settleFilm: () throws(CamrecError) -> Void
  ) throws(CamrecError) {
    var written: [String] = []
    for outcome in outcomes {
      guard case .written = outcome.outcome else { continue }
      do throws(CamrecError) {
        try suite.folder.write(try GoldenFolder.text(pass.path(outcome.stage)), entry.name, outcome.stage)
        written.append(outcome.stage.rawValue)
        if outcome.stage == .baked { try settleFilm() }
      } catch {
        guard !written.isEmpty else { throw error }
        let goldens: Sentence = "; camrec had written these goldens: \(written.joined(separator: ", "))"
        throw CamrecError(
          error.code, about: error.field, error.sentence + goldens, cause: error.cause, reason: error.reason)
      }
    }
  }

  /// Compares the variants with each other, whatever the goldens say.
  private func compareVariants(_ entry: GoldenCase, _ pass: GoldenPass, _ watch: GoldenPass.Watch) throws(CamrecError)
    -> CaseOutcome.Stage
  {
    let first = try pass.bake()
    try checkStopped()
    let differences = try VariantRound(entry, folder: folder, variants, watch: watch).differences(from: first)
    let extent = StageExtent(first.pictures.count, .frames, note: "the same in all \(variants.count) variants")
    return CaseOutcome.Stage(.baked, differences.isEmpty ? .holds(extent) : .differs(differences))
  }

  private func watch(_ session: RecordingSession, _ index: Int) {
    if pool.note(session, at: index) { session.requestStop() }
  }

  private func checkStopped() throws(CamrecError) {
    if pool.isStopping { throw CamrecError(.interrupted, "it was stopped before its end") }
  }

  /// - Throws: code `input` for a golden that cannot be read, unless it will be written again.
  private func former(_ entry: GoldenCase, _ stage: GoldenStage) throws(CamrecError) -> StageJudge.Former {
    do throws(CamrecError) { return try suite.folder.golden(entry.name, stage).map { .there($0) } ?? .none } catch {
      if action.isUpdate { return .broken(error) }
      throw error
    }
  }

  /// The outcome of `record` without running the case, if all goldens exist; `nil` if it has to run: only its frames
  /// tell whether a clip can be used.
  ///
  /// - Parameter lacksKept: the case keeps a film of the baked frames, and that is missing.
  private func withoutPass(_ stages: [(stage: GoldenStage, former: StageJudge.Former)], lacksKept: Bool) -> [CaseOutcome
    .Stage]?
  {
    var outcomes: [CaseOutcome.Stage] = []
    for (stage, former) in stages {
      guard case .there(let golden) = former, stage != .baked || !lacksKept else { return nil }
      outcomes.append(CaseOutcome.Stage(stage, .there(golden.extent)))
    }
    return outcomes
  }
}

extension CaseOutcome.Stage {
  /// Whether the baked frames get a new golden.
  fileprivate var isNewBake: Bool {
    guard case .written = outcome else { return false }
    return stage == .baked
  }
}
