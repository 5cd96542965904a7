import ArgumentParser
import Assembly
import Cameras
import Foundation
import Reporting

/// `camrec controls watch`.
struct ControlsWatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Print changes to a camera's controls until Ctrl-C.",
    usage: "camrec controls watch [--camera CAMERA] [--json]",
    discussion: """
      Shows changes made by the camera's automatic modes, by other programs and by buttons on the camera. If a driver \
      does not report changes, camrec asks it ten times a second.
      """)

  @OptionGroup var camera: ControlsCameraOption

  @Flag(help: "Print each change as a JSON object, one per line.")
  var json = false

  /// Seconds between two queries: short enough for a person to see no delay.
  private static let pause = 0.1

  private struct Line: Encodable {
    let control: CameraControl
    let value: ControlListing.Plain
  }

  func run() throws {
    let controls = try CameraProviders.standard.openControls(camera.camera, keeping: .forGood)
    let units = Dictionary(try controls.offers().map { ($0.control, $0.unit) }) { first, _ in first }
    var said = 0
    while !Console.isReaderGone {
      for change in try controls.changes() { write(change, units[change.control] ?? change.control.unit) }
      for warning in controls.warnings.dropFirst(said) { HumanText.warning(warning) }
      said = controls.warnings.count
      Thread.sleep(forTimeInterval: ControlsWatchCommand.pause)
    }
  }

  private func write(_ change: ControlChange, _ unit: ControlUnit) {
    if json {
      EventLine.write(Line(control: change.control, value: ControlListing.Plain(value: change.value)))
    } else {
      Console.print("\(change.control.rawValue) \(change.value.text(in: unit))")
    }
  }
}
