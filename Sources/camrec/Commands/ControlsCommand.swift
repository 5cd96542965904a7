import ArgumentParser

/// `camrec controls`.
struct ControlsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "controls",
    abstract: "List, set, reset, focus, watch and calibrate a camera's controls.",
    usage: """
      camrec controls [--camera CAMERA] [--json]
      camrec controls set [--camera CAMERA] NAME=VALUE …
      camrec controls reset [--camera CAMERA]
      camrec controls focus [--at X,Y | --release] [--camera CAMERA] [OPTION …] [--json]
      camrec controls watch [--camera CAMERA] [--json]
      camrec controls calibrate [--camera CAMERA] [OPTION …]
      """,
    subcommands: [
      ControlsListCommand.self, ControlsSetCommand.self, ControlsResetCommand.self, ControlsFocusCommand.self,
      ControlsWatchCommand.self, ControlsCalibrateCommand.self,
    ],
    defaultSubcommand: ControlsListCommand.self)
}
