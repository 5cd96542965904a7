import ArgumentParser
import Assembly
import Cameras

/// The camera whose controls are listed or changed.
struct ControlsCameraOption: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The camera: /dev/videoN, /dev/v4l/by-id/… or sim.",
      discussion: "Default: the first V4L2 capture device. sim takes keys: sim:KEY=VALUE,…",
      valueName: "CAMERA"),
    completion: .custom { _, _, _ in CameraProviders.standard.completions(controls: true) },
    transform: CameraAddress.init(parsing:))
  var camera: CameraAddress?
}
