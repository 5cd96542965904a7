import ArgumentParser
import Assembly
import Foundation
import Frames

/// Another camera, or another mode of it, as `camrec ctl switch` sends them.
struct SwitchOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("For switch: another camera, as for 'camrec record --camera'.", valueName: "CAMERA"),
    completion: .custom { _, _, _ in CameraProviders.standard.completions() })
  var camera: String?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("For switch: another frame rate.", valueName: "RATE"),
    completion: .list(["23.976", "24", "25", "29.97", "30", "50", "59.94", "60"]))
  var fps: String?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("For switch: another frame size.", valueName: "WxH"),
    completion: .list(["1280x720", "1920x1080", "3840x2160"]))
  var size: String?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("For switch: another pixel format.", valueName: "FORMAT"),
    completion: .list(["auto", "yuyv", "nv12", "p010", "mjpeg"]))
  var pixelFormat: String?

  /// The given options by their names in the protocol.
  var members: [String: String] {
    let all = ["camera": camera, "fps": fps, "size": size, "pixelFormat": pixelFormat]
    return all.compactMapValues { $0 }
  }
}
