import Cluster
import Foundation
import Frames

/// Bakes a list of clips as a command does.
struct BakeList {
  let options: BakeListOptions
  let output: String
  let overwrite: Bool
  let lut: String?
  /// The command's own words.
  let arguments: [String]

  /// Options that say how a list is worked on, and not what happens to a clip; with a value, and without.
  private static let own: Set = ["--list", "--output", "-o", "--jobs", "--engine", "--tasks", "--results", "--shard"]
  private static let flags: Set = ["--overwrite"]

  /// - Returns: the gravest of what became of the clips.
  /// - Throws: as `ClipList.init`, `BakeResults.init` and `SlurmRound.outcomes`.
  func run(_ path: String) throws(CamrecError) -> ExitStatus {
    try run(try ClipList(readingFile: path, output: output).items, path, BakeList.words(of: arguments))
  }

  /// The same for the clips of a command line.
  func run(clips: [String]) throws(CamrecError) -> ExitStatus {
    guard options.sharing.engine != .slurm, options.sharing.shard == nil else {
      throw CamrecError(.usage, "--engine slurm and --shard share the clips of a --list; write them into one")
    }
    var words = BakeList.words(of: arguments)
    // The clips are said by themselves.
    for clip in clips { if let place = words.lastIndex(of: clip) { words.remove(at: place) } }
    words.removeAll { $0 == "--" }
    return try run(try ClipList(clips: clips, output: output).items, "", words)
  }

  private func run(_ whole: [ClipList.Item], _ path: String, _ words: [String]) throws(CamrecError) -> ExitStatus {
    var items = whole
    if let shard = options.sharing.shard {
      items = whole.enumerated().filter { shard.has($0.offset) }.map(\.element)
      guard !items.isEmpty else {
        throw CamrecError(
          .usage, "part \(shard.text) of '\(path)' has none of its \(whole.count) clips; make fewer parts")
      }
    }
    let count = items.count
    let jobs = options.jobs ?? 1
    let progress = WorkProgress("baking", count == 1 ? "clip" : "clips", total: count)
    defer { progress.close() }
    let ended: @Sendable (Int, ClipList.Item, BakedClip) -> Void = { (number, item, outcome) in
      progress.reach(number)
      progress.say { Console.print(outcome.line(number, of: count, item)) }
    }
    let signals = StopSignals()
    let outcomes: [BakedClip]
    if options.sharing.engine == .slurm {
      let folder = options.sharing.results ?? "\(path).results-\(UUID().uuidString.prefix(8))"
      let results = try BakeResults(folder: PathText(folder).absolute, words: words, lut: lut)
      let list = [
        "--list=\(PathText(path).absolute)", "--output=\(PathText(output).absolute)",
        "--results=\(results.folder)", "--jobs", "\(jobs)",
      ]
      let round = try SlurmRound(
        command: ["bake"], arguments: list + (overwrite ? ["--overwrite"] : []) + words, items: count,
        folder: results.folder, tasks: options.sharing.tasks, cores: jobs)
      signals.watch(stop: { round.stop() }, leftover: { nil }, givingUp: { round.cancel() })
      outcomes = try BakeListSharing(items, results, round: round).run(ended: ended)
      results.leave(
        isWanted: options.sharing.results != nil || outcomes.count < count || !outcomes.allSatisfy(\.isFilm))
    } else {
      var results: BakeResults?
      if let folder = options.sharing.results { results = try BakeResults(folder: folder, words: words, lut: lut) }
      let round = try BakeListRound(items, words: words, jobs: jobs, overwrite: overwrite, results: results)
      signals.watch(stop: { round.stop() }, leftover: { nil }, givingUp: { round.giveUp() })
      outcomes = round.run(ended: ended)
    }
    progress.close()
    let warned = outcomes.count { !($0.warnings ?? []).isEmpty }
    if warned > 0 { HumanText.write("\(warned) of \(outcomes.count) clips had warnings") }
    return outcomes.count < count ? .interrupted : ExitStatus.gravest(of: outcomes.map(\.exit))
  }

  /// What of the words is said of each clip.
  static func words(of arguments: [String]) -> [String] {
    var words: [String] = []
    var rest = arguments[...]
    while let word = rest.popFirst() {
      if flags.contains(word) { continue }
      if own.contains(word) {
        rest = rest.dropFirst()
      } else if !own.contains(where: { word.hasPrefix($0 + "=") }) {
        words.append(word)
      }
    }
    return words
  }
}
