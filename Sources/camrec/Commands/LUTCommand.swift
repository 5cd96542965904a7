import ArgumentParser

/// `camrec lut`.
struct LUTCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lut",
    abstract: "Look into .cube files, and make them.",
    usage: "camrec lut info FILE.cube\ncamrec lut make --from NAME --to NAME [--size N] [--overwrite] OUT.cube",
    subcommands: [LUTInfoCommand.self, LUTMakeCommand.self])
}
