import ArgumentParser
import Assembly
import Drawing
import Foundation
import Frames
import Goldens
import Jobs
import MediaFFmpeg
import Platform
import Reporting

/// `camrec compare A B`.
struct CompareCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare", abstract: "Compare two clips frame by frame.",
    usage: "camrec compare [--align WAY] [--psnr dB] [--ssim N] [--delta-e N] [OPTION …] A B",
    discussion: """
      Measures each frame of B against its match in A: PSNR and SSIM with FFmpeg's filters, after converting B to A's \
      chroma, depth and range, and ΔE2000 as the mean over blocks of 8x8 pixels. ΔE2000 reads each clip by its own \
      tags: sRGB and Display P3 with sRGB's curve, Rec. 709 with the curve of its cameras. So equal samples that are \
      tagged rec709 and srgb differ. It matches the frames first, and so reports which are missing, repeated, shifted \
      or in another order. The longest sequence of frames that both clips share counts as in order; \
      all other frames that both have count as in another order. Audio is not compared. Ways to match frames (--align):

        number    by the number that the simulated camera writes into each frame
        content   by what the frames show
        timecode  by the clips' timecodes
        time      by the time from each clip's start
        frame     by the position in the clip
        auto      by number if both clips have numbers, otherwise by content

      By content, frames with equal luma are paired first, then those in which the mean luma of the blocks in a grid \
      of 16x16 differs least. If B shows another frame of A in some place, camrec reports a repeated frame or another \
      order. This works only if encoding changed the frames by less than a quarter of what motion changes from one \
      frame to the next. If at least a third of the frames are elsewhere, camrec also sees another order if encoding \
      changed them by less than a quarter of their difference from the frames in their places. Otherwise camrec \
      matches such a frame by its place, and only its PSNR, SSIM and ΔE2000 are worse, or it reports a frame as \
      missing and another as not in A. Static shots are matched by timecode if both clips have one at the same rate, \
      otherwise by time. Each clip is decoded twice, and again if many frames are in another order.

      If the likeness of two clips is below 0.4, camrec takes them for clips with nothing in common and measures \
      nothing; alignment is then "none", and all frames are missing or not in A. Two grades of one clip are hardly \
      ever so far apart; if yours are, use --align time.

      \(ExitStatusParagraphs.text(of: "camrec compare") ?? "")

      --json prints, and --report FILE writes, one object: format "camrec-compare" and version 1; first and second \
      (the clips' paths), alignment, missing, doubledInFirst and reordered (positions in A), added and doubled \
      (positions in B), shifts (frame, a position in A, and seconds: from there on, B is later by this much, counted \
      from each clip's first frame; without the time by which frames in another order move those that they pass; empty \
      if aligned by time or timecode), likeness (0 to 1, if content was compared), overall (left out if no frames \
      match), and frames: first and second (the frame's position in each clip), seconds, psnr (left out if all \
      samples are equal), ssim, deltaE; and findings: the limits that are not met, as sentences.
      """)

  @Option(
    help: ArgumentHelp("How to match frames.", valueName: "WAY"))
  var align = ClipAlignment.auto

  @OptionGroup var limits: LimitWords

  @Flag(help: "Print all results as one JSON object.") var json = false

  @Option(
    help: ArgumentHelp("Also write the JSON object to a file.", valueName: "FILE"),
    completion: .file(extensions: ["json"])) var report: String?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Plot the results over time.", valueName: "OUT.png"),
    completion: .file(extensions: ["png"])) var plot: String?

  @Flag(help: "Replace existing files.") var overwrite = false

  @Argument(help: ArgumentHelp("The reference clip.", valueName: "A"), completion: .file()) var first: String
  @Argument(help: ArgumentHelp("The clip to compare with it.", valueName: "B"), completion: .file()) var second:
    String

  func validate() throws {
    if let plot, !plot.lowercased().hasSuffix(".png") {
      throw ValidationError("the plot is a PNG; choose a name that ends in .png")
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
      HumanText.warning("'\(plot)' was not drawn: no frames match")
    } else if let plot {
      let picture = ComparisonPlot.picture(of: comparison, first: first, second: second)
      let png = try PNGImage.encode(width: picture.width, height: picture.height, rgb: picture.bytes)
      try NewFile.write(png, to: plot, overwrite: overwrite)
    }
    if !findings.isEmpty || found.isUneven { throw Camrec.Ending(status: .unfit) }
  }
}

extension ClipAlignment: ExpressibleByArgument {}
