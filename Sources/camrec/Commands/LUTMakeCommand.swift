import ArgumentParser
import Assembly
import Color
import Frames

/// `camrec lut make --from NAME --to NAME OUT.cube`.
struct LUTMakeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "make",
    abstract: "Make a .cube file that converts log footage for a display, or between displays.",
    usage: "camrec lut make --from NAME --to NAME [--size N] [--overwrite] OUT.cube",
    discussion: """
      Converts from apple-log, slog3, vlog, logc3, logc4, flog2 and clog3 with the makers' published curves and the \
      same tone curve, camrec's own, for every camera; LUTs/README.md describes the result. Converts from srgb and \
      display-p3 without a tone curve. The target is rec709, srgb or display-p3.
      """)

  static let sources = [
    "apple-log", "slog3", "vlog", "logc3", "logc4", "flog2", "clog3", "srgb", "display-p3",
  ]
  static let targets = ["rec709", "srgb", "display-p3"]

  @Option(
    help: ArgumentHelp(
      "The colours that the LUT expects.",
      discussion: "One of \(sources.joined(separator: ", ")). Long names, such as slog3/sgamut3.cine, also work.",
      valueName: "NAME"),
    completion: .list(sources), transform: { try LUTMakeCommand.name($0, of: sources) })
  var from: ColorName

  @Option(
    help: ArgumentHelp("The colours that it gives: \(targets.joined(separator: ", ")).", valueName: "NAME"),
    completion: .list(targets), transform: { try LUTMakeCommand.name($0, of: targets) })
  var to: ColorName

  @Option(parsing: .unconditional, help: TableSize.help(byDefault: "33"), transform: TableSize.parse)
  var size = 33

  @OptionGroup var output: CubeOutput

  /// A table has no range, so a name with one is refused as well.
  static func name(_ text: String, of known: [String]) throws(CamrecError) -> ColorName {
    guard let name = try? ColorName(parsing: text), known.contains(name.name), name.range == nil else {
      throw CamrecError(.usage, "choose one of \(known.joined(separator: ", "))")
    }
    return name
  }

  func run() throws {
    let file = try LookupTable.makeCubeFile(
      from: from.description(range: .limited), to: to.description(range: .limited), size: size)
    try output.write(file)
  }
}
