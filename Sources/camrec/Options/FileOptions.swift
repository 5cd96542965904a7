import ArgumentParser
import Frames

/// Properties of the file: whether it replaces another, its rotation, timecode and audio offset.
struct FileOptions: ParsableArguments {
  @Flag(help: "Replace an existing file.")
  var overwrite = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The clockwise rotation on playback; auto: as the camera is mounted, or as the clip says. Default: auto.",
      valueName: "auto|0|90|180|270"),
    completion: .list(RotationChoice.completions), transform: RotationChoice.init(parsing:))
  var rotation = RotationChoice.auto

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The first frame's timecode: HH:MM:SS:FF, HH:MM:SS;FF (drop-frame), or now, the local time of day.",
      discussion: "Default: now; for bake, the clip's own.", valueName: "timecode"),
    completion: .list(["now"]), transform: TimecodeChoice.init(parsing:))
  var timecode: TimecodeChoice?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Shift the audio later, or with a minus sign earlier: 20ms. At most 1s.", valueName: "time"),
    transform: TimeSpan.init(parsingOffset:))
  var audioOffset: TimeSpan?

  @Flag(help: "Print events as JSON, one object per line: started, progress, warning, stopped with the ledger.")
  var json = false
}
