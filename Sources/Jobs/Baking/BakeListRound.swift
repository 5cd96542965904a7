import Assembly
import Foundation
package import Frames
import Platform
import Reporting
import Supervision

/// Bakes a list of clips, each in a camrec process of its own, so that a failure ends no other clip.
///
/// Each process owns its film until it is complete: the partial film, the final name, and the outcome in the results.
///
/// Thread: the one that calls `run`; threads of its own wait for the processes. Call `stop` from any.
package final class BakeListRound: Sendable {
  private let items: [ClipList.Item]
  private let words: [String]
  private let overwrite: Bool
  private let keepsPartial: Bool
  private let program: String
  private let results: BakeResults?
  private let reached: @Sendable (_ item: Int, _ seconds: Double) -> Void
  private let pool: WorkPool<BakedClip, ChildProcess>

  /// - Parameters:
  ///   - words: the options of each `camrec bake`.
  ///   - jobs: clips at a time.
  ///   - overwrite: replace existing films.
  ///   - keepsPartial: keep the film of a bake that stops or fails.
  ///   - results: earlier outcomes, to which new ones are added.
  ///   - reached: called on the round's threads with the seconds of film baked so far.
  /// - Throws: code `defect` if this program's own file cannot be found.
  package init(
    _ items: [ClipList.Item], words: [String], jobs: Int, overwrite: Bool, keepsPartial: Bool, results: BakeResults?,
    reached: @escaping @Sendable (_ item: Int, _ seconds: Double) -> Void
  ) throws(CamrecError) {
    self.items = items
    self.words = words
    self.overwrite = overwrite
    self.keepsPartial = keepsPartial
    self.results = results
    self.reached = reached
    program = try CamrecProgram.path()
    pool = WorkPool(count: items.count, threads: jobs) { "clip-\($0)" }
  }

  /// - Parameter ended: called serially for each finished clip, with the number finished, on the round's threads.
  /// - Returns: the outcomes of all clips that were begun; those that a stop interrupted have the status `interrupted`.
  package func run(ended: @escaping @Sendable (Int, ClipList.Item, BakedClip) -> Void) -> [BakedClip] {
    pool.run({ self.outcome($0) }, ended: { ended($0, self.items[$1], $2) }).compactMap(\.self)
  }

  /// Starts no further clip, and stops those being baked. They leave a film only if partial films are kept.
  package func stop() { pool.stop().forEach { $0.send(SIGTERM) } }

  /// Ends all processes at once. Each removes its own partial film; this removes those of hanging processes. Thread:
  /// any.
  package func giveUp() {
    let films = pool.running.keys.map { items[$0].film }
    // On the second signal a bake ends at once.
    pool.running.values.forEach { $0.send(SIGTERM) }
    for _ in 0..<BakeListRound.looks where !pool.running.isEmpty { WorkThread.sleep(.milliseconds(50)) }
    pool.running.values.forEach { $0.sendToGroup(SIGKILL) }
    for _ in 0..<BakeListRound.looks where !PartialFilm.removeAbandoned(of: films).isClear {
      WorkThread.sleep(.milliseconds(50))
    }
  }

  /// How often to check whether bakes have ended.
  private static let looks = 20

  private func outcome(_ index: Int) -> BakedClip {
    let inputs = results?.inputs(items[index]) ?? ""
    let start = MonotonicTime.now()
    do throws(CamrecError) { return try bake(index, inputs) } catch {
      let outcome = BakedClip(error, seconds: Double(MonotonicTime.now() - start) / 1e9)
      // The next run with these results bakes it.
      if error.code != .interrupted { try? results?.write(outcome, items[index], before: inputs) }
      return outcome
    }
  }

  private func bake(_ index: Int, _ inputs: String) throws(CamrecError) -> BakedClip {
    let item = items[index]
    if var done = results?.outcome(item), done.isFilm {
      done.wasThere = true
      return done
    }
    let replaces = overwrite || results?.isOwn(item) == true
    let keeping = (replaces ? ["--overwrite"] : []) + (keepsPartial ? ["--keep-partial"] : [])
    let start = MonotonicTime.now()
    let child = ChildBake { [reached] in reached(index, $0) }
    let call = try ProgramCall(
      [program, "bake", "--json", "--until-input-ends"] + words + keeping
        + (results?.words(inputs: inputs) ?? [])
        + ["--output=\(item.film.replacing("%", with: "%%"))", "--", item.clip], seconds: nil, endsWithThis: true,
      started: { process in if pool.note(process, at: index) { process.send(SIGTERM) } },
      line: { (stream, line) in if stream == .output { child.hear(line) } else { child.overhear(line) } })
    var outcome = child.outcome(
      status: call.status, ending: call.ending.words, seconds: Double(MonotonicTime.now() - start) / 1e9)
    if outcome.partial != nil { try? results?.keep(outcome, item) }
    // Whoever ended it, this is no outcome of the clip.
    if outcome.exit == .interrupted || (!outcome.isFilm && pool.isStopping) || call.isEndedByOthers {
      // The next run with these results bakes it.
      guard outcome.partial != nil else { return BakedClip.stopped(outcome) }
      outcome.error = outcome.error ?? BakedClip.stopReason
      return outcome
    }
    // Adds its warnings; the process itself has recorded the film, before naming it.
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
    case .signal(let signal): "it was killed by signal \(signal)"
    }
  }
}
