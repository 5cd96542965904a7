import ArgumentParser
import Assembly
import Cameras
import Frames
import Reporting

/// `camrec controls set NAME=VALUE …`.
struct ControlsSetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Set a camera's controls, and print the values it reports.",
    usage: "camrec controls set [--camera CAMERA] NAME=VALUE …",
    discussion: """
      For example:

        camrec controls set exposure-mode=manual exposure-time=1/50 gain=16
        camrec controls set white-balance=daylight autofocus=off focus-distance=120

      camrec sets several controls in the order that works: automatic modes, what they control, locks. If one of \
      them is unknown or out of range, it sets none. The settings stay after camrec exits.

      Times are in seconds (1/50, 0.02, 20ms), and angles in degrees. On/off controls take 'on' or 'off', and every \
      control takes 'default' if the camera reports one. \
      white-balance takes kelvin (5600, 5600K) or a preset: \(WhiteBalancePreset.list). 'auto' turns \
      auto-white-balance on; any other value turns it off. \
      focus-trigger takes 'now' (focus once) or 'off' (stop focusing).
      """)

  @OptionGroup var camera: ControlsCameraOption

  @Argument(
    help: ArgumentHelp("A control and its value.", valueName: "NAME=VALUE"),
    transform: ControlSetting.init(parsing:))
  var settings: [ControlSetting]

  func run() throws {
    let controls = try CameraProviders.standard.openControls(camera.camera, keeping: .forGood)
    let offers = try controls.offers()
    var wanted: [ControlChange] = []
    for setting in settings {
      wanted += try setting.changes(among: offers)
    }
    defer { controls.warnings.forEach(HumanText.warning) }
    try controls.set(wanted) { change, offer in
      Console.print(ControlListing.outcome(change, wanted: wanted, offer))
    }
  }
}
