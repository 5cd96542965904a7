public import ArgumentParser
import Assembly
import Frames
public import Goldens
import Jobs

/// The keys of a case in a suite, as the options of a command, with the same meaning as for `camrec bake`.
///
/// Not a command that anybody can call.
struct GoldenCaseWords: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "case", shouldDisplay: false)

  @Option(help: ArgumentHelp(valueName: "path")) var clip: String

  @Option(parsing: .unconditional, help: ArgumentHelp(valueName: "SHA-256"), transform: FileDigest.init(parsing:))
  var sha256: FileDigest

  @Option var stages: [GoldenStage] = []

  @OptionGroup var bake: BakeOptions

  @OptionGroup var encoding: EncodingOptions

  @OptionGroup var file: FileOptions

  @OptionGroup var limits: LimitWords

  @Option(
    parsing: .unconditional, help: ArgumentHelp(valueName: "N"),
    transform: { try WholeNumber.parse($0, "frames are counted from 0 on, and the first one is", in: 0...Int.max) })
  var from = 0

  @Option(
    parsing: .unconditional, help: ArgumentHelp(valueName: "N"),
    transform: { try WholeNumber.parse($0, "the number of frames is", in: 1...Int64.max) }) var frames: Int64?

  /// Keep a lossless film of the baked frames beside the goldens, to measure and show frames that differ.
  @Flag var keep = false

  var settings: GoldenCaseSettings {
    GoldenCaseSettings(
      clip: clip, sha256: sha256, stages: stages, bake: bake.settings, encoding: encoding.encoding, file: file.settings,
      limits: limits.limits, from: from, frames: frames, keep: keep)
  }

  func validate() throws {
    if keep, !stages.isEmpty, !stages.contains(.baked), !stages.contains(.decoded) {
      throw ValidationError("--keep needs the stage 'baked' or 'decoded', which is not among the case's stages")
    }
    guard let name = limits.names.first, !stages.contains(.decoded) else { return }
    throw ValidationError("--\(name) needs the stage 'decoded', which is not among the case's stages")
  }
}

/// Limits for the frames after the encoder.
struct LimitWords: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Fail if any frame's PSNR is below this many dB.", valueName: "dB"),
    transform: LimitWords.psnr) var psnr: Double?
  @Option(
    parsing: .unconditional, help: ArgumentHelp("Fail if any frame's SSIM is below this.", valueName: "N"),
    transform: LimitWords.ssim) var ssim: Double?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Fail if any frame's ΔE2000 (mean over 8x8 blocks) exceeds this.", valueName: "N"),
    transform: LimitWords.deltaE) var deltaE: Double?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Fail if the whole clip's PSNR is below this many dB.",
      discussion: "It is calculated from the mean squared error of all frames.", valueName: "dB"),
    transform: LimitWords.psnr) var clipPsnr: Double?
  @Option(
    parsing: .unconditional, help: ArgumentHelp("Fail if the whole clip's mean SSIM is below this.", valueName: "N"),
    transform: LimitWords.ssim) var clipSsim: Double?
  @Option(
    parsing: .unconditional, help: ArgumentHelp("Fail if the whole clip's mean ΔE2000 exceeds this.", valueName: "N"),
    transform: LimitWords.deltaE) var clipDeltaE: Double?

  var limits: QualityLimits {
    QualityLimits(
      psnr: psnr, ssim: ssim, deltaE: deltaE, clipPSNR: clipPsnr, clipSSIM: clipSsim, clipDeltaE: clipDeltaE)
  }

  /// The names of the limits given.
  var names: [String] {
    [
      ("psnr", psnr), ("ssim", ssim), ("delta-e", deltaE), ("clip-psnr", clipPsnr), ("clip-ssim", clipSsim),
      ("clip-delta-e", clipDeltaE),
    ].compactMap { $0.1 == nil ? nil : $0.0 }
  }

  @Sendable private static func psnr(_ text: String) throws -> Double { try number(text, "a PSNR is in dB", 0...200) }
  @Sendable private static func ssim(_ text: String) throws -> Double { try number(text, "an SSIM is", -1...1) }
  @Sendable private static func deltaE(_ text: String) throws -> Double { try number(text, "a ΔE2000 is", 0...100) }

  private static func number(_ text: String, _ what: String, _ range: ClosedRange<Double>) throws -> Double {
    guard let value = Double(text), range.contains(value) else {
      throw ValidationError("\(what) from \(range.lowerBound) to \(range.upperBound); this is '\(text)'")
    }
    return value
  }
}

extension GoldenStage: ExpressibleByArgument {}
