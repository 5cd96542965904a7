public import ArgumentParser
public import Bake
public import Color
import Foundation
import Frames

/// What happens to the pixels between camera and encoder.
struct BakeOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The LUT to bake into the film: a .cube file. Default: off.", valueName: "FILE.cube"),
    completion: .file(extensions: ["cube"]))
  var lut: String?

  @Option(help: "How to interpolate between the LUT's points.")
  var interpolation = Interpolation.tetrahedral

  @Option(
    help: """
      How to reduce 10 bits to 8: round to the nearest code value, or use a pattern that keeps the mean of an area.
      """)
  var dither = Dither.none

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Number of bake threads. Default: the machine's cores minus one, at least 1.", valueName: "N"),
    transform: { try WholeNumber.parse($0, "the number of workers is", in: 1...256) })
  var workers: Int?

  @Option(
    help: ArgumentHelp(
      "Where to bake: on the CPU, on the GPU (with Vulkan), or on the faster of the two, measured at the start.",
      discussion: """
        The result is the same to the bit. If the GPU fails or stops responding, the CPU takes over its frames with a \
        warning, and no frame is lost; a GPU that stops responding may disturb a live recording at a high frame rate. \
        auto uses the CPU if there is no GPU. 'camrec devices' lists the GPUs; camrec prefers a discrete one.
        """))
  var bakeOn = BakePlace.cpu

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The colours of the camera or clip, if it reports none or wrong ones.",
      discussion: """
        \(ColorName.list). A name gives matrix, transfer function and primaries; add -full or -limited to give the \
        range as well, which otherwise is the camera's. The simulated camera delivers the transfer function that you \
        name here; with --lut and without --color-in it delivers apple-log.
        """,
      valueName: "name"),
    completion: .list(ColorName.all.map(\.name)), transform: ColorName.init(parsing:))
  var colorIn: ColorName?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The colours of the film. Default: rec709 with --lut, otherwise the input's; limited range.",
      discussion: """
        The names are those of --color-in. camrec records full range only if you ask for it (rec709-full), and warns: \
        the colr atom of a .mov cannot state it, and Apple's players assume limited range. Only a LUT changes transfer \
        function and primaries.
        """,
      valueName: "name"),
    completion: .list(ColorName.all.map(\.name)), transform: ColorName.init(parsing:))
  var colorOut: ColorName?

  /// - Parameter cores: the cores that bake and encoder share; `nil`: all.
  func workerCount(cores: Int?) -> Int {
    workers ?? max(1, (cores ?? ProcessInfo.processInfo.activeProcessorCount) - 1)
  }

  func validate() throws {
    if lut == nil, let colorIn, let colorOut {
      do throws(CamrecError) {
        try ColorPlan.checkWithoutLUT(
          input: colorIn.description(range: .limited), output: colorOut.description(range: .limited))
      } catch {
        throw ValidationError(error.message)
      }
    }
  }
}

extension Interpolation: ExpressibleByArgument {}
extension Dither: ExpressibleByArgument {}
extension BakePlace: ExpressibleByArgument {}
