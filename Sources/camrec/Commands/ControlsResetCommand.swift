import ArgumentParser
import Cameras
import Frames

/// `camrec controls reset`.
struct ControlsResetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reset",
    abstract: "Set a camera to its automatics and defaults.",
    usage: "camrec controls reset [--camera CAMERA]",
    discussion: """
      The one-tap auto: locks off, exposure, gain, white balance and focus automatic where the camera can, everything \
      else at the camera's default, zoom, pan and tilt included.
      """)

  @OptionGroup var camera: ControlsCameraOption

  func run() throws {
    let controls = try CameraAddress.openControls(camera.camera, keeping: .forGood)
    var failures = 0
    try controls.reset { offer, result in
      switch result {
      case .success(let value):
        Console.print("\(offer.control.rawValue) \(value.text(in: offer.unit))")
      case .failure(let error):
        failures += 1
        HumanText.warning(error.message)
      }
    }
    controls.warnings.forEach(HumanText.warning)
    if failures > 0 { throw Camrec.Ending(status: .device) }
  }
}
