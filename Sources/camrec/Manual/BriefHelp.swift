import ArgumentParser
import Foundation

/// The short help of a subcommand, for `-h`: its usage and a line for each option, or for each command of a group.
/// `--help` prints everything.
enum BriefHelp {
  /// - Parameter words: the command line without the program's name.
  /// - Returns: `nil` if it does not ask for a short help.
  static func text(for words: [String]) throws -> String? {
    guard words.last == "-h", words.count > 1 else { return nil }
    var command: any ParsableCommand.Type = Camrec.self
    var info = try CommandInfo(dump: Camrec._dumpHelp())
    for word in words.dropLast() {
      guard let next = command.configuration.subcommands.first(where: { $0.configuration.commandName == word }),
        let known = info.subcommands?.first(where: { $0.commandName == word })
      else { return nil }
      (command, info) = (next, known)
    }
    let path = words.dropLast().joined(separator: " ")
    let usages = Camrec.usageString(for: command).replacing("Usage: ", with: "").split(separator: "\n")
    let shown = info.shownArguments.filter { argument in
      argument.names?.contains { $0.name == "help" || $0.name == "version" } != true
    }
    var lines = [info.abstract ?? "", ""]
    for usage in usages { lines.append("  " + usage.drop { $0 == " " }) }
    guard info.shownSubcommands.isEmpty else { return lines.joined(separator: "\n") + group(info, path) }
    guard !shown.isEmpty else { return lines.joined(separator: "\n") }
    lines.append("")
    for argument in shown { lines.append(line(argument)) }
    for argument in shown { lines += BriefHelp.words(argument) }
    lines += ["", "camrec \(path) --help explains these options."]
    return lines.joined(separator: "\n")
  }

  /// A line for each command of a group, and where to read on.
  private static func group(_ info: CommandInfo, _ path: String) -> String {
    let lines = info.shownSubcommands.map { command in
      let heading = "  " + command.commandName
      let gap = String(repeating: " ", count: max(2, column - heading.count))
      return heading + gap + firstSentence(command.abstract ?? "")
    }
    // Without a discussion, the long help is as short.
    let more = info.discussion?.isEmpty == false ? "; camrec \(path) --help says more." : "."
    let end = ["", "camrec \(path) COMMAND -h lists the options of one\(more)"]
    return "\n\n" + (lines + end).joined(separator: "\n")
  }

  private static let width = 100
  private static let column = 28

  /// `  --lut FILE.cube           The LUT to bake into the film: a .cube file. Default: off`: whole sentences, the
  /// first one and as many more as fit on the line. A test holds every first sentence to a line.
  private static func line(_ argument: ArgumentInfo) -> String {
    let value = argument.kind == "flag" ? "" : " \(argument.valueName ?? "value")"
    let short = argument.names?.first { $0.kind != "long" }, long = argument.names?.first { $0.kind == "long" }
    let name = [short, long].compactMap { $0?.spelled }.joined(separator: ", ")
    let heading = "  " + (argument.names == nil ? argument.valueName ?? "" : name + value)
    let gap = String(repeating: " ", count: max(2, column - heading.count))
    let room = width - heading.count - gap.count
    let abstract = argument.abstract ?? ""
    var text = firstSentence(abstract)
    // An option's values, unless the sentence names them.
    if argument.kind == "option", let values = argument.allValues, !values.allSatisfy({ text.contains($0) }) {
      let named = "\(text) (\(values.joined(separator: ", ")))"
      if named.count <= room { text = named }
    }
    for sentence in abstract.components(separatedBy: ". ").dropFirst() {
      let longer = "\(text). \(sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence)"
      guard longer.count <= room else { break }
      text = longer
    }
    return heading + gap + text
  }

  /// The words that a positional argument takes, if there is a list of them.
  private static func words(_ argument: ArgumentInfo) -> [String] {
    guard argument.kind == "positional", let all = argument.allValues, !all.isEmpty else { return [] }
    var lines = ["", "\(argument.valueName ?? "value"):"], line = " "
    for word in all {
      if line.count + word.count + 1 > width {
        lines.append(line)
        line = " "
      }
      line += " \(word)"
    }
    return lines + [line]
  }

  /// Without its full stop.
  private static func firstSentence(_ text: String) -> String {
    let first = text.firstRange(of: ". ").map { text[..<$0.lowerBound] } ?? text[...]
    return String(first.hasSuffix(".") ? first.dropLast() : first)
  }
}
