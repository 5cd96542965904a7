import ArgumentParser

/// `camrec controls`.
struct ControlsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "controls",
    abstract: "List, set, reset and watch a camera's controls.",
    usage: """
      camrec controls [--camera CAMERA] [--json]
      camrec controls set [--camera CAMERA] NAME=VALUE …
      camrec controls reset [--camera CAMERA]
      camrec controls watch [--camera CAMERA] [--json]
      """,
    subcommands: [
      ControlsListCommand.self, ControlsSetCommand.self, ControlsResetCommand.self, ControlsWatchCommand.self,
    ],
    defaultSubcommand: ControlsListCommand.self)
}
