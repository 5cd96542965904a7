import Foundation

/// A command as swift-argument-parser's `--experimental-dump-help` describes it: the part that the manual prints.
struct CommandInfo: Decodable {
  struct Dump: Decodable {
    let command: CommandInfo
  }

  let superCommands: [String]?
  let shouldDisplay: Bool?
  let commandName: String
  let abstract: String?
  let discussion: String?
  let subcommands: [CommandInfo]?
  let arguments: [ArgumentInfo]?

  /// `camrec lut info`.
  var fullName: String { ((superCommands ?? []) + [commandName]).joined(separator: " ") }
  var shownSubcommands: [CommandInfo] {
    (subcommands ?? []).filter { $0.shouldDisplay != false && $0.commandName != "help" }
  }
  var shownArguments: [ArgumentInfo] { (arguments ?? []).filter(\.shouldDisplay) }

  /// Every command that does something by itself, in the order of the help.
  var leaves: [CommandInfo] {
    shownSubcommands.isEmpty ? [self] : shownSubcommands.flatMap(\.leaves)
  }

  init(dump: String) throws { self = try JSONDecoder().decode(Dump.self, from: Data(dump.utf8)).command }
}

struct ArgumentInfo: Decodable {
  struct Name: Decodable {
    let kind: String
    let name: String
    var spelled: String { (kind == "long" ? "--" : "-") + name }
  }

  /// `positional`, `option` or `flag`.
  let kind: String
  let shouldDisplay: Bool
  let isOptional: Bool
  let isRepeating: Bool?
  let names: [Name]?
  let valueName: String?
  let defaultValue: String?
  let allValues: [String]?
  let abstract: String?
  let discussion: String?
}
