import ArgumentParser
import Assembly
import Cameras
import Foundation
import Frames
import Recorder
import RecorderAPI
import Reporting

/// `camrec controls focus`.
struct ControlsFocusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "focus",
    abstract: "Focus a camera once and hold the focus, or return to autofocus.",
    usage: "camrec controls focus [--at X,Y] [--camera CAMERA] [OPTION …] [--json]\n"
      + "camrec controls focus --release [--camera CAMERA] [--json]",
    discussion: """
      The camera focuses, and camrec then holds the focus with the camera's focus lock or by turning autofocus off. \
      Meanwhile the camera streams, because most cameras cannot focus otherwise; a camera that is being recorded \
      streams already. A camera without a focus trigger is left in autofocus until its focus distance stops changing. \
      The focus stays held until --release, 'camrec controls reset' or autofocus=on.

      --json prints one object: phase ("held", or "free" with --release), and distance, the camera's own number, if it \
      reports one. The exit status is 69 if no focus was found.
      """)

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The point to focus on, as fractions of the frame's width and height.",
      discussion: "For cameras that accept one; 0,0 is the upper left corner.",
      valueName: "X,Y"),
    transform: PicturePoint.init(parsing:))
  var at: PicturePoint?

  @Flag(help: "Return to the camera's autofocus.")
  var release = false

  @Flag(help: "Print one JSON object.")
  var json = false

  @OptionGroup(title: "Camera") var camera: LiveCameraOptions

  func validate() throws {
    if release, at != nil { throw ValidationError("--release returns to autofocus; leave out --at") }
  }

  func run() throws {
    let focus = release ? try free() : try FocusingCamera(camera.settings, warn: { HumanText.warning($0) }).find(at: at)
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
    let controls = try CameraProviders.standard.openControls(camera.address.camera, keeping: .forGood)
    guard try controls.offers().contains(where: { $0.control == .autofocus || $0.control == .focusLock }) else {
      throw CamrecError(.device, CameraControl.autofocus.absence(on: controls.name), reason: .notOffered)
    }
    let focus = FocusService(controls)
    defer { focus.close() }
    try focus.release()
    return focus.status
  }
}
