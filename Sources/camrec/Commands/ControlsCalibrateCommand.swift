import ArgumentParser
import Foundation
import Frames
import Recorder

/// `camrec controls calibrate`.
struct ControlsCalibrateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "calibrate",
    abstract: "Measure what a camera's gain comes to in EV, and how late its settings show.",
    usage: "camrec controls calibrate [--camera CAMERA] [OPTION …]",
    discussion: """
      Point the camera at a scene in constant light and leave it alone for a few seconds. The result is kept for this \
      camera, and recordings use it; one that finds none measures in haste before its first frame. A camera that has \
      ISO speeds needs none. Ctrl-C ends it with the camera as it was found, and keeps nothing.
      """)

  @OptionGroup(title: "Camera") var camera: CameraOptions

  func run() throws {
    let (name, calibration, path) = try StillCamera(camera, signals: StopSignals()).calibrate()
    Console.print("\(name): settings show after \(calibration.delay) frames")
    for point in calibration.points {
      Console.print("  gain \(HumanText.fixed(point.number, 0)): \(HumanText.fixed(point.ev, 2)) EV")
    }
    Console.print("kept in \(path)")
  }
}
