import ArgumentParser
import Assembly
import Foundation
import Frames
import Recorder
import Reporting

/// `camrec controls calibrate`.
struct ControlsCalibrateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "calibrate",
    abstract: "Measure a camera's gain in EV, and how long a new setting takes to show.",
    usage: "camrec controls calibrate [--camera CAMERA] [OPTION …]",
    discussion: """
      Point the camera at a scene in constant light and leave it alone for a few seconds. camrec saves the result for \
      this camera, and recordings use it; a recording that finds no saved result makes a quick measurement before its \
      first frame. camrec measures the gain and the delay: the number of frames until a new setting shows. A camera \
      that reports ISO has no gain to measure, and calibrate refuses it; a recording measures its delay. Ctrl-C stops \
      the measurement, restores the camera's settings and saves nothing.
      """)

  @OptionGroup(title: "Camera") var camera: LiveCameraOptions

  func run() throws {
    let (name, calibration, path) = try StillCamera(camera.settings, signals: StopSignals()).calibrate()
    Console.print("\(name): settings show after \(HumanText.count(calibration.delay, "frame"))")
    for point in calibration.points {
      Console.print("  gain \(HumanText.fixed(point.number, 0)): \(HumanText.fixed(point.ev, 2)) EV")
    }
    Console.print("saved in \(path)")
  }
}
