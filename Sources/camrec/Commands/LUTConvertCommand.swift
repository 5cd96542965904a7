import ArgumentParser
import Assembly
import Color
import Reporting

/// `camrec lut convert IN.cube OUT.cube`.
struct LUTConvertCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Convert a .cube file to one 3D table of another size, for programs that read only 3D LUTs.",
    usage: "camrec lut convert [--size N] [--overwrite] IN.cube OUT.cube",
    discussion: """
      Merges 1D tables and shapers, the domain, and any video-range conversion into one 3D table for inputs from 0 to \
      1. Without --size, the result is as large as the original 3D table, but has at least 65 points per side if the \
      file has 1D tables. camrec prints how far the result is from the original.
      """)

  @Option(
    parsing: .unconditional, help: TableSize.help(byDefault: "as the original; with 1D tables at least 65"),
    transform: TableSize.parse)
  var size: Int?

  @Argument(help: ArgumentHelp("The LUT.", valueName: "IN.cube"), completion: .file(extensions: ["cube"]))
  var input: String

  @OptionGroup var output: CubeOutput

  func run() throws {
    let table = try LookupTable(readingFile: input)
    table.warnings.forEach(HumanText.warning)
    let size = size ?? table.naturalSize
    let progress = WorkProgress("converting", "points", total: size * size * size)
    defer { progress.close() }
    let result = try table.resampled(size: size, reached: progress.reach)
    LUTDescription.lost(by: table).forEach(HumanText.warning)
    try output.write(result.cubeFile())
    progress.close()
    Console.print(LUTDescription.deviation(result.deviation { table.evaluate($0, interpolation: .tetrahedral) }))
  }
}
