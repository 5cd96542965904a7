public import ArgumentParser
public import Bake
public import Color
import Foundation
import Frames

/// What happens to the pixels between camera and encoder.
struct BakeOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The look: a .cube file that is baked into the recording. Default: off.", valueName: "FILE.cube"),
    completion: .file(extensions: ["cube"]))
  var lut: String?

  @Option(help: "How values between the LUT's points are found.")
  var interpolation = Interpolation.tetrahedral

  @Option(help: "How 10 bits become 8: rounded to the nearest code, or by a pattern that keeps the mean of an area.")
  var dither = Dither.none

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Threads that bake. Default: the machine's cores less one, at least 1.", valueName: "N"),
    transform: { try WholeNumber.parse($0, "the number of workers is", in: 1...256) })
  var workers: Int?

  @Option(
    help: ArgumentHelp(
      "Where frames are baked: on the CPU, on the GPU (by Vulkan), or on the faster, measured at the start.",
      discussion: """
        The bits are the same. A GPU that fails while it bakes leaves its frames to the CPU, with a warning, and none is \
        lost; so does one that no longer answers, which a live recording at a high rate may feel. auto takes the CPU where there is no GPU. 'camrec devices' lists the GPUs; a discrete one is taken first.
        """))
  var bakeOn = BakePlace.cpu

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "What the camera's colours are, where it says nothing or something wrong.",
      discussion: """
        \(ColorName.list). A name says matrix, transfer and primaries; -full or -limited behind it says the range as \
        well, which is the camera's otherwise. The simulated camera delivers the transfer that is named here; with --lut \
        and without --color-in it delivers apple-log.
        """,
      valueName: "name"),
    completion: .list(ColorName.all.map(\.name)), transform: ColorName.init(parsing:))
  var colorIn: ColorName?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "What the recording's colours are. Default: rec709 with --lut, else the input's; limited range.",
      discussion: """
        The same names. Full range is only recorded when asked for (rec709-full), with a warning: the colr atom of a \
        .mov cannot say it, and Apple's players assume limited range. Transfer and primaries change by a LUT only.
        """,
      valueName: "name"),
    completion: .list(ColorName.all.map(\.name)), transform: ColorName.init(parsing:))
  var colorOut: ColorName?

  /// - Parameter cores: that it may use beside the encoder; `nil`: all.
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
