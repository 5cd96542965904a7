public import ArgumentParser
import Frames
public import Goldens
import Movies

/// What a suite says of a case, as the options of a command: what they mean is what they mean to `camrec bake`.
///
/// No command that somebody could call.
struct GoldenCaseWords: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "case", shouldDisplay: false)

  @Option(help: ArgumentHelp(valueName: "path")) var clip: String

  @Option(parsing: .unconditional, help: ArgumentHelp(valueName: "SHA-256"), transform: FileDigest.init(parsing:))
  var sha256: FileDigest

  @Option var stages: [GoldenStage] = []

  @OptionGroup var bake: BakeOptions

  @Option var codec = VideoCodec.hevc
  @Option var profile: String?

  @Option(
    parsing: .unconditional, help: ArgumentHelp(valueName: "N"),
    transform: { try WholeNumber.parse($0, "the number of frames is", in: 1...Int64.max) }) var frames: Int64?
}

extension GoldenStage: ExpressibleByArgument {}
