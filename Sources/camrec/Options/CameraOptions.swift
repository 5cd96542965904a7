import ArgumentParser
import Cameras
import Frames

/// The camera, and the mode to request from it.
struct CameraOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The camera: a V4L2 device (/dev/videoN, /dev/v4l/by-id/…), the simulated camera, or a clip in real time.",
      discussion: """
        /dev/videoN | /dev/v4l/by-id/… | sim | sim:KEY=VALUE,… | clip:PATH. Default: the first V4L2 capture device. \
        Keys of sim: seed, transfer, range, shutter, iso, sensitivity, time-step, delay, kelvin, rotation, light, ppm, \
        microphone-ppm, jitter, faults, pace, physics; see Documentation/SimulatedCamera.md for their values.
        """,
      valueName: "camera"),
    completion: .list(["sim", "clip:", "/dev/video0"]), transform: CameraAddress.init(parsing:))
  var camera: CameraAddress?

  @Flag(help: "Use the nearest size and frame rate that the camera offers instead of refusing.")
  var nearest = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The frame size. Default: 1920x1080 for sim; for a V4L2 camera, its largest up to that.", valueName: "WxH"),
    completion: .list(["1280x720", "1920x1080", "3840x2160"]), transform: FrameSize.init(parsing:))
  var size: FrameSize?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The frame rate: 24, 23.976, 24000/1001, … Default: 24; if a V4L2 camera does not offer it, its highest up to"
        + " 30.",
      valueName: "rate"),
    completion: .list(["23.976", "24", "25", "29.97", "30", "50", "59.94", "60"]), transform: FrameRate.init(argument:))
  var fps: FrameRate?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The camera's pixel format: auto, yuyv, nv12, p010, mjpeg, … Default: auto.", valueName: "format"),
    completion: .list(["auto", "yuyv", "nv12", "p010", "mjpeg"]))
  var pixelFormat: String?

  var request: CameraRequest {
    let format = pixelFormat?.lowercased()
    return CameraRequest(
      width: size?.width, height: size?.height, frameRate: fps, pixelFormat: format == "auto" ? nil : format,
      nearest: nearest)
  }
}
