import ArgumentParser
import Cameras
import Foundation
import Frames
import Recorder

/// `camrec controls focus`.
struct ControlsFocusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "focus",
    abstract: "Focus a camera once and hold it, or let it focus by itself again.",
    usage: "camrec controls focus [--at X,Y] [--camera CAMERA] [OPTION …] [--json]\n"
      + "camrec controls focus --release [--camera CAMERA]",
    discussion: """
      Autofocus in two phases: the camera looks for the focus, and what it has found is held, by its focus lock or by \
      switching its autofocus off. The camera streams meanwhile, since most cannot focus otherwise; one that is being \
      recorded does so already. A camera without a trigger focuses by itself until its distance stands. The hold stays \
      until --release, 'camrec controls reset' or autofocus=on.

      With --json one object: phase ("held", or "free" with --release), and distance, the camera's own number, where it \
      tells one. The exit status is 69 where nothing was found.
      """)

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "What is to be sharp: parts of the picture's width and height, for cameras that can be told.", valueName: "X,Y"),
    transform: PicturePoint.init(parsing:))
  var at: PicturePoint?

  @Flag(help: "Let the camera focus by itself again.")
  var release = false

  @Flag(help: "Print one JSON object.")
  var json = false

  @OptionGroup(title: "Camera") var camera: CameraOptions

  func validate() throws {
    if release, at != nil { throw ValidationError("--release gives the focus back; leave out --at") }
  }

  func run() throws {
    let focus = release ? try free() : try FocusingCamera(camera, warn: { HumanText.warning($0) }).find(at: at)
    guard json else {
      let place = focus.distance.map { " at \(ControlValue.digits($0))" } ?? ""
      Console.print(release ? "the camera focuses by itself" : "the focus is held\(place)")
      return
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    try Console.print(json: encoder.encode(focus))
  }

  private func free() throws(CamrecError) -> RecorderState.Focus {
    let controls = try CameraAddress.openControls(camera.camera, keeping: .forGood)
    guard try controls.offers().contains(where: { $0.control == .autofocus || $0.control == .focusLock }) else {
      throw CamrecError(.device, CameraControl.autofocus.absence(on: controls.name))
    }
    let focus = FocusService(controls)
    defer { focus.close() }
    try focus.release()
    return focus.status
  }
}
