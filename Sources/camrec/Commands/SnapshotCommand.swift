import ArgumentParser
import Assembly
import Cameras
import Foundation
import Frames
import Monitor
import Movies
import Platform
import Recorder
import RecorderAPI
import RecorderRemote
import Reporting

/// `camrec snapshot OUT`, and `camrec ctl snapshot OUT`.
struct SnapshotCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "snapshot",
    abstract: "Take a picture of what a camera sees now.",
    usage: "camrec snapshot [--name NAME] [--ungraded] [--size WIDTH] OUT.jpg|OUT.png\n"
      + "camrec snapshot --camera CAMERA [--lut FILE.cube] OUT.jpg|OUT.png",
    discussion: """
      The picture is the latest frame of the running recorder, upright and with the film's LUT or look. Recording has \
      priority, and goes on meanwhile. In standby, snapshot wakes a resting camera and waits up to 5 s until its \
      exposure has settled. With --camera it opens the camera itself, without a recorder.

      A JPEG has 8 bits; a PNG has 16 if the film has more than 8, or with --ungraded the camera. EXIF gives the time \
      of the exposure, the exposure time, the ISO and the camera. An ungraded JPEG from a camera that sends JPEG \
      (MJPEG) is, without --size, the camera's own image, whatever the --quality; its EXIF says how to turn it. \
      Without --stale, camrec takes no frame that is older than 1 s (below 3 fps: than three frame times). Making and \
      sending the picture then adds to its age.
      """)

  @Option(
    help: ArgumentHelp(
      "The recorder: its camera's name in the rig file, or its --name. Default: the only one that runs.",
      valueName: "NAME"),
    completion: .custom { _, _, _ in RecorderDirectory().names { $0.isAlive } })
  var name: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The recorder's monitor socket.", valueName: "PATH"),
    completion: .file(extensions: ["monitor"]))
  var monitor: String?

  @Option(
    name: [.long, .customLong("control")], parsing: .unconditional,
    help: ArgumentHelp("The recorder's control socket, as for ctl.", valueName: "PATH"),
    completion: .file(extensions: ["sock"]))
  var socket: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Open this camera, without a recorder.", discussion: "/dev/videoN, /dev/v4l/by-id/… or sim.",
      valueName: "CAMERA"),
    completion: .custom { _, _, _ in CameraProviders.standard.completions() }, transform: CameraAddress.init(parsing:))
  var camera: CameraAddress?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("With --camera: the LUT.", valueName: "FILE.cube"), completion: .file(extensions: ["cube"]))
  var lut: String?

  @Option(
    help: ArgumentHelp("With --camera: the film look, a name or a .yaml file.", valueName: "LOOK"),
    completion: LookChoice.completion)
  var look: String?

  @Flag(help: "Take the frame as the camera sends it, without LUT and look.")
  var ungraded = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The picture's width in pixels, 16 to 16384; an odd one becomes even. Default: the frame's. Smaller frames stay"
        + " as they are.", valueName: "WIDTH"),
    transform: { try WholeNumber.parse($0, "a width is", in: MonitorProtocol.widths) })
  var size: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The quality of a JPEG, 1 to 100. Default: 90.", valueName: "N"),
    transform: { try WholeNumber.parse($0, "the quality of a JPEG is", in: MonitorProtocol.qualities) })
  var quality: Int?

  @Flag(help: "Take the last frame even if it is old.")
  var stale = false

  @Flag(help: "Replace an existing picture.")
  var overwrite = false

  @Flag(help: "Print one JSON object instead of a line.")
  var json = false

  @Argument(
    help: ArgumentHelp("The picture: its name ends in .jpg, .jpeg or .png.", valueName: "OUT"),
    completion: .file(extensions: ["jpg", "png"]))
  var output: String

  func validate() throws {
    let choices = [(name, "--name"), (monitor, "--monitor"), (socket, "--socket")].filter { $0.0 != nil }.map(\.1)
    if camera != nil, let choice = choices.first {
      throw ValidationError("--camera opens a camera itself; leave out \(choice)")
    }
    if choices.count > 1 {
      throw ValidationError("\(choices.joined(separator: " and ")) exclude each other: give one of them")
    }
    if camera == nil, lut != nil || look != nil {
      throw ValidationError("--lut and --look are for --camera; a recorder has its own")
    }
    if lut != nil, look != nil { throw ValidationError("--lut and --look exclude each other: give one of them") }
    if quality != nil, try format == .png { throw ValidationError("--quality is for JPEG; a PNG loses nothing") }
  }

  func run() throws {
    let request = try request
    // An output that cannot be is found before the camera is woken.
    let file = try NewFile.file(output, overwrite: overwrite)
    let (header, image) = try taken(request)
    try file.replace(with: image)
    try report(header, bytes: image.count)
  }

  private var format: SnapshotRequest.Format {
    get throws(CamrecError) {
      switch PathText(output).kind.lowercased() {
      case "jpg", "jpeg": return .jpeg
      case "png": return .png
      default:
        throw CamrecError(.usage, "a snapshot is a JPEG or a PNG: end the name '\(output)' in .jpg or .png")
      }
    }
  }

  private var request: SnapshotRequest {
    get throws(CamrecError) {
      try SnapshotRequest(
        isGraded: !ungraded, format: try format, width: size, quality: quality ?? SnapshotRequest.defaultQuality,
        takesStale: stale)
    }
  }

  private func taken(_ request: SnapshotRequest) throws(CamrecError) -> (MonitorHeader, [UInt8]) {
    do throws(CamrecError) {
      return try camera == nil ? remote(request) : local(request)
    } catch where error.reason == .stale && !stale {
      throw CamrecError(
        error.code, "\(error.message). With --stale, camrec takes the camera's last frame", cause: error.cause,
        reason: error.reason)
    }
  }

  private func remote(_ request: SnapshotRequest) throws(CamrecError) -> (MonitorHeader, [UInt8]) {
    let client = if let monitor {
      try MonitorClient(path: monitor)
    } else if let socket {
      try MonitorClient(of: try ControlClient(path: socket))
    } else {
      try RecorderDirectory().monitor(of: name)
    }
    defer { client.close() }
    let message = try client.snapshot(request)
    return (message.header, message.payload)
  }

  private func local(_ request: SnapshotRequest) throws(CamrecError) -> (MonitorHeader, [UInt8]) {
    var settings = RecordingSettings(source: SourceSettings(camera: camera))
    (settings.bake.lut, settings.bake.look) = (lut, look)
    let recorder = try LookingRecorder(settings), signals = StopSignals()
    defer { recorder.close() }
    signals.beforeGivingUp { recorder.service.putBackControls() }
    let snapshot = try SnapshotMaker(recorder.service).make(request, isCancelled: { signals.haveCome })
    return (snapshot.header, snapshot.file)
  }

  // MARK: What is said

  private struct Report: Encodable {
    let path: String
    let width: Int
    let height: Int
    let bytes: Int
    let graded: Bool
    let transfer: String
    let age: Double?
    let exposureTime: Double?
    let iso: Double?
    let exposureSettled: Bool
  }

  private func report(_ header: MonitorHeader, bytes: Int) throws {
    let age = header.captureTime.map { Double(MonotonicTime.now() - $0) * 1e-9 }
    let isSettled = header.flags.contains(.exposureSettled)
    if json {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      return try Console.print(
        json: encoder.encode(
          Report(
            path: output, width: Int(header.width), height: Int(header.height), bytes: bytes,
            graded: header.flags.contains(.graded), transfer: header.colors.transferCharacteristic.rawValue, age: age,
            exposureTime: header.exposureTime, iso: header.iso > 0 ? Double(header.iso) : nil,
            exposureSettled: isSettled)))
    }
    if !isSettled { HumanText.warning("the exposure has not settled yet; take another snapshot in a moment") }
    var parts = ["\(header.width) × \(header.height)", header.flags.contains(.graded) ? "graded" : "as captured"]
    if let time = header.exposureTime { parts.append("\(HumanText.fixed(time * 1000, 1)) ms") }
    if header.iso > 0 { parts.append("ISO \(HumanText.fixed(Double(header.iso), 0))") }
    // The width is rounded to an even number.
    if let size, size > Int(header.width) + 1 { parts.append("the frame has no more pixels") }
    if let age, age > 1 { parts.append("\(HumanText.fixed(age, 1)) s old") }
    Console.print("\(output): \(parts.joined(separator: ", "))")
  }
}
