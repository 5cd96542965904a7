import ArgumentParser
import Assembly
import Frames
import Recorder

/// When a recording ends by itself.
struct LimitOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Stop after this much film: 10s, 1m30s, 2h. Default: when the clip ends; when recording a camera, at Ctrl-C.",
      valueName: "TIME"),
    transform: TimeSpan.init(parsingDuration:))
  var duration: TimeSpan?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Stop after this many frames.",
      discussion: """
        When recording a camera, lost frames count, too. Of a clip, its own frames count, damaged ones included; those \
        missing from it, and their repetitions by --fill-gaps, do not.
        """, valueName: "N"),
    transform: { try WholeNumber.parse($0, "the number of frames is", in: 1...Int64.max) })
  var frames: Int64?

  var settings: LimitSettings { LimitSettings(duration: duration, frames: frames) }

  func validate() throws {
    if duration != nil, frames != nil {
      throw ValidationError("--duration and --frames exclude each other: give one of them")
    }
  }
}
