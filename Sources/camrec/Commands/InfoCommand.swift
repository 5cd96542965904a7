import ArgumentParser
import Assembly
import Drawing
import Foundation
import Frames
import MediaFFmpeg
import Movies
import Platform
import Reporting
import Sidecar

/// `camrec info FILE`.
struct InfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Show how a film was recorded: its frames, losses and exposure.",
    usage: "camrec info [--json] [--plot OUT.png [--overwrite]] FILE",
    discussion: """
      Reads the sidecar beside the film (take.mov.camrec beside take.mov) and shows what was recorded and how, the \
      ledger by reason, the gaps with their times, and the exposure of the frames. FILE is the film or the sidecar. \
      camrec reads an incomplete sidecar as far as it goes, so this also works during a recording. If the sidecar has \
      no end, camrec counts the frames and the audio of the film itself.

      --plot draws exposure, gain, ISO, metered light, shutter angle and losses over time, and white balance and focus \
      if the camera reports them.

      --json prints one object: format "camrec-info" and version 1; film (the head of the sidecar), continues (the \
      film before), end (the totals); frames (counted from the records, including those that a recovery did not find), \
      lost (by reason, from the records), totalLost (all lost frames, each once: also those that were lost when the \
      film was cut off or damaged), filmFrames (the film's frames), written (these without those that --fill-gaps \
      repeats) and seconds (its length), as far as they are known, recovered (frames, the number that a recovery \
      found, missing, the number that it did not find, and unwritten, the number that waited to be written), soundLost \
      (also the audio that was lost when the film was cut off or damaged), ranges (the least and the greatest of each \
      value); gaps, soundGaps, isoChanges, warnings, notes, settings, markers and repeated (up to 1000 of each, plus a \
      count of the rest), and file (damage, or where the sidecar is cut off). \
      Documentation/Sidecar.md describes the sidecar.
      """)

  @Flag(help: "Print one JSON object.")
  var json = false

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Plot exposure, ISO and losses over time.", valueName: "OUT.png"),
    completion: .file(extensions: ["png"]))
  var plot: String?

  @Flag(help: "Replace an existing plot.")
  var overwrite = false

  @Argument(help: ArgumentHelp("A film, or its sidecar.", valueName: "FILE"), completion: .file())
  var path: String

  func validate() throws {
    if let plot, !plot.lowercased().hasSuffix(".png") {
      throw ValidationError("the plot is a PNG; choose a name that ends in .png")
    }
  }

  func run() throws {
    var summary = try SidecarSummary(path: try sidecar())
    summary.lookIntoFilm()
    SidecarDescription.warnings(of: summary).forEach(HumanText.warning)
    if let plot {
      let picture = SidecarPlot.picture(of: summary)
      let png = try PNGImage.encode(width: picture.width, height: picture.height, rgb: picture.bytes)
      try NewFile.write(png, to: plot, overwrite: overwrite)
    }
    guard json else {
      Console.print(SidecarDescription.lines(of: summary).map(VisibleText.line).joined(separator: "\n"))
      return
    }
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    try Console.print(json: encoder.encode(SidecarReport(summary)))
  }

  /// The path of the sidecar: FILE itself, or the one beside the film.
  private func sidecar() throws(CamrecError) -> String {
    if SidecarFile.isSidecar(path) { return path }
    let real = PathText(path).resolved
    for film in [path, real] where FileManager.default.fileExists(atPath: SidecarFile.path(ofFilm: film)) {
      return SidecarFile.path(ofFilm: film)
    }
    guard FileManager.default.fileExists(atPath: path) else {
      throw CamrecError(.input, "neither '\(path)' nor its sidecar exists; check the path")
    }
    // It is called a sidecar, and reading it tells what is wrong with it.
    if path.hasSuffix(SidecarFile.suffix) { return path }
    guard PathText(path).kind.lowercased() != Container.framemd5.rawValue else {
      throw CamrecError(
        .input, "'\(path)' is a hash recording, and those have no sidecar; its hashes are in the file itself")
    }
    throw CamrecError(
      .input,
      "'\(path)' has no sidecar beside it ('\(SidecarFile.path(ofFilm: path))' does not exist): 'camrec record' writes"
        + " one, and 'camrec bake' does if its clip has one, unless you give --no-sidecar")
  }
}
