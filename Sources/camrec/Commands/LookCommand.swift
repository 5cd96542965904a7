import ArgumentParser

/// `camrec look`.
struct LookCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "look",
    abstract: "List looks, apply one to photographs, plot one, and export one as a .cube file.",
    usage: """
      camrec look list [--json]
      camrec look info [--json] LOOK
      camrec look apply LOOK IN OUT [--ev EV] [--to NAME] [OPTION …]
      camrec look apply LOOK IN … --output FOLDER [--jobs N] [OPTION …]
      camrec look export LOOK --from NAME [--to NAME] [--size 33|65] [--overwrite] OUT.cube
      camrec look plot [--overwrite] LOOK OUT.png|OUT.svg
      """,
    discussion: """
      LOOK is the name of a look, or the path of a look file, which ends in .yaml. Names are looked up in \
      ~/.config/camrec/looks first, then among the looks that came with camrec. Documentation/Looks.md describes looks \
      and their files.
      """,
    subcommands: [
      LookListCommand.self, LookInfoCommand.self, LookApplyCommand.self, LookExportCommand.self, LookPlotCommand.self,
    ])

  static let lookHelp = ArgumentHelp("The look: its name, or the path of its file.", valueName: "LOOK")
}
