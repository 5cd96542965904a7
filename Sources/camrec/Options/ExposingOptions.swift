public import ArgumentParser
import Exposure
import Frames
public import Recorder

/// How the camera is exposed.
struct ExposingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The exposure mode: with shutter-priority, the shutter angle is fixed and ISO follows the light; with auto, the"
        + " shutter angle follows the light where ISO cannot.",
      discussion: """
        auto keeps --shutter-angle while ISO can follow the light. At the lowest ISO it shortens the exposure time, \
        and at the highest it lengthens it, up to the duration of a frame. manual keeps --shutter-angle and --iso; \
        locked keeps the camera's present settings; camera leaves exposure to the camera itself. At the end camrec \
        restores the settings that it changed.
        """, valueName: "MODE"))
  var exposure = ExposureOptions().mode

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The shutter angle, above 0 and up to 360 degrees. Default: 180.", valueName: "DEGREES"),
    transform: ShutterAngle.init(parsing:))
  var shutterAngle: ShutterAngle?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The ISO for --exposure manual. Default: the camera's present setting.", valueName: "ISO"),
    transform: ExposureOptions.iso(parsing:))
  var iso: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Exposure compensation in EV: above 0 brighter, below 0 darker. Default: 0.", valueName: "EV"),
    transform: Stops.init(parsingBias:))
  var ev: Stops?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The metering mode: average, centre, highlight, spot:X,Y. Default: centre.", valueName: "MODE"),
    transform: MeteringMode.init(parsing:))
  var metering: MeteringMode?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The mains frequency of the lighting: off, 50 or 60 Hz. camrec uses the nearest shutter angle that does not"
        + " flicker. Default: off.", valueName: "HZ"),
    transform: MainsFrequency.init(parsing:))
  var mains: MainsFrequency?

  @Flag(
    help: ArgumentHelp(
      "Lock exposure time and gain as soon as the exposure matches the light.",
      discussion: """
        In shutter-priority and in auto. 'camrec ctl unlock' does not undo it; it ends with the recording. In standby, \
        with a pre-roll too, the exposure follows the light. After 'camrec ctl angle' camrec meters the light again \
        and locks the new exposure.
        """))
  var lockExposureWhileRecording = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The ISO to assume for the lowest gain of a camera that does not report ISO. Default: 100.", valueName: "ISO"),
    transform: ExposureOptions.iso(parsing:))
  var baseISO: Double?

  @Option(
    help: ArgumentHelp(
      "Write a trace of the exposure decisions and their inputs, for 'camrec exposure replay'.",
      discussion: """
        strftime patterns are filled in as for --output. If the file exists, the new one gets a number (take-2.trace), \
        unless you give --overwrite.
        """, valueName: "PATH"),
    completion: .file())
  var exposureTrace: String?

  func validate() throws {
    if iso != nil, exposure != .manual {
      throw ValidationError("--iso is for --exposure manual; otherwise ISO follows the light")
    }
    if exposure == .locked, shutterAngle != nil {
      throw ValidationError("--exposure locked keeps the camera's exposure time; leave out --shutter-angle")
    }
    if exposure == .auto, let mains, mains != .off {
      throw ValidationError(
        "--mains chooses a shutter angle, but --exposure auto varies it; use shutter-priority or manual")
    }
    if exposure == .locked, mains != nil || ev != nil || metering != nil {
      throw ValidationError("--exposure locked does not follow the light; leave out --mains, --ev and --metering")
    }
    if exposure == .manual, ev != nil || metering != nil {
      throw ValidationError("--exposure manual does not follow the light; leave out --ev and --metering")
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
    let usual = ExposureOptions()
    return ExposureOptions(
      mode: exposure, angle: shutterAngle ?? usual.angle, mains: mains ?? usual.mains, iso: iso, bias: ev ?? usual.bias,
      metering: metering ?? usual.metering, locksWhileRecording: lockExposureWhileRecording,
      baseISO: baseISO ?? usual.baseISO)
  }
}

extension ExposureOptions.Mode: ExpressibleByArgument {}
