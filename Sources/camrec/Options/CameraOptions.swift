import ArgumentParser
import Assembly
import Cameras

/// The camera, and the mode to request from it.
struct CameraOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The camera: /dev/videoN, /dev/v4l/by-id/…, sim or clip:PATH.",
      discussion: """
        Default: the first V4L2 capture device. sim is the simulated camera; clip:PATH plays a clip in real time, with \
        the clip's own size, frame rate and pixel format; leave out --size, --fps and --pixel-format. \
        sim:KEY=VALUE,… takes the keys seed, transfer, range, shutter, iso, sensitivity, time-step, delay, kelvin, \
        rotation, light, ppm, microphone-ppm, jitter, faults, pace and physics; see Documentation/SimulatedCamera.md \
        for their values.
        """,
      valueName: "CAMERA"),
    completion: .custom { _, _, _ in CameraProviders.standard.completions() }, transform: CameraAddress.init(parsing:))
  var camera: CameraAddress?

  @OptionGroup var mode: ModeOptions

  var settings: SourceSettings { mode.settings(of: camera) }
}
