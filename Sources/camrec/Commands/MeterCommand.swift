import ArgumentParser
import Assembly
import Exposure
import Foundation
import Frames
import Recorder
import Reporting

/// `camrec meter --at X,Y`.
struct MeterCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "meter",
    abstract: "Meter a point in the camera's frame.",
    usage: "camrec meter --at X,Y [--camera CAMERA] [OPTION …] [--json]",
    discussion: """
      Prints the exposure that renders the point as 18 % grey at the camera's ISO: the nearest standard exposure time \
      (on a 1/3 EV scale), and the exact time. It meters a square whose side is one eighth of the frame's height. If \
      the point is clipped or crushed, camrec changes the exposure until it is neither, and restores the camera's \
      exposure afterwards.

      --json prints one object: speed (the standard exposure time's name); seconds (exact); iso; isoIsRelative, true \
      if the camera's gain has not been measured (its lowest gain then counts as ISO 100); isClipped and isCrushed, \
      true if the point is still clipped or crushed at the limit of the camera's range. iso and isoIsRelative are left \
      out if camrec cannot set the camera's gain.
      """)

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The point, as fractions of the frame's width and height.",
      discussion: "0,0 is the upper left corner.", valueName: "X,Y"),
    transform: PicturePoint.init(parsing:))
  var at: PicturePoint

  @OptionGroup(title: "Camera") var camera: LiveCameraOptions

  @Flag(help: "Print one JSON object.")
  var json = false

  private struct Report: Encodable {
    let speed: String
    let seconds: Double
    let iso: Double?
    let isoIsRelative: Bool?
    let isClipped: Bool
    let isCrushed: Bool
  }

  func run() throws {
    let eye = try StillCamera(camera.settings, signals: StopSignals())
    let reading = try eye.meter(at)
    let speed = try eye.speed(of: reading)
    guard json else {
      if let doubt = eye.doubt(reading, at: at) { HumanText.warning(doubt) }
      let relative = reading.isRelative ? ", relative to the lowest gain" : ""
      let iso = reading.iso.map { " at ISO \(HumanText.fixed($0, 0))\(relative)" } ?? " at the present gain"
      Console.print("\(speed.name)\(iso) (\(HumanText.fixed(reading.exposureTime * 1000, 3)) ms)")
      return
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let report = Report(
      speed: speed.name, seconds: reading.exposureTime, iso: reading.iso,
      isoIsRelative: reading.iso.map { _ in reading.isRelative }, isClipped: reading.isClipped,
      isCrushed: reading.isCrushed)
    try Console.print(json: encoder.encode(report))
  }
}
