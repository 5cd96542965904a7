import ArgumentParser

/// `camrec controls`.
struct ControlsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "controls",
    abstract: "List, set and reset a camera's controls.",
    usage: """
      camrec controls [--camera CAMERA] [--json]
      camrec controls set [--camera CAMERA] NAME=VALUE …
      camrec controls reset [--camera CAMERA]
      """,
    subcommands: [ControlsListCommand.self, ControlsSetCommand.self, ControlsResetCommand.self],
    defaultSubcommand: ControlsListCommand.self)
}
