import Foundation
import Frames
import Goldens
import Recorder
import Synchronization

/// Takes the cases of a suite through their pass, some at a time, and holds what comes out against the goldens.
///
/// Thread: the one that runs it; its own threads run the cases. `stop` from any.
final class GoldenRound: Sendable {
  enum Action: Sendable {
    /// Says what is not as in the goldens.
    case check
    /// Makes the goldens that are missing.
    case record
    /// Writes all goldens anew.
    case update
    /// Writes those anew that are not held.
    case updateChanged

    var isUpdate: Bool { self == .update || self == .updateChanged }
  }

  private let suite: GoldenSuite
  private let action: Action
  private let jobs: Int
  /// In which ways each case is run; the first is held against the goldens.
  private let variants: [GoldenVariant]
  /// Of what is written meanwhile.
  private let folder: String
  private let next = Atomic<Int>(0)
  private let state: Mutex<State>

  private struct State {
    /// In the suite's order.
    var outcomes: [CaseOutcome?]
    /// Cases that have ended.
    var count = 0
    /// Those of the cases that run, by the case's place.
    var sessions: [Int: RecordingSession] = [:]
    var isStopping = false
  }

  /// - Parameters:
  ///   - jobs: cases at a time.
  ///   - variants: in which ways each case is run, at least one.
  init(_ suite: GoldenSuite, _ action: Action, jobs: Int, variants: [GoldenVariant] = [GoldenVariant()]) {
    self.suite = suite
    self.action = action
    self.jobs = jobs
    // Cases beside one another have a core each.
    self.variants = variants.map { variant in
      var variant = variant
      if jobs > 1 { variant.workers = variant.workers ?? 1 }
      return variant
    }
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("camrec-golden-\(UUID().uuidString)").path
    state = Mutex(State(outcomes: Array(repeating: nil, count: suite.cases.count)))
  }

  /// - Parameter ended: is told of each case as soon as it has ended, and that it is the how manieth, one at a time, on
  ///   the cases' threads.
  /// - Returns: what became of them, in the suite's order; without those that were not begun because it was stopped.
  /// - Throws: code `output` where nothing can be written meanwhile.
  func run(ended: @escaping @Sendable (Int, CaseOutcome) -> Void) throws(CamrecError) -> [CaseOutcome] {
    do { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) } catch {
      throw CamrecError(.output, "the folder '\(folder)' cannot be made", cause: error.localizedDescription)
    }
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let threads = (0..<min(jobs, suite.cases.count)).map { number in
      WorkThread(name: "case-\(number)") { self.runCases(ended) }
    }
    threads.forEach { $0.join() }
    return state.withLock { $0.outcomes.compactMap { $0 } }
  }

  /// For who gives up waiting for the end. Any thread.
  func removeLeftovers() { try? FileManager.default.removeItem(atPath: folder) }

  /// No further case is begun, and those that run are not ended.
  func stop() {
    let sessions = state.withLock { state in
      state.isStopping = true
      return Array(state.sessions.values)
    }
    sessions.forEach { $0.requestStop() }
  }

  private func runCases(_ ended: @Sendable (Int, CaseOutcome) -> Void) {
    while !state.withLock({ $0.isStopping }) {
      let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
      guard index < suite.cases.count else { return }
      let entry = suite.cases[index]
      let start = MonotonicTime.now()
      let result: Result<[CaseOutcome.Stage], CamrecError>
      do throws(CamrecError) { result = .success(try stages(entry, index)) } catch { result = .failure(error) }
      let outcome = CaseOutcome(name: entry.name, seconds: Double(MonotonicTime.now() - start) / 1e9, result: result)
      state.withLock {
        $0.outcomes[index] = outcome
        $0.sessions[index] = nil
        $0.count += 1
        ended($0.count, outcome)
      }
    }
  }

  private func stages(_ entry: GoldenCase, _ index: Int) throws(CamrecError) -> [CaseOutcome.Stage] {
    var stages: [(stage: GoldenStage, former: StageJudge.Former)] = []
    for stage in entry.stages { stages.append((stage, try former(entry, stage))) }
    if variants.count == 1, let early = withoutPass(stages) {
      try entry.checkClip()
      return early
    }
    let watch = GoldenPass.Watch(
      begun: { self.watch($0, index) }, check: { () throws(CamrecError) in try self.checkStopped() })
    let pass = GoldenPass(entry, folder: folder, variant: variants[0], watch: watch)
    defer { pass.removeAll() }
    try pass.run()
    try checkStopped()
    let judge = StageJudge(entry, pass, action)
    var outcomes: [CaseOutcome.Stage] = []
    for (stage, former) in stages { outcomes.append(CaseOutcome.Stage(stage, try judge.outcome(stage, former))) }
    if variants.count > 1 { outcomes.append(try compareVariants(entry, pass, watch)) }
    try checkStopped()
    // Stages that are well have their goldens, whatever the others are.
    for outcome in outcomes {
      guard case .written = outcome.outcome else { continue }
      try suite.folder.write(try GoldenFolder.text(pass.path(outcome.stage)), entry.name, outcome.stage)
    }
    return outcomes
  }

  /// Whatever the goldens say.
  private func compareVariants(_ entry: GoldenCase, _ pass: GoldenPass, _ watch: GoldenPass.Watch) throws(CamrecError)
    -> CaseOutcome.Stage
  {
    let first = try pass.bake()
    try checkStopped()
    let differences = try VariantRound(entry, folder: folder, variants, watch: watch).differences(from: first)
    let extent = StageExtent(first.pictures.count, .frames, note: "the same in \(variants.count) ways")
    return CaseOutcome.Stage(.baked, differences.isEmpty ? .holds(extent) : .differs(differences))
  }

  private func watch(_ session: RecordingSession, _ index: Int) {
    let isStopping = state.withLock {
      $0.sessions[index] = session
      return $0.isStopping
    }
    if isStopping { session.requestStop() }
  }

  private func checkStopped() throws(CamrecError) {
    if state.withLock({ $0.isStopping }) { throw CamrecError(.interrupted, "it was stopped before its end") }
  }

  /// - Throws: code `input` for a golden that cannot be read, unless it is to be written anew.
  private func former(_ entry: GoldenCase, _ stage: GoldenStage) throws(CamrecError) -> StageJudge.Former {
    do throws(CamrecError) { return try suite.folder.golden(entry.name, stage).map { .there($0) } ?? .none } catch {
      if action.isUpdate { return .broken(error) }
      throw error
    }
  }

  /// What can be said of a case without its pictures: that it has no golden to be checked against, or that all are there.
  private func withoutPass(_ stages: [(stage: GoldenStage, former: StageJudge.Former)]) -> [CaseOutcome.Stage]? {
    var outcomes: [CaseOutcome.Stage] = []
    for (stage, former) in stages {
      switch (action, former) {
      case (.check, .none): outcomes.append(CaseOutcome.Stage(stage, .unknown))
      case (.record, .there(let golden)): outcomes.append(CaseOutcome.Stage(stage, .there(golden.extent)))
      default: return nil
      }
    }
    return outcomes
  }
}
