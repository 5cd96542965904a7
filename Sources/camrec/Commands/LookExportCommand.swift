import ArgumentParser
import Assembly
import Color
import Frames
import Looks
import Reporting

/// `camrec look export LOOK --from NAME OUT.cube`.
struct LookExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write a look, without its grain, as a .cube file for other programs.",
    usage: "camrec look export LOOK --from NAME [--to NAME] [--size 33|65] [--overwrite] OUT.cube",
    discussion: """
      --from names the footage that the .cube file is for. For log footage camrec first converts to a display \
      picture, as 'camrec lut make' does, then applies the look. camrec prints how far the .cube file is from the look \
      itself, and warns if that is more than one 8-bit code value.

      With portra-400, the .cube file for rec709 and srgb footage differs from the look by at most one 8-bit code \
      value at either size. For other footage, use 65 points per side: for display-p3 and apple-log it then differs \
      by at most one, and for other logs by 0.04 on average and by about 2 at most, in very saturated colours.
      """)

  private static let sources = ["rec709"] + LUTMakeCommand.sources

  @Argument(help: LookCommand.lookHelp, completion: LookChoice.completion, transform: LookChoice.init)
  var look: LookChoice

  @Option(
    help: ArgumentHelp(
      "The footage, such as rec709 or apple-log.", discussion: "One of \(sources.joined(separator: ", ")).",
      valueName: "NAME"),
    completion: .list(sources), transform: { try LUTMakeCommand.name($0, of: sources) })
  var from: ColorName

  @Option(
    help: ArgumentHelp(
      "The result: \(LUTMakeCommand.targets.joined(separator: ", ")). Default: rec709.", valueName: "NAME"),
    completion: .list(LUTMakeCommand.targets), transform: { try LUTMakeCommand.name($0, of: LUTMakeCommand.targets) })
  var to: ColorName?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Points per side: 33 or 65. Default: 65.", valueName: "N"),
    completion: .list(LookTable.sizes.map(String.init)),
    transform: { text throws(CamrecError) in
      guard let size = Int(text), LookTable.sizes.contains(size) else {
        throw CamrecError(.usage, "the number of points is 33 or 65")
      }
      return size
    })
  var size: Int?

  @OptionGroup var output: CubeOutput

  func run() throws {
    let look = try look.read().look, to = try to ?? ColorName(parsing: "rec709"), size = size ?? 65
    let chain = try LookChain(
      look, from: from.description(range: .limited), to: to.description(range: .limited))
    let progress = WorkProgress("exporting", "points", total: size * size * size)
    defer { progress.close() }
    let result = try LookTable(
      chain, title: "\(look.title) (\(look.name), version \(look.version)), \(from.name) to \(to.name)", size: size,
      reached: progress.reach)
    let comments = [
      "camrec look export \(look.name) --from \(from.name) --to \(to.name) --size \(size)",
      "\(look.name), version \(look.version); the table that it was made with: sha256 \(look.tableSHA256)",
    ]
    try output.write(result.table.cubeFile(comments: comments))
    let deviation = result.deviation()
    progress.close()
    Console.print(LookDescription.deviation(deviation))
    if deviation.greatest > 1 {
      HumanText.warning(
        "some colours, mostly very saturated ones, differ from the look by more than 1 code value; "
          + (size < 65
            ? "--size 65 is closer to it"
            // A film with --look is baked with 65 points, too.
            : "no larger .cube file can be made, and --look bakes films with the same one"))
    }
  }
}
