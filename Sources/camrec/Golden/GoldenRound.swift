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

  /// A golden before a case is run.
  private enum Former {
    case none
    case there(FrameHashes)
    case broken(CamrecError)
  }

  /// - Parameter jobs: cases at a time.
  init(_ suite: GoldenSuite, _ action: Action, jobs: Int) {
    self.suite = suite
    self.action = action
    self.jobs = jobs
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
    var stages: [(stage: GoldenStage, former: Former)] = []
    for stage in entry.stages { stages.append((stage, try former(entry, stage))) }
    if let early = withoutPass(stages) {
      try entry.checkClip()
      return early
    }
    let pass = GoldenPass(entry, folder: folder, workers: jobs > 1 ? 1 : nil)
    defer { GoldenStage.allCases.forEach { try? FileManager.default.removeItem(atPath: pass.path($0)) } }
    try pass.run { session in
      let isStopping = state.withLock {
        $0.sessions[index] = session
        return $0.isStopping
      }
      if isStopping { session.requestStop() }
    }
    guard !state.withLock({ $0.isStopping }) else { throw CamrecError(.interrupted, "it was stopped before its end") }
    var outcomes: [CaseOutcome.Stage] = []
    for (stage, former) in stages {
      outcomes.append(CaseOutcome.Stage(stage, outcome(try GoldenFolder.hashes(pass.path(stage)), former)))
    }
    // All of a case's goldens, or none.
    for outcome in outcomes {
      guard case .written = outcome.outcome else { continue }
      try suite.folder.write(try GoldenFolder.text(pass.path(outcome.stage)), entry.name, outcome.stage)
    }
    return outcomes
  }

  /// - Throws: code `input` for a golden that cannot be read, unless it is to be written anew.
  private func former(_ entry: GoldenCase, _ stage: GoldenStage) throws(CamrecError) -> Former {
    do throws(CamrecError) { return try suite.folder.golden(entry.name, stage).map { .there($0) } ?? .none } catch {
      if action.isUpdate { return .broken(error) }
      throw error
    }
  }

  /// What can be said of a case without its pictures: that it has no golden to be checked against, or that all are there.
  private func withoutPass(_ stages: [(stage: GoldenStage, former: Former)]) -> [CaseOutcome.Stage]? {
    var outcomes: [CaseOutcome.Stage] = []
    for (stage, former) in stages {
      switch (action, former) {
      case (.check, .none): outcomes.append(CaseOutcome.Stage(stage, .unknown))
      case (.record, .there(let golden)):
        outcomes.append(CaseOutcome.Stage(stage, .there(pictures: golden.pictures.count)))
      default: return nil
      }
    }
    return outcomes
  }

  private func outcome(_ film: FrameHashes, _ former: Former) -> StageOutcome {
    let count = film.pictures.count
    switch former {
    case .none: return action == .check ? .unknown : .written(pictures: count, before: .none)
    case .broken(let error): return .written(pictures: count, before: .broken(error))
    case .there(let golden):
      let differences = FrameComparison(golden: golden, film: film).differences
      if differences.isEmpty {
        return action == .update ? .written(pictures: count, before: .same) : .holds(pictures: count)
      }
      return action.isUpdate
        ? .written(pictures: count, before: .different(differences, golden: golden))
        : .differs(differences, golden: golden)
    }
  }
}
