import ArgumentParser
import Assembly
import Foundation
import Frames
import Looks
import Photos
import Platform
import Reporting

/// `camrec look apply LOOK IN OUT`, or with several pictures.
struct LookApplyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "apply",
    abstract: "Apply a look, with grain, to photographs.",
    usage: """
      camrec look apply LOOK IN OUT [OPTION …]
      camrec look apply LOOK IN … --output FOLDER [--jobs N] [OPTION …]
      """,
    discussion: """
      Photographs are JPEG, PNG or TIFF files with 8 or 16 bits per channel, in RGB or grey. Their ICC profile gives \
      their colours: sRGB, Display P3, Adobe RGB or any other with primaries and curves. Without a profile, camrec \
      assumes Adobe RGB if the camera's EXIF says so; otherwise it assumes sRGB, and says so. The result has a \
      profile. PNG and TIFF keep the number of bits per channel; JPEG has 8.

      The result keeps EXIF and XMP. camrec does not rotate the pixels, and keeps the orientation in EXIF. EXIF's \
      Software names camrec, the look, its version and the seed of the grain.

      The grain is that of 'camrec record --look': with the same seed and the frame's number (--frame), a frame that \
      was saved as a photograph gets the grain that it has in the film. The number is the frame's position in the \
      film, plus the number from which 'camrec info' says that the grain begins, if it does.
      """)

  @Argument(help: LookCommand.lookHelp, completion: LookChoice.completion, transform: LookChoice.init)
  var look: LookChoice

  @Argument(
    help: ArgumentHelp(
      "The photograph and the file to write; with --output, only photographs.", valueName: "IN … OUT"),
    completion: .file(extensions: ["jpg", "jpeg", "png", "tif", "tiff"]))
  var files: [String]

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The folder for the results, which keep their names. It is created if it is missing.", valueName: "FOLDER"),
    completion: .directory)
  var output: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Number of photographs to process at the same time. Default: the number of cores.", valueName: "N"),
    transform: { try WholeNumber.parse($0, "the number of jobs is", in: 1...256) })
  var jobs: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Exposure to add to the look's own: -10 to 10 EV. Default: 0.", valueName: "EV"),
    transform: { text throws(CamrecError) in
      guard let stops = Double(text), (-10...10).contains(stops) else {
        throw CamrecError(.usage, "the exposure is -10 to 10 EV")
      }
      return stops
    })
  var ev: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The seed of the grain. Default: 1.", discussion: "0 to 4294967295. The same seed gives the same grain.",
      valueName: "N"),
    transform: { try WholeNumber.parse($0, "the seed of the grain is", in: 0...4_294_967_295) })
  var grainSeed: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The number of the frame whose grain to use, counted from 0. Default: 0.", valueName: "N"),
    transform: { try WholeNumber.parse($0, "the frame is", in: 0...1_000_000_000_000) })
  var frame: Int?

  @Option(
    help: ArgumentHelp(
      "The colours of the result: srgb or display-p3.",
      discussion: "Default: display-p3 for photographs that have more colours than sRGB, otherwise srgb.",
      valueName: "NAME"))
  var to: PhotoLook.Output?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The quality of a JPEG, 1 to 100. Default: 92.",
      discussion: "From 90 on, each pixel keeps its own colour (4:4:4).", valueName: "N"),
    transform: { try WholeNumber.parse($0, "the quality is", in: 1...100) })
  var quality: Int?

  @Flag(help: "Replace existing files.") var overwrite = false

  func validate() throws {
    if output == nil {
      guard files.count == 2 else {
        throw ValidationError("give a photograph and the file to write, or photographs and --output FOLDER")
      }
      if jobs != nil { throw ValidationError("--jobs is for several photographs, with --output") }
    }
    if let output, PhotoFormat(path: output) != nil {
      throw ValidationError("--output is a folder; to name the file to write, leave out --output: IN OUT")
    }
  }

  func run() throws {
    let items = try items()
    let signals = StopSignals()
    let usual = PhotoLook.Settings()
    let settings = PhotoLook.Settings(
      exposure: ev ?? usual.exposure, grainSeed: grainSeed.map { UInt64($0) } ?? usual.grainSeed,
      frame: frame.map { Int64($0) } ?? usual.frame, output: to, quality: quality ?? usual.quality,
      overwrite: overwrite)
    let round = PhotoRound(try PhotoLook(try look.read().look, settings), items, signals: signals)
    let status = round.run(jobs: jobs ?? ProcessInfo.processInfo.activeProcessorCount)
    if status != .success { throw Camrec.Ending(status: status) }
  }

  /// - Throws: code `usage` for a name that is no picture's, or two results of one name; code `output` if the folder
  ///   cannot be made.
  private func items() throws(CamrecError) -> [PhotoRound.Item] {
    var items: [PhotoRound.Item] = []
    if let output {
      items = files.map { PhotoRound.Item(input: $0, output: PathText(output).appending(PathText($0).name)) }
    } else {
      items = [PhotoRound.Item(input: files[0], output: files[1])]
    }
    var inputs: [String: String] = [:]
    for item in items {
      guard PhotoFormat(path: item.output) != nil else {
        throw CamrecError(.usage, "'\(item.output)' must end in .jpg, .png or .tif")
      }
      if let other = inputs.updateValue(item.input, forKey: item.output) {
        throw CamrecError(
          .usage, "'\(other)' and '\(item.input)' would both become '\(item.output)'; use two folders")
      }
    }
    if let output {
      do { try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: true) } catch {
        throw CamrecError(.output, "cannot create the folder '\(output)'", cause: error.localizedDescription)
      }
    }
    return items
  }
}

extension PhotoLook.Output: ExpressibleByArgument {}
