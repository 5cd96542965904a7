import ArgumentParser
import Assembly
import Frames
import Recorder

/// When a recording ends by itself.
struct LimitOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Stop after this much film: 10s, 1m30s, 2h. Default: when the clip ends; without a clip, at Ctrl-C.",
      valueName: "TIME"),
    transform: TimeSpan.init(parsingDuration:))
  var duration: TimeSpan?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Stop after this many frames, including lost ones.",
      discussion: """
        If the source is a clip, its own frames count, damaged ones included. Frames that are missing from the clip do \
        not count, and neither do those that --fill-gaps repeats in their place.
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
