import ArgumentParser
import Color

/// `camrec lut info FILE.cube`.
struct LUTInfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Say what is in a .cube file.",
    usage: "camrec lut info FILE.cube",
    discussion: """
      Title, sizes, domains, the range of its values, whether neutrals rise and stay neutral, which path the bake \
      takes, and the SHA-256 of the file.
      """)

  @Argument(help: ArgumentHelp("The LUT.", valueName: "FILE.cube"), completion: .file(extensions: ["cube"]))
  var path: String

  func run() throws {
    let table = try LookupTable(readingFile: path)
    table.warnings.forEach(HumanText.warning)
    print(LUTDescription.lines(of: table).joined(separator: "\n"))
  }
}
