import Cluster
import Foundation
import Frames
import Platform

/// Bakes a list of clips for the command line.
struct BakeList {
  let options: BakeListOptions
  let output: String
  let overwrite: Bool
  let json: Bool
  /// What each bake reads besides its clip.
  let files: [String]
  let limit: LimitOptions
  let words: BakeWords

  /// - Returns: the worst status of the clips.
  /// - Throws: as `ClipList.init`, `BakeResults.init` and `SlurmRound.outcomes`.
  func run(_ path: String) throws(CamrecError) -> ExitStatus {
    try run(try ClipList(readingFile: path, output: output).items, path)
  }

  /// The same for the clips of a command line.
  func run(clips: [String]) throws(CamrecError) -> ExitStatus {
    guard options.sharing.engine != .slurm, options.sharing.shard == nil else {
      throw CamrecError(.usage, "--engine slurm and --shard need a --list; write the clips into one")
    }
    return try run(try ClipList(clips: clips, output: output).items, "")
  }

  private func run(_ whole: [ClipList.Item], _ path: String) throws(CamrecError) -> ExitStatus {
    var items = whole
    if let shard = options.sharing.shard {
      items = whole.enumerated().filter { shard.has($0.offset) }.map(\.element)
      guard !items.isEmpty else {
        throw CamrecError(
          .usage, "part \(shard.text) of '\(path)' is empty: the list has \(HumanText.count(whole.count, "clip"));"
            + " use fewer parts")
      }
    }
    let count = items.count
    let progress = BakeListProgress(items, limit: limit)
    defer { progress.close() }
    let ended: @Sendable (Int, ClipList.Item, BakedClip) -> Void = { (number, item, outcome) in
      progress.ended(item, number, wasThere: outcome.wasThere)
      progress.say {
        if json {
          EventLine.write(ClipEvent(outcome, item, number: number, of: count))
        } else {
          Console.print(outcome.line(number, of: count, item))
        }
      }
    }
    let outcomes = try options.sharing.engine == .slurm
      ? share(items, path, ended: ended) : bake(items, progress, ended: ended)
    progress.close()
    let status = outcomes.count < count ? .interrupted : ExitStatus.worst(of: outcomes.map(\.exit))
    let account = BakeListAccount(outcomes, of: count, status: status)
    if json { EventLine.write(account) } else { HumanText.say(account.line) }
    return status
  }

  private func bake(
    _ items: [ClipList.Item], _ progress: BakeListProgress,
    ended: @escaping @Sendable (Int, ClipList.Item, BakedClip) -> Void
  ) throws(CamrecError) -> [BakedClip] {
    var results: BakeResults?
    if let folder = options.sharing.results { results = try BakeResults(folder: folder, words: words, files: files) }
    let round = try BakeListRound(
      items, words: words, jobs: options.jobs ?? 1, overwrite: overwrite, results: results,
      reached: { progress.reached(items[$0], $1) })
    let remarks = RecorderRemarks(log: nil, json: json)
    let signals = StopSignals(say: { remarks.endsAtOnce($0) })
    signals.watch(stop: { round.stop() }, leftover: { nil }, givingUp: { round.giveUp() })
    return round.run(ended: ended)
  }

  /// On a cluster.
  private func share(
    _ items: [ClipList.Item], _ path: String, ended: @escaping @Sendable (Int, ClipList.Item, BakedClip) -> Void
  ) throws(CamrecError) -> [BakedClip] {
    let folder = options.sharing.results ?? "\(path).results-\(UUID().uuidString.prefix(8))"
    let results = try BakeResults(folder: PathText(folder).absolute, words: words, files: files)
    let jobs = options.jobs ?? 1
    let list = [
      "--list=\(PathText(path).absolute)", "--output=\(PathText(output).absolute)", "--results=\(results.folder)",
      "--jobs", "\(jobs)",
    ]
    let round = try SlurmRound(
      command: ["bake"], arguments: list + (overwrite ? ["--overwrite"] : []) + words.arguments, items: items.count,
      folder: results.folder, tasks: options.sharing.tasks, cores: jobs)
    let remarks = RecorderRemarks(log: nil, json: json)
    let signals = StopSignals(say: { remarks.endsAtOnce($0) })
    signals.watch(stop: { round.stop() }, leftover: { nil }, givingUp: { round.cancel() })
    let outcomes = try BakeListSharing(items, results, round: round).run(ended: ended)
    results.leave(
      isWanted: options.sharing.results != nil || outcomes.count < items.count || !outcomes.allSatisfy(\.isFilm))
    return outcomes
  }
}
