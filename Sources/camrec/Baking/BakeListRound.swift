import Foundation
import Frames
import Glibc
import Supervision
import Synchronization

/// Bakes the clips of a list, each by a camrec of its own, so that one that does not come to its end ends no other.
///
/// Each camrec owns its film until it is whole: where it is made meanwhile, its name, and the outcome in the results.
///
/// Thread: the one that runs it; its own threads wait for the camrecs. `stop` from any.
final class BakeListRound: Sendable {
  private let items: [ClipList.Item]
  private let words: BakeWords
  private let jobs: Int
  private let overwrite: Bool
  private let program: String
  private let results: BakeResults?
  private let reached: @Sendable (_ item: Int, _ seconds: Double) -> Void
  private let state: Mutex<State>
  /// How many clips were spoken of; held while one is.
  private let said = Mutex(0)

  private struct State {
    var outcomes: [BakedClip?]
    var next = 0
    var children: [Int: ChildProcess] = [:]
    var isStopping = false
  }

  /// - Parameters:
  ///   - words: what `camrec bake` is told of each clip.
  ///   - jobs: clips at a time.
  ///   - overwrite: films that are there are replaced.
  ///   - results: what is done already, and to which what is done is added.
  ///   - reached: is told how much film there is of a clip that is being baked, on the round's threads.
  /// - Throws: code `defect` where this program's own file is not to be found.
  init(
    _ items: [ClipList.Item], words: BakeWords, jobs: Int, overwrite: Bool, results: BakeResults?,
    reached: @escaping @Sendable (_ item: Int, _ seconds: Double) -> Void
  ) throws(CamrecError) {
    self.items = items
    self.words = words
    self.jobs = jobs
    self.overwrite = overwrite
    self.results = results
    self.reached = reached
    program = try CamrecProgram.path()
    state = Mutex(State(outcomes: Array(repeating: nil, count: items.count)))
  }

  /// - Parameter ended: is told of each clip, and that it is the how manieth, one at a time, on the round's threads.
  /// - Returns: what became of them, without those that were not begun because it was stopped.
  func run(ended: @escaping @Sendable (Int, ClipList.Item, BakedClip) -> Void) -> [BakedClip] {
    let threads = (0..<min(jobs, items.count)).map { number in WorkThread(name: "clip-\(number)") { self.work(ended) } }
    threads.forEach { $0.join() }
    return state.withLock { $0.outcomes.compactMap { $0 } }
  }

  /// No further clip is begun, and of those that are being baked there will be no film.
  func stop() {
    let children = state.withLock { state in
      state.isStopping = true
      return Array(state.children.values)
    }
    children.forEach { $0.send(SIGTERM) }
  }

  /// Ends what runs at once; each takes away what it has made, and what one that hangs has left goes here. Any thread.
  func giveUp() {
    func running() -> [Int: ChildProcess] { state.withLock { $0.children } }
    let films = running().keys.map { items[$0].film }
    // The second time a bake does not wait for anybody.
    running().values.forEach { $0.send(SIGTERM) }
    for _ in 0..<BakeListRound.looks where !running().isEmpty { WorkThread.sleep(.milliseconds(50)) }
    running().values.forEach { $0.sendToGroup(SIGKILL) }
    for _ in 0..<BakeListRound.looks where !PartialFilm.removeAbandoned(of: films).isClear {
      WorkThread.sleep(.milliseconds(50))
    }
  }

  /// How often it is looked whether bakes that were told to end have ended.
  private static let looks = 20

  private func work(_ ended: @Sendable (Int, ClipList.Item, BakedClip) -> Void) {
    while let index = begin() {
      let inputs = results?.inputs(items[index]) ?? ""
      let start = MonotonicTime.now()
      let outcome: BakedClip
      do throws(CamrecError) { outcome = try bake(index, inputs) } catch {
        if error.code == .interrupted { continue }
        outcome = BakedClip(error, seconds: Double(MonotonicTime.now() - start) / 1e9)
        try? results?.write(outcome, items[index], before: inputs)
      }
      // Who reads what is said may wait; stopping does not wait for that.
      said.withLock { count in
        count += 1
        state.withLock { $0.outcomes[index] = outcome }
        ended(count, items[index], outcome)
      }
    }
  }

  private func begin() -> Int? {
    state.withLock { state in
      guard !state.isStopping, state.next < items.count else { return nil }
      state.next += 1
      return state.next - 1
    }
  }

  private func bake(_ index: Int, _ inputs: String) throws(CamrecError) -> BakedClip {
    let item = items[index]
    if var done = results?.outcome(item), done.isFilm {
      done.wasThere = true
      return done
    }
    let start = MonotonicTime.now()
    let child = ChildBake { [reached] in reached(index, $0) }
    defer { state.withLock { $0.children[index] = nil } }
    let call = try ProgramCall(
      [program, "bake", "--json", "--until-input-ends"] + words.arguments + (overwrite ? ["--overwrite"] : [])
        + (results?.words(inputs: inputs) ?? [])
        + ["--output=\(item.film.replacing("%", with: "%%"))", "--", item.clip], seconds: nil, endsWithThis: true,
      started: { process in
        let isStopping = state.withLock { state in
          state.children[index] = process
          return state.isStopping
        }
        if isStopping { process.send(SIGTERM) }
      }, line: { (stream, line) in if stream == .output { child.hear(line) } else { child.overhear(line) } })
    let outcome = child.outcome(
      status: call.status, ending: call.ending.words, seconds: Double(MonotonicTime.now() - start) / 1e9)
    // Whoever has ended it, it says nothing of the clip.
    if outcome.exit == .interrupted || (!outcome.isFilm && state.withLock(\.isStopping)) || call.isEndedByOthers {
      throw CamrecError(.interrupted, "it was stopped before its end")
    }
    // With what it said beside; that there is a film it has written itself, before it had its name.
    try results?.write(outcome, item, before: inputs)
    return outcome
  }
}

extension ProgramCall {
  fileprivate var isEndedByOthers: Bool { [.signal(SIGTERM), .signal(SIGINT)].contains(ending) }

  fileprivate var status: Int32 { if case .status(let status) = ending { status } else { ExitStatus.defect.rawValue } }
}

extension ChildProcess.Ending {
  fileprivate var words: String {
    switch self {
    case .status(let status): "it ended with status \(status)"
    case .signal(let signal): "it was ended by signal \(signal)"
    }
  }
}
