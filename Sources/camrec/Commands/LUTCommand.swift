import ArgumentParser

/// `camrec lut`.
struct LUTCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lut",
    abstract: "Inspect, check, make, convert, combine and plot .cube files.",
    usage: """
      camrec lut info [--json] FILE.cube [--color-in NAME] [--color-out NAME] [--interpolation METHOD]
      camrec lut check [--json] FILE.cube …
      camrec lut make --from NAME --to NAME [--size N] [--overwrite] OUT.cube
      camrec lut convert [--size N] [--overwrite] IN.cube OUT.cube
      camrec lut compose [--size N] [--overwrite] FIRST.cube SECOND.cube OUT.cube
      camrec lut plot [--overwrite] FILE.cube OUT.png
      """,
    subcommands: [
      LUTInfoCommand.self, LUTCheckCommand.self, LUTMakeCommand.self, LUTConvertCommand.self, LUTComposeCommand.self,
      LUTPlotCommand.self,
    ])
}
