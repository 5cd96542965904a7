public import ArgumentParser
import Assembly
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

  @Option(
    help: ArgumentHelp(
      "The film look to bake, with grain: a name or a .yaml file.",
      discussion: """
        'camrec look list' names the looks; Documentation/Looks.md explains them. --look and --lut exclude each other.
        """, valueName: "LOOK"),
    completion: LookChoice.completion)
  var look: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "With --look: the seed of the grain. Default: 1.",
      discussion: "0 to 4294967295. The same seed gives the same grain.",
      valueName: "N"),
    transform: { try WholeNumber.parse($0, "the seed of the grain is", in: 0...4_294_967_295) })
  var grainSeed: Int?

  @Option(help: ArgumentHelp("How to interpolate between the LUT's points.", valueName: "METHOD"))
  var interpolation = BakeSettings().interpolation

  @Option(
    help: ArgumentHelp(
      "How 10 bits become 8. 'none' rounds each value; 'ordered' keeps the mean of an area.", valueName: "PATTERN"))
  var dither = BakeSettings().dither

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Number of workers that bake. Default: one less than --cores, at least 1.", valueName: "N"),
    transform: { try WholeNumber.parse($0, "the number of workers is", in: 1...256) })
  var workers: Int?

  @Option(
    help: ArgumentHelp(
      "Where to bake: cpu, gpu (with Vulkan), or auto: the faster of the two.",
      discussion: """
        The result has the same bits everywhere. auto measures both at the start, and uses the CPU if there is no \
        GPU. If the GPU fails, the CPU takes over with a warning, and no frame is lost. If the GPU hangs, the CPU \
        takes over as well, but 'camrec record' may lose frames at a high frame rate. 'camrec devices' lists the \
        GPUs; camrec prefers a discrete one.
        """, valueName: "PLACE"))
  var bakeOn = BakeSettings().bakeOn

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The colours before the bake, if none or wrong ones are reported.",
      discussion: """
        Without it, camrec uses the reported colours; for a log film of its own, those in the film's sidecar. For a \
        clip without colour tags it assumes rec601 below 720 rows, otherwise rec709; when recording a camera that \
        reports none, sRGB with the matrix of Rec. 601. The names are \(ColorName.list). A name gives matrix, transfer \
        function and primaries. With -full or -limited it also gives the range; otherwise the reported range applies.
        """,
      valueName: "NAME"),
    completion: .list(ColorName.all.map(\.name)), transform: ColorName.init(parsing:))
  var colorIn: ColorName?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The colours of the film. Default: rec709 with --lut or --look, otherwise those before the bake.",
      discussion: """
        The names are those of --color-in. --color-out alone cannot change transfer function or primaries; use --lut \
        or --look. The film has limited range, unless you ask for full range (rec709-full). For a .mov camrec then \
        warns: its colr atom cannot state full range, and Apple's players assume limited range.
        """,
      valueName: "NAME"),
    completion: .list(ColorName.all.map(\.name)), transform: ColorName.init(parsing:))
  var colorOut: ColorName?

  var settings: BakeSettings {
    BakeSettings(
      lut: lut, look: look, grainSeed: grainSeed, interpolation: interpolation, dither: dither, workers: workers,
      bakeOn: bakeOn, colorIn: colorIn, colorOut: colorOut)
  }

  func validate() throws {
    if lut != nil, look != nil {
      throw ValidationError(
        "--lut and --look exclude each other; to have both, write the look as a table with 'camrec look export' and "
          + "join the two with 'camrec lut compose'")
    }
    if look == nil, grainSeed != nil { throw ValidationError("--grain-seed is for --look, which adds grain") }
    if lut == nil, look == nil, let colorIn, let colorOut {
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

extension LookChoice {
  static let completion = CompletionKind.file(extensions: ["yaml"])
}
