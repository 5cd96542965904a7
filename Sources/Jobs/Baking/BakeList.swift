package import Assembly
import Cluster
import Foundation
package import Frames
import Platform
package import Reporting

/// Bakes a list of clips for the command line.
package struct BakeList {
  package let sharing: SharingSettings
  /// Clips at a time.
  package let jobs: Int
  package let output: String
  package let overwrite: Bool
  /// Keep the films of bakes that stop or fail.
  package let keepsPartial: Bool
  package let json: Bool
  /// What each bake reads besides its clip.
  package let files: [String]
  package let limit: LimitSettings
  /// The options of each `camrec bake`.
  package let words: [String]

  package init(
    sharing: SharingSettings, jobs: Int, output: String, overwrite: Bool, keepsPartial: Bool, json: Bool,
    files: [String], limit: LimitSettings, words: [String]
  ) {
    self.sharing = sharing
    self.jobs = jobs
    self.output = output
    self.overwrite = overwrite
    self.keepsPartial = keepsPartial
    self.json = json
    self.files = files
    self.limit = limit
    self.words = words
  }

  /// - Returns: the worst status of the clips.
  /// - Throws: as `ClipList.init`, `BakeResults.init` and `SlurmRound.outcomes`.
  package func run(_ path: String) throws(CamrecError) -> ExitStatus {
    try run(try ClipList(readingFile: path, output: output).items, path)
  }

  /// The same for the clips of a command line.
  package func run(clips: [String]) throws(CamrecError) -> ExitStatus {
    guard sharing.engine != .slurm, sharing.shard == nil else {
      throw CamrecError(
        .usage, about: nil,
        "\(setting: .engine) slurm and \(setting: .shard) need a \(setting: .list); write the clips into one")
    }
    return try run(try ClipList(clips: clips, output: output).items, "")
  }

  private func run(_ whole: [ClipList.Item], _ path: String) throws(CamrecError) -> ExitStatus {
    var items = whole
    if let shard = sharing.shard {
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
    let outcomes = try sharing.engine == .slurm
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
    if let folder = sharing.results { results = try BakeResults(folder: folder, words: words, files: files) }
    let round = try BakeListRound(
      items, words: words, jobs: jobs, overwrite: overwrite, keepsPartial: keepsPartial, results: results,
      reached: { progress.reached(items[$0], $1) })
    let remarks = RecorderRemarks(log: nil, json: json)
    let signals = StopSignals(say: { remarks.endsAtOnce($0) })
    signals.watch(stop: { _ in round.stop() }, leftover: { nil }, givingUp: { round.giveUp() })
    return round.run(ended: ended)
  }

  /// On a cluster.
  private func share(
    _ items: [ClipList.Item], _ path: String, ended: @escaping @Sendable (Int, ClipList.Item, BakedClip) -> Void
  ) throws(CamrecError) -> [BakedClip] {
    let folder = sharing.results ?? "\(path).results-\(UUID().uuidString.prefix(8))"
    let results = try BakeResults(folder: PathText(folder).absolute, words: words, files: files)
    let list = [
      "--list=\(PathText(path).absolute)", "--output=\(PathText(output).absolute)", "--results=\(results.folder)",
      "--jobs", "\(jobs)",
    ]
    let keeping = (overwrite ? ["--overwrite"] : []) + (keepsPartial ? ["--keep-partial"] : [])
    let round = try SlurmRound(
      command: ["bake"], arguments: list + keeping + words, items: items.count, folder: results.folder,
      tasks: sharing.tasks, cores: jobs)
    let remarks = RecorderRemarks(log: nil, json: json)
    let signals = StopSignals(say: { remarks.endsAtOnce($0) })
    signals.watch(stop: { _ in round.stop() }, leftover: { nil }, givingUp: { round.cancel() })
    let outcomes = try BakeListSharing(items, results, round: round).run(ended: ended)
    results.leave(
      isNamed: sharing.results != nil,
      isComplete: outcomes.count == items.count && outcomes.allSatisfy(\.isFilm))
    return outcomes
  }
}
