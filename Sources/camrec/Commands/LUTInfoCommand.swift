import ArgumentParser
import Assembly
import Color
import Frames
import Kernels
import Reporting

/// `camrec lut info FILE.cube`.
struct LUTInfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Show what is in a .cube file.",
    usage: "camrec lut info [--json] FILE.cube [--color-in NAME] [--color-out NAME] [--interpolation METHOD]",
    discussion: """
      Shows the title, the size and domain of each table, the range of its values, and the SHA-256 of the file; \
      whether neutrals fall anywhere and stay neutral; and how a bake applies the LUT at 8 and at 10 bits: with \
      narrow (16-bit) or wide arithmetic, or not at all. That depends on --color-in, --color-out and --interpolation.

      --json prints one object: format "camrec-lut-info" and version 1; path, title, sha256, curveSize (of the 1D \
      table), latticeSize (of the 3D table), domainMin and domainMax, minimum and maximum (three channels each), \
      readsVideoRange, givesVideoRange, neutralsAreMonotonic, neutralsFallAt, neutralSpread, bakes (bits, path: \
      narrow, wide or refused, and refusal, the reason), warnings.
      """)

  @Argument(help: ArgumentHelp("The LUT.", valueName: "FILE.cube"), completion: .file(extensions: ["cube"]))
  var path: String

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The colours of the frames before the bake. Default: rec709, limited.", valueName: "NAME"),
    completion: .list(ColorName.all.map(\.name)), transform: ColorName.init(parsing:))
  var colorIn: ColorName?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The colours of the frames after the bake. Default: rec709, limited.", valueName: "NAME"),
    completion: .list(ColorName.all.map(\.name)), transform: ColorName.init(parsing:))
  var colorOut: ColorName?

  @Option(help: ArgumentHelp("How to interpolate between the LUT's points.", valueName: "METHOD"))
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
