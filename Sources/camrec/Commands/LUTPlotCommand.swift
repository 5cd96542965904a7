import ArgumentParser
import Assembly
import Color
import Drawing
import Foundation
import Frames
import MediaFFmpeg
import Platform
import Reporting

/// `camrec lut plot FILE.cube OUT.png`.
struct LUTPlotCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plot",
    abstract: "Plot what a .cube file does.",
    usage: "camrec lut plot [--overwrite] FILE.cube OUT.png",
    discussion: """
      Draws what the LUT does to grey, red, green and blue as curves. It also shows seven colour ramps and a slice \
      through the middle of the LUT, before and after. The plot is a PNG of 1600x1200 pixels.
      """)

  @Flag(help: "Replace an existing file.")
  var overwrite = false

  @Argument(help: ArgumentHelp("The LUT.", valueName: "FILE.cube"), completion: .file(extensions: ["cube"]))
  var path: String

  @Argument(help: ArgumentHelp("The plot to write.", valueName: "OUT.png"), completion: .file(extensions: ["png"]))
  var output: String

  func validate() throws {
    guard output.lowercased().hasSuffix(".png") else {
      throw ValidationError("the plot is a PNG; choose a name that ends in .png")
    }
  }

  func run() throws {
    let table = try LookupTable(readingFile: path)
    table.warnings.forEach(HumanText.warning)
    let name = PathText(path).name
    let picture = LookupTablePlot(of: table).picture(heading: [table.title ?? name, LUTDescription.summary(of: table)])
    let png = try PNGImage.encode(width: picture.width, height: picture.height, rgb: picture.bytes)
    try NewFile.write(png, to: output, overwrite: overwrite)
  }
}
