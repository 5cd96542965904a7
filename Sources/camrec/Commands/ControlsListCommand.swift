import ArgumentParser
import Assembly
import Cameras
import Foundation
import Reporting

/// `camrec controls`.
struct ControlsListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List a camera's controls with their values, ranges and defaults.",
    usage: "camrec controls [--camera CAMERA] [--json]",
    discussion: """
      Shows each control's value, the values it takes, its default, and whether it is read-only or under automatic \
      control. Names and units are the same for every camera; see Documentation/Controls.md. This also works while the \
      camera is being recorded.
      """)

  @OptionGroup var camera: ControlsCameraOption

  @Flag(help: "Print one JSON object.")
  var json = false

  func run() throws {
    let controls = try CameraProviders.standard.openControls(camera.camera, keeping: .forGood)
    let listing = try ControlListing(of: controls)
    listing.warnings.forEach(HumanText.warning)
    guard json else {
      Console.print(listing.lines.joined(separator: "\n"))
      return
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    try Console.print(json: encoder.encode(listing))
  }
}
