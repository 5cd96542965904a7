import ArgumentParser
import Foundation
import Frames
import MediaFFmpeg
import Movies
import Recorder

/// `camrec bake IN --output OUT`, or of a list of clips.
struct BakeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bake", abstract: "Bake a look into a recorded clip, as fast as it goes.",
    usage: """
      camrec bake IN --output OUT [--lut FILE.cube] [OPTION …]
      camrec bake IN IN … --output FOLDER [--jobs N] [OPTION …]
      camrec bake --list FILE --output FOLDER/{clip}.mov [--jobs N | --engine slurm] [OPTION …]
      """,
    discussion: """
      The same bake and the same writer as in a recording. Frame times, sound, rotation, timecode and tags are the \
      clip's own unless an option says otherwise.

      With several clips, or --list, each clip is baked by a process of its own; a film has its name when it is whole. \
      One that does not come out ends no other, and the status is the gravest. Films that are there are refused, unless \
      --results says that they are of this list, or --overwrite is given.
      """)

  @Argument(help: ArgumentHelp("The clip: any file that FFmpeg reads.", valueName: "IN"), completion: .file())
  var inputs: [String] = []

  @Option(
    name: .shortAndLong, help: ArgumentHelp(
      "The baked film: .mov, .mkv or .framemd5; of several clips a folder, or FOLDER/{clip}.mkv.", valueName: "path"),
    completion: .file(extensions: ["mov", "mkv", "framemd5"])) var output: String

  @OptionGroup(title: "Colour") var bake: BakeOptions
  @OptionGroup(title: "Encoding") var encoding: EncodingOptions
  @OptionGroup(title: "File") var file: FileOptions
  @OptionGroup(title: "Length") var limit: LimitOptions

  @OptionGroup(title: "Many clips") var many: BakeListOptions

  @Flag(
    help: ArgumentHelp(
      "Keep what was baked by then of a bake that was stopped or failed before the end.",
      discussion: "Without it the film gets its name only when it is whole, and one that --overwrite replaces stays."))
  var keepPartial = false

  @Flag(
    help: ArgumentHelp(
      "Repeat the frame in front of a gap in it, up to 10 s: editors then see a constant rate.",
      discussion: "For clips that lack frames. The sidecar, where the film has one, names each repeat."))
  var fillGaps = false

  @Flag(help: "Write no sidecar beside the film; else it carries on what the clip's own says.")
  var noSidecar = false

  /// The list whose clip this is has ended.
  @Flag(help: .hidden) var untilInputEnds = false
  /// Where a list keeps what became of its clips, and the hash of what decides about this one.
  @Option(help: .hidden) var outcomeFolder: String?
  @Option(help: .hidden) var outcomeInputs: String?

  @Option(help: "The clip's own sound, or none.") var microphone = Sound.auto

  func validate() throws {
    switch (inputs.count, many.list) {
    case (0, nil): throw ValidationError("give a clip, or --list FILE")
    case (1..., .some): throw ValidationError("a clip and --list exclude each other: give one of them")
    case (1, nil) where many.jobs != nil: throw ValidationError("--jobs is for several clips, or --list")
    case (1, nil) where many.sharing.results != nil: throw ValidationError("--results is for several clips, or --list")
    default: break
    }
    if fillGaps, output.hasSuffix(".framemd5") {
      throw ValidationError("hashes have no gaps to fill; bake into a .mov or .mkv, or leave out --fill-gaps")
    }
  }

  func run() throws {
    guard inputs.count == 1, let input = inputs.first else { return try runList() }
    var session = SessionOptions(overload: .wait, limit: limit.limit, audioOffset: file.audioOffset?.nanoseconds ?? 0)
    session.fillsGaps = fillGaps
    try FilmMaker.run(
      bake: bake, encoding: encoding, file: file, output: output, session: session, isLive: false,
      hasSidecar: !noSidecar, keepsPartial: keepPartial, endsWithInput: untilInputEnds, note: noteOutcome
    ) { [session] (output, _) throws(CamrecError) in
      guard !output.isSameFile(as: input) else {
        throw CamrecError(.usage, "'\(output.path)' is the clip itself; choose another --output")
      }
      return try FilmSource.clip(
        input, nil, paced: false, wantsSound: microphone == .auto, frames: FilmMaker.sourceFrames(session),
        keepsFullChroma: try MovieWriter.keepsFullChroma(encoding.encoding))
    }
  }

  private func noteOutcome(_ summary: SessionSummary, _ status: ExitStatus, _ place: String) throws(CamrecError) {
    guard let outcomeFolder, let outcomeInputs else { return }
    var outcome = BakedClip(status: status.rawValue, seconds: 0)
    (outcome.frames, outcome.length, outcome.lost) = (summary.movie?.frames, summary.seconds, summary.counts.totalLost)
    let film = try OutputPath.filled(output, Date())
    try BakeResults.write(outcome, place: place, film: film, folder: outcomeFolder, inputs: outcomeInputs)
  }

  private func runList() throws {
    let status: ExitStatus
    do throws(CamrecError) {
      let list = BakeList(
        options: many, output: output, overwrite: file.overwrite, json: file.json, lut: bake.lut, limit: limit,
        words: try BakeWords(Array(CommandLine.arguments.dropFirst(2))))
      status = try inputs.isEmpty ? list.run(many.list ?? "") : list.run(clips: inputs)
    } catch {
      HumanText.error(error)
      status = ExitStatus(error)
    }
    if status != .success { throw Camrec.Ending(status: status) }
  }

  enum Sound: String, ExpressibleByArgument, CaseIterable { case auto, none }
}
