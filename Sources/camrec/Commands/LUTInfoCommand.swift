import ArgumentParser
import Color
import Frames
import Kernels

/// `camrec lut info FILE.cube`.
struct LUTInfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Say what is in a .cube file.",
    usage: "camrec lut info [--json] FILE.cube [--color-in NAME] [--color-out NAME] [--interpolation KIND]",
    discussion: """
      Title, sizes, domains, the range of its values, whether neutrals rise and stay neutral, which path the bake \
      takes, and the SHA-256 of the file. The path depends on matrix and range on both sides of the bake, and on how \
      values between the LUT's points are found.

      With --json one object: format "camrec-lut-info" and its version, 1; path, title, sha256, curveSize, \
      latticeSize, domainMin and domainMax, minimum and maximum (three channels each), \
      readsVideoRange, givesVideoRange, neutralsAreMonotonic, neutralsFallAt, neutralSpread, bakes (bits, path: narrow, wide or refused, and why), \
      warnings.
      """)

  @Argument(help: ArgumentHelp("The LUT.", valueName: "FILE.cube"), completion: .file(extensions: ["cube"]))
  var path: String

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("What is baked. Default: rec709, limited range.", valueName: "name"),
    completion: .list(ColorName.all.map(\.name)), transform: ColorName.init(parsing:))
  var colorIn: ColorName?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("What it becomes. Default: rec709, limited range.", valueName: "name"),
    completion: .list(ColorName.all.map(\.name)), transform: ColorName.init(parsing:))
  var colorOut: ColorName?

  @Option(help: "How values between the LUT's points are found.")
  var interpolation = Interpolation.tetrahedral

  @Flag(help: "Print one JSON object.") var json = false

  func run() throws {
    let table = try LookupTable(readingFile: path)
    if !json { table.warnings.forEach(HumanText.warning) }
    let bake = LUTDescription.Bake(
      from: colorIn?.description(range: .limited) ?? .rec709, to: colorOut?.description(range: .limited) ?? .rec709,
      interpolation: interpolation)
    if json { return JSONLine.print(LUTReport(table, path: path, for: bake)) }
    Console.print(LUTDescription.lines(of: table, for: bake).joined(separator: "\n"))
  }
}
