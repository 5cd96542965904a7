import ArgumentParser
import Frames
import Movies
import Recorder

/// `camrec [record]`.
struct RecordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Record a camera and its microphone.",
    usage: "camrec [record] [OPTION …]",
    discussion: """
      Everything is checked before the camera starts and before a file is created; an existing file stays as it is \
      without --overwrite. While recording, the file is playable up to its last second at every moment. Ctrl-C ends \
      the recording.

      Exit status: \(ExitStatus.summary).
      """)

  @OptionGroup(title: "Camera") var camera: CameraOptions
  @OptionGroup(title: "Exposure") var exposing: ExposingOptions
  @OptionGroup(title: "Colour") var bake: BakeOptions
  @OptionGroup(title: "Encoding") var encoding: EncodingOptions
  @OptionGroup(title: "Sound") var sound: SoundOptions
  @OptionGroup(title: "File") var file: FileOptions

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The recording: .mov, .mkv or .framemd5 (a hash of every baked frame, no sound).",
      discussion: "strftime patterns are filled in with the local time: %Y-%m-%d_%H-%M-%S.", valueName: "path"),
    completion: .file(extensions: ["mov", "mkv", "framemd5"]))
  var output = "camrec_%Y-%m-%d_%H-%M-%S.mov"

  @Flag(
    help: ArgumentHelp(
      "Write no sidecar beside the film.",
      discussion: "The sidecar, take.mov.camrec, says how each frame was exposed and why one is missing."))
  var noSidecar = false

  @OptionGroup(title: "Length") var limit: LimitOptions

  @Option(help: "What happens when bake or encoder cannot keep up: lose frames and account for them, or stop.")
  var onOverload = OnOverload.drop

  func run() throws {
    let session = SessionOptions(
      overload: onOverload.policy, limit: limit.limit, audioOffset: file.audioOffset?.nanoseconds ?? 0)
    try FilmMaker.run(
      bake: bake, encoding: encoding, file: file, output: output, session: session, isLive: true,
      hasSidecar: !noSidecar, exposure: exposing
    ) { (output, hasLUT) throws(CamrecError) in
      if case .clip(let path)? = camera.camera, output.isSameFile(as: path) {
        throw CamrecError(.usage, "'\(output.path)' is the clip itself; choose another --output")
      }
      return try FilmSource.open(
        camera, microphone: sound.microphone, colorIn: bake.colorIn, hasLUT: hasLUT,
        frames: FilmMaker.sourceFrames(session))
    }
  }

  enum OnOverload: String, ExpressibleByArgument, CaseIterable {
    case drop, stop

    var policy: OverloadPolicy { self == .drop ? .drop : .stop }
  }
}
