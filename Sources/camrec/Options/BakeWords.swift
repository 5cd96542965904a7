import ArgumentParser
import Frames

/// The options of `camrec bake` for each clip, as values by option name, without their original spelling and order.
struct BakeWords {
  /// `--codec=prores`, `--fill-gaps`; sorted by name.
  let arguments: [String]

  /// Options that control the run, or what it keeps, but not what is baked. The list passes on those that each bake
  /// needs.
  private static let own: Set = [
    "list", "output", "keep-partial", "jobs", "engine", "tasks", "results", "shard", "overwrite", "json", "report",
  ]

  /// - Parameter words: a command line that the parser has accepted.
  /// - Throws: code `defect` if the command's description of itself cannot be read.
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
      // As in the parser, the last one counts.
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
