import ArgumentParser
import Frames
import Movies
import Recorder

/// `camrec bake IN --output OUT`.
struct BakeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bake",
    abstract: "Bake a look into a recorded clip, as fast as it goes.",
    usage: "camrec bake IN --output OUT [--lut FILE.cube] [OPTION …]",
    discussion: """
      The same bake and the same writer as in a recording. Frame times, sound, rotation, timecode and tags are the \
      clip's own unless an option says otherwise.

      Exit status: \(ExitStatus.summary).
      """)

  @Argument(help: ArgumentHelp("The clip: any file that FFmpeg reads.", valueName: "IN"), completion: .file())
  var input: String

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The baked film: .mov, .mkv or .framemd5.", valueName: "path"),
    completion: .file(extensions: ["mov", "mkv", "framemd5"]))
  var output: String

  @OptionGroup(title: "Colour") var bake: BakeOptions
  @OptionGroup(title: "Encoding") var encoding: EncodingOptions
  @OptionGroup(title: "File") var file: FileOptions
  @OptionGroup(title: "Length") var limit: LimitOptions

  @Option(help: "The clip's own sound, or none.")
  var microphone = Sound.auto

  func run() throws {
    let session = SessionOptions(
      overload: .wait, limit: limit.limit, audioOffset: file.audioOffset?.nanoseconds ?? 0)
    try FilmMaker.run(
      bake: bake, encoding: encoding, file: file, output: output, session: session, isLive: false,
      hasSidecar: false
    ) { (output, _) throws(CamrecError) in
      guard !output.isSameFile(as: input) else {
        throw CamrecError(.usage, "'\(output.path)' is the clip itself; choose another --output")
      }
      return try FilmSource.clip(
        input, nil, paced: false, wantsSound: microphone == .auto, frames: FilmMaker.sourceFrames(session))
    }
  }

  enum Sound: String, ExpressibleByArgument, CaseIterable {
    case auto, none
  }
}
