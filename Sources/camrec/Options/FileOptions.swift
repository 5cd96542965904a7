import ArgumentParser
import Assembly
import Frames

/// Properties of the file: whether it replaces another, its rotation, timecode and audio offset.
struct FileOptions: ParsableArguments {
  @Flag(help: "Replace an existing file.")
  var overwrite = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Clockwise rotation on playback: auto, 0, 90, 180 or 270. Default: auto.",
      discussion: "auto uses the rotation that is reported with the frames.", valueName: "ANGLE"),
    completion: .list(RotationChoice.completions), transform: RotationChoice.init(parsing:))
  var rotation = FileSettings().rotation

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The first frame's timecode: HH:MM:SS:FF, or now (the local time of day).",
      discussion: """
        HH:MM:SS;FF means drop-frame. Above 100 fps, the frames have three digits. With now, the film begins with the \
        local time of day; at 23.976 fps the timecode falls 3.6 s behind the clock every hour. A recorder's later \
        films (--standby, a changed rate) go on from it with the clock. Default: the clip's own; when recording a \
        camera, now.
        """,
      valueName: "TIMECODE"),
    completion: .list(["now"]), transform: TimecodeChoice.init(parsing:))
  var timecode: TimecodeChoice?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Shift the audio later, or earlier with a minus sign: 20ms. At most 1s.", valueName: "TIME"),
    transform: TimeSpan.init(parsingOffset:))
  var audioOffset: TimeSpan?

  @Flag(
    help: ArgumentHelp(
      "Print events as JSON, one object per line.",
      discussion: "Among them: started, progress, warning, and stopped, which has the ledger."))
  var json = false

  var settings: FileSettings {
    FileSettings(overwrite: overwrite, rotation: rotation, timecode: timecode, audioOffset: audioOffset)
  }
}
