import ArgumentParser
import Assembly
import Color
import Reporting

/// `camrec lut compose FIRST.cube SECOND.cube OUT.cube`.
struct LUTComposeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compose",
    abstract: "Combine two .cube files into one: the first, then the second.",
    usage: "camrec lut compose [--size N] [--overwrite] FIRST.cube SECOND.cube OUT.cube",
    discussion: """
      The result is a 3D table for inputs from 0 to 1. Without --size, it is as large as the larger of the two, but \
      has at least 65 points per side if there are 1D tables. camrec prints how far it is from the two LUTs applied in \
      turn.
      """)

  @Option(
    parsing: .unconditional, help: TableSize.help(byDefault: "as the larger of the two; with 1D tables at least 65"),
    transform: TableSize.parse)
  var size: Int?

  @Argument(help: ArgumentHelp(
    "The LUT to apply first.", valueName: "FIRST.cube"), completion: .file(extensions: ["cube"]))
  var first: String

  @Argument(help: ArgumentHelp(
    "The LUT to apply second.", valueName: "SECOND.cube"), completion: .file(extensions: ["cube"]))
  var second: String

  @OptionGroup var output: CubeOutput

  func run() throws {
    let tables = try [first, second].map { try LookupTable(readingFile: $0) }
    tables.flatMap(\.warnings).forEach(HumanText.warning)
    let size = size ?? max(tables[0].naturalSize, tables[1].naturalSize)
    let progress = WorkProgress("composing", "points", total: size * size * size)
    defer { progress.close() }
    let result = try LookupTable.composed(tables[0], tables[1], size: size, reached: progress.reach)
    LUTDescription.lost(by: tables[0]).forEach(HumanText.warning)
    try output.write(result.cubeFile())
    progress.close()
    let deviation = result.deviation {
      tables[1].evaluate(tables[0].evaluate($0, interpolation: .tetrahedral), interpolation: .tetrahedral)
    }
    Console.print(LUTDescription.deviation(deviation))
  }
}
