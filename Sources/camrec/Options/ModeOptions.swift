import ArgumentParser
import Assembly
import Cameras
import Frames

/// The mode to request from a camera.
struct ModeOptions: ParsableArguments {
  @Flag(help: "If the camera lacks the size or frame rate, use the nearest one.")
  var nearest = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The frame size. Default: the camera's largest, up to 1920x1080.", valueName: "WxH"),
    completion: .list(["1280x720", "1920x1080", "3840x2160"]), transform: FrameSize.init(parsing:))
  var size: FrameSize?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The frame rate, such as 24 or 23.976 (which means 24000/1001). Default: 24; if a V4L2 camera does not offer it,"
        + " the camera's highest up to 30.",
      valueName: "RATE"),
    completion: .list(["23.976", "24", "25", "29.97", "30", "50", "59.94", "60"]), transform: FrameRate.init(argument:))
  var fps: FrameRate?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The camera's pixel format: auto, yuyv, nv12, p010, mjpeg and others. Default: auto.", valueName: "FORMAT"),
    completion: .list(["auto", "yuyv", "nv12", "p010", "mjpeg"]))
  var pixelFormat: String?

  func settings(of camera: CameraAddress?) -> SourceSettings {
    SourceSettings(camera: camera, nearest: nearest, size: size, frameRate: fps, pixelFormat: pixelFormat)
  }
}
