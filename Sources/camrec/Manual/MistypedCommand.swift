import ArgumentParser
import Frames
import Platform
import Recorder
import RecorderAPI

/// Reports a mistyped subcommand. The parser would blame the default subcommand or an option instead.
enum MistypedCommand {
  /// - Parameter words: the command line without the program's name.
  /// - Returns: the sentence; `nil` if nothing is mistyped.
  static func sentence(for words: [String]) -> String? {
    var command: any ParsableCommand.Type = Camrec.self, path = "camrec"
    // 'camrec help bak' is about 'camrec bak'.
    let words = words.first == "help" ? words.dropFirst() : words[...]
    for (place, word) in zip(words.indices, words) {
      let configuration = command.configuration, all = configuration.subcommands
      if command == CtlCommand.self { return ofRecorder(in: words[place...]) }
      guard !all.isEmpty, !word.hasPrefix("-"), word != "help" else { return nil }
      if let next = all.first(where: { name(of: $0) == word }) {
        (command, path) = (next, "\(path) \(word)")
        continue
      }
      let names = all.filter { $0.configuration.shouldDisplay }.map(name(of:))
      let near = NearSpelling.of(word, among: names)
      // 'camrec rig FILE' means 'camrec rig run FILE'; without a subcommand 'camrec' takes options alone.
      let isPath = word.contains { "./".contains($0) }
      if near == nil || isPath, command != Camrec.self, configuration.defaultSubcommand != nil { return nil }
      let remedy =
        near.map { "did you mean '\(path) \($0)'?" } ?? "the commands are \(names.sorted().joined(separator: ", "))"
      return "there is no command '\(path) \(VisibleText.line(word))'; \(remedy)"
    }
    return nil
  }

  /// Reports a word that is not a command of a recorder; the parser would list all of these, one per line.
  private static func ofRecorder(in words: ArraySlice<String>) -> String? {
    var rest = words
    while let word = rest.first, word.hasPrefix("-") {
      if word == "--" { return nil }
      rest = rest.dropFirst(CtlCommand.optionsWithValue.contains(word) ? 2 : 1)
    }
    guard let word = rest.first, ControlWord(rawValue: word) == nil else { return nil }
    let all = ControlWord.allCases.map(\.rawValue) + [RecorderSnapshot.word]
    let remedy = NearSpelling.of(word, among: all).map { "did you mean 'camrec ctl \($0)'?" }
    return "there is no command 'camrec ctl \(VisibleText.line(word))'; "
      + (remedy ?? "the commands are \(all.sorted().joined(separator: ", "))")
  }

  /// Whether the program has such a command.
  static func isCommand(_ word: String) -> Bool {
    Camrec.configuration.subcommands.contains { name(of: $0) == word }
  }

  private static func name(of command: any ParsableCommand.Type) -> String {
    command.configuration.commandName ?? ""
  }
}
