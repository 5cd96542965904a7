public import ArgumentParser
import Exposure
import Frames
public import Recorder

/// How the camera is exposed.
struct ExposingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Who exposes: shutter-priority holds the angle and lets ISO follow the light, auto lets both follow.",
      discussion: """
        manual takes --shutter-angle and --iso, locked what the camera is set to; camera leaves the exposure to the \
        camera's own automatics. Whatever camrec sets is put back at the end.
        """))
  var exposure = ExposureOptions.Mode.shutterPriority

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The shutter angle, above 0 and up to 360 degrees. Default: 180.", valueName: "degrees"),
    transform: ShutterAngle.init(parsing:))
  var shutterAngle: ShutterAngle?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The ISO speed of --exposure manual. Default: what the camera is set to.", valueName: "speed"),
    transform: ExposureOptions.iso(parsing:))
  var iso: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How many EV brighter (or, below 0, darker) the picture is to be. Default: 0.", valueName: "EV"),
    transform: Stops.init(parsingBias:))
  var ev: Stops?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "What counts when brightness is read: average, centre, highlight, spot:X,Y. Default: centre.", valueName: "mode"),
    transform: MeteringMode.init(parsing:))
  var metering: MeteringMode?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The mains that feed the lamps, off, 50 or 60 Hz: the angle becomes the nearest one that does not flicker."
        + " Default: off.", valueName: "Hz"),
    transform: MainsFrequency.init(parsing:))
  var mains: MainsFrequency?

  @Flag(help: "Freeze time and gain as soon as the light has been met.")
  var lockExposureWhileRecording = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "What the lowest gain is called of a camera that does not tell its ISO. Default: 100.", valueName: "speed"),
    transform: ExposureOptions.iso(parsing:))
  var baseISO: Double?

  @Option(
    help: ArgumentHelp(
      "Write what the exposure is decided from and how, for 'camrec exposure replay'.",
      discussion: """
        The time is filled in as in --output. Where the name is taken, the trace gets the next number: take-2.trace.
        """, valueName: "path"),
    completion: .file())
  var exposureTrace: String?

  func validate() throws {
    if iso != nil, exposure != .manual {
      throw ValidationError("--iso is for --exposure manual; ISO follows the light otherwise")
    }
    if exposure == .locked, shutterAngle != nil {
      throw ValidationError("--exposure locked keeps the camera's exposure time; leave out --shutter-angle")
    }
    if exposure == .auto, let mains, mains != .off {
      throw ValidationError(
        "--mains chooses a shutter angle, which --exposure auto leaves; use shutter-priority or manual")
    }
    if exposure == .locked, mains != nil || ev != nil || metering != nil {
      throw ValidationError("--exposure locked follows nothing; leave out --mains, --ev and --metering")
    }
    if exposure == .manual, ev != nil || metering != nil {
      throw ValidationError("--exposure manual follows nothing; leave out --ev and --metering")
    }
    let asked: [(String, Bool)] = [
      ("--shutter-angle", shutterAngle != nil), ("--ev", ev != nil), ("--metering", metering != nil),
      ("--mains", mains != nil), ("--lock-exposure-while-recording", lockExposureWhileRecording),
      ("--exposure-trace", exposureTrace != nil),
    ]
    if exposure == .camera, let option = asked.first(where: \.1)?.0 {
      throw ValidationError("--exposure camera leaves everything to the camera; leave out \(option)")
    }
  }

  var options: ExposureOptions {
    ExposureOptions(
      mode: exposure, angle: shutterAngle ?? .standard, mains: mains ?? .off, iso: iso, bias: ev ?? .zero,
      metering: metering ?? .centreWeighted, locksWhileRecording: lockExposureWhileRecording, baseISO: baseISO ?? 100)
  }
}

extension ExposureOptions.Mode: ExpressibleByArgument {}
