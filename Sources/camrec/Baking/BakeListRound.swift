import Foundation
import Frames
import Glibc
import Movies
import Supervision
import Synchronization

/// Bakes the clips of a list, each by a camrec of its own, so that one that does not come to its end ends no other.
///
/// A film has its name when it is whole, and not before.
///
/// Thread: the one that runs it; its own threads wait for the camrecs. `stop` from any.
final class BakeListRound: Sendable {
  private let items: [ClipList.Item]
  private let words: [String]
  private let jobs: Int
  private let overwrite: Bool
  private let program: String
  private let results: BakeResults?
  private let state: Mutex<State>
  /// How many clips were spoken of; held while one is.
  private let said = Mutex(0)

  private struct State {
    var outcomes: [BakedClip?]
    var next = 0
    var children: [Int: ChildProcess] = [:]
    var parts: [Int: PartialFilm] = [:]
    var isStopping = false
  }

  /// - Parameters:
  ///   - words: what `camrec bake` is told beside clip and film.
  ///   - jobs: clips at a time.
  ///   - overwrite: films that are there are replaced.
  ///   - results: what is done already, and to which what is done is added.
  /// - Throws: code `defect` where this program's own file is not to be found.
  init(_ items: [ClipList.Item], words: [String], jobs: Int, overwrite: Bool, results: BakeResults?) throws(CamrecError)
  {
    self.items = items
    self.words = words
    self.jobs = jobs
    self.overwrite = overwrite
    self.results = results
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

  /// Ends what runs at once, and takes away what it has made. Any thread.
  func giveUp() {
    let (children, parts) = state.withLock { (Array($0.children.values), Array($0.parts.values)) }
    children.forEach { $0.sendToGroup(SIGKILL) }
    parts.forEach { $0.remove() }
  }

  private func work(_ ended: @Sendable (Int, ClipList.Item, BakedClip) -> Void) {
    while let index = begin() {
      let inputs = results?.inputs(items[index]) ?? ""
      let start = MonotonicTime.now()
      let outcome: BakedClip
      do throws(CamrecError) { outcome = try bake(index, inputs) } catch {
        if error.code == .interrupted { continue }
        outcome = BakedClip(
          status: ExitStatus(error).rawValue, words: error.description,
          seconds: Double(MonotonicTime.now() - start) / 1e9)
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

  /// As people are told them (`HumanText.warning`); `nil` where there are none.
  private static func warnings(in lines: [String]) -> [String]? {
    let word = "Warning: "
    let found = lines.filter { $0.hasPrefix(word) }.map { String($0.dropFirst(word.count)) }
    return found.isEmpty ? nil : found
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
    if let done = results?.outcome(item), done.isFilm { return done }
    guard overwrite || !item.isFilmThere else {
      throw CamrecError(.output, "the film '\(item.film)' is there; --overwrite replaces it")
    }
    // Where it cannot be, the sentence names the film and not a hidden one.
    try OutputPath(pattern: item.film.replacing("%", with: "%%"), date: Date()).check(overwrite: overwrite)
    if overwrite { try PartialFilm.checkReplacing(item.film) }
    let left = PartialFilm.removeAbandoned(of: [item.film])
    let part = PartialFilm(item.film)
    let start = MonotonicTime.now()
    var isKept = false
    defer {
      if !isKept { part.remove() }
      state.withLock { ($0.children[index], $0.parts[index]) = (nil, nil) }
    }
    let call = try ProgramCall(
      [program, "bake"] + words + [
        "--film=\(item.film)", "--overwrite", "--output=\(part.path.replacing("%", with: "%%"))", "--", item.clip,
      ], seconds: nil
    ) { child in
      let isStopping = state.withLock { state in
        (state.children[index], state.parts[index]) = (child, part)
        return state.isStopping
      }
      if isStopping { child.send(SIGTERM) }
    }
    var outcome = BakedClip(
      status: call.status, words: call.errors.last { !$0.isEmpty } ?? call.ending.words,
      warnings: BakeListRound.warnings(in: call.errors),
      seconds: Double(MonotonicTime.now() - start) / 1e9)
    // Whoever has ended it, it says nothing of the clip.
    if outcome.exit == .interrupted || state.withLock({ $0.isStopping }) || call.isEndedByOthers {
      throw CamrecError(.interrupted, "it was stopped before its end")
    }
    guard outcome.isFilm else {
      try results?.write(outcome, item, before: inputs)
      return outcome
    }
    if !left.isEmpty { outcome.warnings = (outcome.warnings ?? []) + left }
    // The outcome is that of the film alone that it names, so that it may be there before.
    outcome.film = FileState(part.path)
    // From here on a film that cannot have its name gets another, which the sentence says.
    isKept = true
    do throws(CamrecError) { try results?.write(outcome, item, before: inputs) } catch {
      _ = try finish(part)
      throw error
    }
    if let sentence = try finish(part) { outcome.warnings = (outcome.warnings ?? []) + [sentence] }
    return outcome
  }

  private func finish(_ part: PartialFilm) throws(CamrecError) -> String? {
    do throws(PartialFilm.Misplaced) { return try part.finish(overwrite: overwrite) } catch { throw error.error }
  }
}

extension ProgramCall {
  fileprivate var isEndedByOthers: Bool { [.signal(SIGKILL), .signal(SIGTERM), .signal(SIGINT)].contains(ending) }

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
