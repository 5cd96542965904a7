import ArgumentParser

/// `camrec rig`.
struct RigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rig",
    abstract: "Run the cameras of a rig file, unattended.",
    usage: "camrec rig [check] [--json] FILE.yaml",
    discussion: """
      The file lists cameras, each with options of 'camrec record' without their dashes. Relative paths start at the \
      file's own folder. Documentation/Rig.md describes the format.
      """,
    subcommands: [RigRunCommand.self, RigCheckCommand.self],
    defaultSubcommand: RigRunCommand.self)
}
