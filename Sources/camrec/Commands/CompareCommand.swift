import ArgumentParser
import Drawing
import Foundation
import Frames
import Goldens
import MediaFFmpeg

/// `camrec compare A B`.
struct CompareCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare", abstract: "Say how like two clips are, picture by picture.",
    usage: "camrec compare [--align WAY] [--psnr dB] [--ssim N] [--delta-e N] [--json] [--report FILE]"
      + " [--plot OUT.png] A B",
    discussion: """
      PSNR and SSIM by FFmpeg's filters, and ΔE2000 as the mean over blocks of 8x8 pixels, of each picture of B \
      against the one of A that belongs to it. Those are found first, so that a picture that is missing, there twice \
      or shifted is said as that: by the numbers that the simulated camera writes into its pictures, by what they \
      show, by timecode, by time from each clip's beginning, or by place. Sound is not compared.

      What pictures show is told by their samples, and behind an encoder by the luma of 16x16 blocks. Where nothing \
      moves, timecode or time tell. Each clip is decoded twice for it. Clips that show nothing in common are not \
      measured: the alignment is then none, and the status 5.

      --json prints, and --report FILE writes, one object: format "camrec-compare" and its version, 1; first, second, \
      alignment, missing (places in A), doubledInFirst (places in A), added and doubled (places in B), shifts (frame, \
      a place in A, from which on B shows its frames later by seconds; not where time aligns), likeness (0 to 1, where \
      content was looked at), overall (left out where nothing belongs together), and frames: first, second \
      (places), seconds, psnr (null where all samples are equal), ssim, deltaE.
      """)

  @Option(
    help: ArgumentHelp("By what pictures belong together: auto is number, else content.", valueName: "way"))
  var align = ClipAlignment.auto

  @OptionGroup var limits: LimitWords

  @Flag(help: "Print all numbers as one JSON object.") var json = false

  @Option(
    help: ArgumentHelp("Write the JSON object into a file, too.", valueName: "FILE"),
    completion: .file(extensions: ["json"])) var report: String?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Draw them over time.", valueName: "OUT.png"),
    completion: .file(extensions: ["png"])) var plot: String?

  @Flag(help: "Replace files that are there.") var overwrite = false

  @Argument(help: ArgumentHelp("The clip as it should be.", valueName: "A"), completion: .file()) var first: String
  @Argument(help: ArgumentHelp("The one that is held against it.", valueName: "B"), completion: .file()) var second:
    String

  func validate() throws {
    if let plot, !plot.lowercased().hasSuffix(".png") {
      throw ValidationError("a plot is a PNG; let its name end in .png")
    }
    if let report, let plot, PathText(report).resolved == PathText(plot).resolved {
      throw ValidationError("--report and --plot name the same file; give each its own")
    }
  }

  func run() throws {
    // Before the work, which may take long.
    for path in [report, plot].compactMap({ $0 }) where !overwrite && FileManager.default.fileExists(atPath: path) {
      throw CamrecError(.output, "'\(path)' exists already; choose another name or allow replacing it with --overwrite")
    }
    let comparison = try ClipComparison((ClipPictures(path: first), ClipPictures(path: second)), by: align)
    let findings = comparison.alignment == nil ? [] : limits.limits.findings(comparison.quality)
    let found = ComparisonReport(comparison, first: first, second: second, findings: findings)
    if json {
      JSONLine.print(found)
    } else {
      Console.print((found.lines(comparison) + findings).map(VisibleText.line).joined(separator: "\n"))
    }
    if let report {
      let encoder = JSONEncoder()
      encoder.nonConformingFloatEncodingStrategy = .convertToString(
        positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      try NewFile.write(Array(try encoder.encode(found)) + [UInt8(ascii: "\n")], to: report, overwrite: overwrite)
    }
    if let plot, comparison.alignment == nil {
      HumanText.warning("'\(plot)' is not drawn: there are no pairs of pictures")
    } else if let plot {
      let picture = ComparisonPlot.picture(of: comparison, first: first, second: second)
      let png = try PNGImage.encode(width: picture.width, height: picture.height, rgb: picture.bytes)
      try NewFile.write(png, to: plot, overwrite: overwrite)
    }
    if !findings.isEmpty || found.isUneven { throw Camrec.Ending(status: .unfit) }
  }
}
