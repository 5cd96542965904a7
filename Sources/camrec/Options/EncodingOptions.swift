public import ArgumentParser
import Assembly
import Frames
public import Movies

/// How frames are encoded.
struct EncodingOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The video codec.", valueName: "CODEC"))
  var codec = VideoEncoding().codec

  @Option(
    help: ArgumentHelp(
      "The encoder's name in libavcodec. Default: auto: libx265, prores_aw or ffv1, depending on --codec.",
      valueName: "NAME"),
    completion: .list(["auto", "libx265", "prores_aw", "prores_ks", "ffv1"]))
  var encoder: String?

  @Option(
    help: ArgumentHelp("The encoder's preset. Default: ultrafast with libx265.", valueName: "NAME"),
    completion: .list([
      "ultrafast", "superfast", "veryfast", "faster", "fast", "medium", "slow", "slower", "veryslow",
    ]))
  var preset: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Constant quality for HEVC: the CRF of libx265, 0 to 51; lower is better. Default: 20.",
      discussion: """
        For ProRes, --profile sets the quality; FFV1 is lossless. Other encoders have scales of their own, up to 255.
        """, valueName: "N"),
    transform: { try WholeNumber.parse($0, "the quality is", in: 0...255) })
  var quality: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The average bitrate, instead of constant quality: 40M, 800k.", valueName: "RATE"),
    transform: Bitrate.init(parsing:))
  var bitrate: Bitrate?

  @Option(
    help: ArgumentHelp(
      "The codec's profile, such as main10 (hevc) or 4444 (prores).",
      discussion: """
        For hevc: main, main10 or main422-10; the default follows the bit depth before the bake. For prores: proxy, \
        lt, standard, hq or 4444; default: hq.
        """,
      valueName: "NAME"),
    completion: .list(["main", "main10", "main422-10", "proxy", "lt", "standard", "hq", "4444"]))
  var profile: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "CPU cores that the bake and the encoder share. Default: all; in a rig, an equal share for each camera.",
      discussion: "--cores limits both together; --workers limits only the bake.",
      valueName: "N"),
    transform: { try WholeNumber.parse($0, "the number of cores is", in: 1...256) })
  var cores: Int?

  var encoding: VideoEncoding {
    VideoEncoding(
      codec: codec, encoder: encoder == "auto" ? nil : encoder, preset: preset,
      rate: quality.map(RateControl.quality) ?? bitrate.map { .bitrate($0.bitsPerSecond) }, profile: profile,
      cores: cores)
  }

  func validate() throws {
    if quality != nil, bitrate != nil {
      throw ValidationError(
        "--quality and --bitrate exclude each other: give the one that matters and leave out the other")
    }
  }
}

extension VideoCodec: ExpressibleByArgument {}
