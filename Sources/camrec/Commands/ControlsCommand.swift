import ArgumentParser

/// `camrec controls`.
struct ControlsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "controls",
    abstract: "List, set, reset, watch and calibrate a camera's controls.",
    usage: """
      camrec controls [--camera CAMERA] [--json]
      camrec controls set [--camera CAMERA] NAME=VALUE …
      camrec controls reset [--camera CAMERA]
      camrec controls watch [--camera CAMERA] [--json]
      camrec controls calibrate [--camera CAMERA]
      """,
    subcommands: [
      ControlsListCommand.self, ControlsSetCommand.self, ControlsResetCommand.self, ControlsWatchCommand.self,
      ControlsCalibrateCommand.self,
    ],
    defaultSubcommand: ControlsListCommand.self)
}
