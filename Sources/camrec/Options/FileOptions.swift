import ArgumentParser
import Frames

/// What the file is called and what it says of itself.
struct FileOptions: ParsableArguments {
  @Flag(help: "Replace an existing output.")
  var overwrite = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How far clockwise a player turns the picture. Default: as the camera is mounted, or as the clip says.",
      valueName: "0|90|180|270"),
    completion: .list(Rotation.allCases.map { String($0.rawValue) }), transform: FileOptions.rotation)
  var rotation: Rotation?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The first frame's timecode: HH:MM:SS:FF, HH:MM:SS;FF (drop-frame), or now, the local time of day.",
      discussion: "Default: now; with bake the clip's own.", valueName: "timecode"),
    completion: .list(["now"]), transform: TimecodeChoice.init(parsing:))
  var timecode: TimecodeChoice?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Move the sound towards later, or with a minus sign towards earlier: 20ms. At most 1s.", valueName: "time"),
    transform: TimeSpan.init(parsingOffset:))
  var audioOffset: TimeSpan?

  @Flag(help: "Print one JSON object per line: started, progress, warning, stopped with the ledger.")
  var json = false

  private static func rotation(_ text: String) throws(CamrecError) -> Rotation {
    guard let rotation = Int(text).flatMap(Rotation.init(rawValue:)) else {
      throw CamrecError(.usage, "a rotation is 0, 90, 180 or 270 degrees clockwise")
    }
    return rotation
  }
}
