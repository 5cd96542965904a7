import ArgumentParser
import Assembly
import Drawing
import Frames
import Looks
import MediaFFmpeg
import Platform
import Reporting

/// `camrec look plot LOOK OUT.png`.
struct LookPlotCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plot",
    abstract: "Plot what a look does.",
    usage: "camrec look plot [--overwrite] LOOK OUT.png|OUT.svg",
    discussion: """
      Plots the tone curve with its points, what the table does to greys and to the 24 colours of a colour chart, the \
      desaturation by luma, the grain by luma and by frequency, and a test picture before and after, with grain. The \
      plot has 1600x2240 pixels, in sRGB.
      """)

  @Flag(help: "Replace an existing file.")
  var overwrite = false

  @Argument(help: LookCommand.lookHelp, completion: LookChoice.completion, transform: LookChoice.init)
  var look: LookChoice

  @Argument(
    help: ArgumentHelp("The plot to write, as PNG or SVG.", valueName: "OUT.png|OUT.svg"),
    completion: .file(extensions: ["png", "svg"]))
  var output: String

  func validate() throws {
    guard ["png", "svg"].contains(kind) else {
      throw ValidationError("the plot is a PNG or an SVG; choose a name that ends in .png or .svg")
    }
  }

  func run() throws {
    let look = try look.read().look
    let plot = try LookPlot(of: look), heading = [look.title, LookDescription.summary(of: look)]
    let bytes: [UInt8] =
      if kind == "svg" {
        Array(try plot.svg(heading: heading, png: png).utf8)
      } else {
        try png(plot.picture(heading: heading))
      }
    try NewFile.write(bytes, to: output, overwrite: overwrite)
  }

  private var kind: String { PathText(output).kind.lowercased() }

  private func png(_ picture: Picture) throws(CamrecError) -> [UInt8] {
    try PNGImage.encode(width: picture.width, height: picture.height, rgb: picture.bytes)
  }
}
