import ArgumentParser
import Assembly
import Frames

/// The look of stills, and the colours that it is applied to.
struct StillLookOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The film look of the stills, with grain: a name or a .yaml file.",
      discussion: """
        'camrec look list' names the looks. EXIF and the .json file give the look's name, its version and the seed.
        """,
      valueName: "LOOK"),
    completion: LookChoice.completion)
  var look: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "With --look: the seed of the grain. Default: 1.",
      discussion: "0 to 4294967295. Each still of a series has grain of its own.", valueName: "N"),
    transform: { try WholeNumber.parse($0, "the seed of the grain is", in: 0...4_294_967_295) })
  var grainSeed: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "With --look: the camera's colours, if none or wrong ones are reported.", discussion: "\(ColorName.list).",
      valueName: "NAME"),
    completion: .list(ColorName.all.map(\.name)), transform: ColorName.init(parsing:))
  var colorIn: ColorName?

  /// - Throws: as `Grade.reading`.
  func grade() throws(CamrecError) -> Grade {
    guard let look else { return .none }
    return try .reading(look: look, seed: grainSeed)
  }

  func validate() throws {
    guard look == nil else { return }
    if grainSeed != nil { throw ValidationError("--grain-seed is for --look, which adds grain") }
    if colorIn != nil {
      throw ValidationError("--color-in is for --look; without a look, stills keep the camera's colours")
    }
  }
}
