import ArgumentParser
import Assembly
import Cameras
import Frames
import Reporting

/// `camrec controls reset`.
struct ControlsResetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reset",
    abstract: "Return a camera to automatic control and its defaults.",
    usage: "camrec controls reset [--camera CAMERA]",
    discussion: """
      Turns locks off, makes exposure, gain, white balance and focus automatic if the camera can, and sets everything \
      else to the camera's default, including zoom, pan and tilt.
      """)

  @OptionGroup var camera: ControlsCameraOption

  func run() throws {
    let controls = try CameraProviders.standard.openControls(camera.camera, keeping: .forGood)
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
