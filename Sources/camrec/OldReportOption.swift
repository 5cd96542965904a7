import ArgumentParser

/// Accepts the old `--json FILE` of `camrec compare` and `camrec golden` as `--report FILE`. `--json` by itself prints,
/// as for every command.
enum OldReportOption {
  /// - Parameter words: the command line without the program's name.
  /// - Returns: the same words, with `--report` for a `--json` that a file follows.
  static func rewriting(_ words: [String]) -> [String] {
    guard let first = words.first, first == "compare" || first == "golden" else { return words }
    var rest = words
    let end = rest.firstIndex(of: "--") ?? rest.endIndex
    if let place = rest[..<end].firstIndex(where: { $0.hasPrefix("--json=") }) {
      rest[place] = "--report=" + rest[place].dropFirst("--json=".count)
    } else if let place = rest[..<end].firstIndex(of: "--json"), place + 1 < end, isFile(place + 1, in: rest) {
      rest[place] = "--report"
    }
    return rest
  }

  /// Whether the word after `--json` is its file, and not one of the command's own arguments.
  private static func isFile(_ place: Int, in words: [String]) -> Bool {
    let word = words[place]
    guard !word.hasPrefix("-") else { return false }
    // A suite or the name of a case is not a file to write.
    guard words.first == "compare" else { return word.hasSuffix(".json") || word.contains("/") && !isSuite(word) }
    // The command takes two clips, so one word more is the file.
    return positionals(of: Array(words.dropFirst())).count > 2
  }

  private static func isSuite(_ word: String) -> Bool { word.hasSuffix(".yaml") || word.hasSuffix(".yml") }

  private static func positionals(of words: [String]) -> [String] {
    let options = (try? CommandInfo(dump: CompareCommand._dumpHelp()))?.arguments ?? []
    let valued = Set(options.filter { $0.kind == "option" }.flatMap { ($0.names ?? []).map(\.spelled) })
    var found: [String] = [], rest = words[...]
    while let word = rest.popFirst() {
      if word == "--" { return found + rest }
      if valued.contains(word) {
        _ = rest.popFirst()
      } else if !word.hasPrefix("-") {
        found.append(word)
      }
    }
    return found
  }
}
