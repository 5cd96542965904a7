import ArgumentParser
import Frames

/// What `camrec bake` was told of each clip, as values by the names of its options: how they were written, and in which
/// order, is gone.
struct BakeWords {
  /// `--codec=prores`, `--fill-gaps`; by their names.
  let arguments: [String]

  /// Options that say how clips are worked on, and not what happens to one.
  private static let own: Set = [
    "list", "output", "keep-partial", "jobs", "engine", "tasks", "results", "shard", "overwrite", "json", "report",
  ]

  /// - Parameter words: of a command line that the parser has taken.
  /// - Throws: code `defect` where the command's description of itself cannot be read.
  init(_ words: [String]) throws(CamrecError) {
    guard let command = try? CommandInfo(dump: BakeCommand._dumpHelp()) else {
      throw CamrecError(.defect, "the description of 'camrec bake' cannot be read")
    }
    let options = (command.arguments ?? []).filter { $0.kind != "positional" }
    var values: [String: String?] = [:]
    var rest = words[...]
    while let word = rest.popFirst(), word != "--" {
      let (spelled, value) = BakeWords.parts(word)
      guard let option = options.first(where: { $0.names?.contains { $0.spelled == spelled } == true }),
        let name = option.names?.first(where: { $0.kind == "long" })?.name
      else { continue }
      // As the parser has it, the last one counts.
      values[name] = .some(option.kind == "flag" ? nil : value ?? rest.popFirst())
    }
    arguments = values.filter { !BakeWords.own.contains($0.key) }.sorted { $0.key < $1.key }.map { name, value in
      value.map { "--\(name)=\($0)" } ?? "--\(name)"
    }
  }

  private static func parts(_ word: String) -> (name: String, value: String?) {
    guard word.hasPrefix("-"), let end = word.firstIndex(of: "=") else { return (word, nil) }
    return (String(word[..<end]), String(word[word.index(after: end)...]))
  }
}
