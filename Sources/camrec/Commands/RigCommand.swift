import ArgumentParser

/// `camrec rig`.
struct RigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rig",
    abstract: "Run the cameras of a configuration file, unattended.",
    usage: "camrec rig [check] [--json] FILE.yaml",
    discussion: """
      The file names cameras; below each stand the options of 'camrec record', without their dashes. Relative paths are \
      meant from the file's own folder. Documentation/Rig.md has the format.
      """,
    subcommands: [RigRunCommand.self, RigCheckCommand.self],
    defaultSubcommand: RigRunCommand.self)
}
