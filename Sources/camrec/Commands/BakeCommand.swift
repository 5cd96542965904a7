import ArgumentParser
import Assembly
import Foundation
import Frames
import Jobs
import MediaFFmpeg
import Movies
import Platform
import Recorder
import Reporting

/// `camrec bake IN --output OUT`, or with a list of clips.
struct BakeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bake", abstract: "Bake a LUT or a look into clips, as fast as the machine can.",
    usage: """
      camrec bake IN --output OUT [--lut FILE.cube | --look LOOK] [OPTION …]
      camrec bake IN IN … --output FOLDER [--jobs N] [OPTION …]
      camrec bake --list FILE --output FOLDER/{clip}.mov [--jobs N | --engine slurm] [OPTION …]
      """,
    discussion: """
      Uses the same bake and file writer as a recording. Frame times, audio, rotation, timecode, chapters and tags \
      come from the clip unless an option says otherwise.

      A film gets its final name only when complete (but see --keep-partial). camrec does not replace existing films \
      unless you give --overwrite, or --results shows that they are as an earlier run with these results left them.

      With several clips or --list, each clip is baked in a process of its own. A failed clip does not stop the \
      others; the exit status is the worst of all: the first of 130, 70, 74, 69, 64, 65, 5, 4 and 3 that occurs. \
      With --json there is an event for each clip, and stopped counts the clips.
      """)

  @Argument(help: ArgumentHelp("The clip: any file that FFmpeg reads.", valueName: "IN"), completion: .file())
  var inputs: [String] = []

  @Option(
    name: .shortAndLong, help: ArgumentHelp(
      "The film: .mov, .mkv or .framemd5; for several clips, a folder.",
      discussion: "Or, for several clips, a name with {clip}, such as FOLDER/{clip}.mkv; --list takes only this.",
      valueName: "PATH"),
    completion: .file(extensions: ["mov", "mkv", "framemd5"])) var output: String

  @OptionGroup(title: "Colour") var bake: BakeOptions
  @OptionGroup(title: "Encoding") var encoding: EncodingOptions
  @OptionGroup(title: "File") var file: FileOptions
  @OptionGroup(title: "Length") var limit: LimitOptions

  @OptionGroup(title: "Many clips") var many: BakeListOptions

  @Flag(
    help: ArgumentHelp(
      "Keep the partial film, under the film's name, if the bake stops or fails.",
      discussion: """
        Without it, a film gets its name only when complete, and with --overwrite the old film stays until then. If \
        the disk got full, only whole fragments stay (of up to 2 s in a .mov, 0.2 s in a .mkv), and camrec recover \
        makes an ordinary film of a partial .mov.
        """))
  var keepPartial = false

  @Flag(
    help: ArgumentHelp(
      "Fill gaps of up to 10 s by repeating the frame before each.",
      discussion: """
        For clips with missing frames: editors then see a constant frame rate. The sidecar, if the film has one, lists \
        each repeated frame.
        """))
  var fillGaps = false

  @Flag(help: "Write no sidecar. Otherwise camrec makes one from the clip's, if it has one.")
  var noSidecar = false

  /// Set by a list for each of its clips: stop when the list's process has ended.
  @Flag(help: .hidden) var untilInputEnds = false
  /// Set by a list: the folder for its clips' outcomes, and the hash of what this clip's outcome depends on.
  @Option(help: .hidden) var outcomeFolder: String?
  @Option(help: .hidden) var outcomeInputs: String?

  @Option(help: ArgumentHelp("The audio: auto (the clip's own) or none.", valueName: "NAME"))
  var microphone = Sound.auto

  func validate() throws {
    switch (inputs.count, many.list) {
    case (0, nil): throw ValidationError("give a clip, or --list FILE")
    case (1, nil) where many.jobs != nil: throw ValidationError("--jobs is for several clips, or --list")
    case (1, nil) where many.sharing.results != nil: throw ValidationError("--results is for several clips, or --list")
    default: break
    }
    if fillGaps, output.hasSuffix(".framemd5") {
      throw ValidationError("a hash recording has no gaps to fill; bake into a .mov or .mkv, or leave out --fill-gaps")
    }
  }

  func run() throws {
    // Not in `validate`: the word after an unknown option looks like a clip, and the parser names that option first.
    if !inputs.isEmpty, many.list != nil {
      throw CamrecError(.usage, "a clip and --list exclude each other: give one of them")
    }
    guard inputs.count == 1, let input = inputs.first else { return try runList() }
    var session = SessionOptions(
      overload: .wait, limit: limit.settings.limit, audioOffset: file.audioOffset?.nanoseconds ?? 0)
    session.fillsGaps = fillGaps
    let status = FilmMaker.run(
      bake: bake.settings, encoding: encoding.encoding, file: file.settings, output: film(of: input), session: session,
      hasSidecar: !noSidecar, json: file.json, keepsPartial: keepPartial, endsWithInput: untilInputEnds,
      note: noteOutcome
    ) { [session] (output, _) throws(CamrecError) in
      guard !output.isSameFile(as: input) else {
        throw CamrecError(.usage, "'\(output.path)' is the clip itself; choose another --output")
      }
      return try FilmSource.clip(
        input, wantsSound: microphone == .auto, frames: FilmMaker.sourceFrames(session),
        keepsFullChroma: try MovieWriter.keepsFullChroma(encoding.encoding),
        // Hashes that were made before stay the same.
        keepsTimes: output.container == .framemd5)
    }
    if status != .success { throw Camrec.Ending(status: status) }
  }

  /// The output with the clip's name filled in, unless a list has done that.
  private func film(of clip: String) -> String {
    guard !untilInputEnds else { return output }
    // A % is a pattern in --output, but not in a clip's name.
    return output.replacing(ClipList.mark, with: PathText(clip).stem.replacing("%", with: "%%"))
  }

  private func noteOutcome(_ summary: SessionSummary, _ status: ExitStatus, _ place: String) throws(CamrecError) {
    guard let outcomeFolder, let outcomeInputs else { return }
    var outcome = BakedClip(status: status.rawValue, seconds: 0)
    (outcome.frames, outcome.length, outcome.lost) = (summary.movie?.frames, summary.seconds, summary.counts.totalLost)
    summary.remarks.forEach { outcome.note($0.facts) }
    let film = try OutputPath.filled(output, Date())
    try BakeResults.write(outcome, place: place, film: film, folder: outcomeFolder, inputs: outcomeInputs)
  }

  private func runList() throws {
    let list = BakeList(
      sharing: many.sharing.settings, jobs: many.jobs ?? 1, output: output, overwrite: file.overwrite,
      keepsPartial: keepPartial, json: file.json, files: Grade.files(bake.settings), limit: limit.settings,
      words: try BakeWords(Array(CommandLine.arguments.dropFirst(2))).arguments)
    let status = try inputs.isEmpty ? list.run(many.list ?? "") : list.run(clips: inputs)
    if status != .success { throw Camrec.Ending(status: status) }
  }

  enum Sound: String, ExpressibleByArgument, CaseIterable { case auto, none }
}
