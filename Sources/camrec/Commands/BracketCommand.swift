import ArgumentParser
import Assembly
import Exposure
import Foundation
import Frames
import Movies
import Reporting

/// `camrec bracket --shadow TIME --highlight TIME`.
struct BracketCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bracket",
    abstract: "Plan an exposure-bracketed series, and take it with --capture.",
    usage: "camrec bracket --shadow TIME|meter:X,Y --highlight TIME|meter:X,Y [--frames N] [--spacing EV] [--json]\n"
      + "camrec bracket --shadow … --highlight … --capture [--look LOOK] [--output PREFIX] [OPTION …]",
    discussion: """
      Meter the darkest and the brightest part that should show detail, and give both exposure times, in either order. \
      A set is the frames that the camera takes in one bracketed burst (--frames). Each set begins with the last \
      exposure time of the set before it, and continues with longer ones. The last set may end with longer exposure \
      times than you gave; --capture then refuses if the camera cannot take them. camrec draws each set as a ruler \
      with a tick every 1/3 EV: the long ticks are the frames, and the arrow points to the centre, the exposure time \
      to set on the camera.

      Exposure times are the standard ones on a 1/3 EV scale: 1/8000 to 1/4, 0.3s, 0.4s, 1/2, 0.6s, 0.8s, 1s to 30s, \
      with s, " or ″ for seconds. meter:X,Y meters a point in the camera's frame, as 'camrec meter' does.

      With --capture the camera takes the series. For each exposure, camrec waits until the camera has reported it and \
      a frame with it has arrived, and saves that frame as a JPEG with EXIF, with a .json of its exposure beside it. \
      Gain stays as it is, and camrec restores the camera's exposure at the end. --look gives the stills a film look \
      with grain.

      --json prints one object: format "camrec-bracket" and version 1; highlight and shadow, the shorter and the \
      longer exposure time; rangeEV; framesPerSet and spacingEV, as planned; exposures, their total number; sets, each \
      with its center and its speeds (here: exposure times), from the shortest to the longest. Each exposure time has \
      its name as printed, its index (0 is 1/8000, 54 is 30″; a step is 1/3 EV) and seconds, calculated exactly from \
      the index. A later camrec may add members without changing the version.
      """)

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The exposure time that shows detail in the shadows.", valueName: "TIME"),
    completion: .list(BracketEnd.completions), transform: BracketEnd.init(parsing:))
  var shadow: BracketEnd

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The exposure time that keeps detail in the highlights.", valueName: "TIME"),
    completion: .list(BracketEnd.completions), transform: BracketEnd.init(parsing:))
  var highlight: BracketEnd

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Frames per set: 3, 5, 7 or 9. Default: 5.", valueName: "N"),
    completion: .list(BracketFrames.allCases.map { String($0.rawValue) }), transform: BracketFrames.init(parsing:))
  var frames = BracketFrames.five

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "EV from one frame to the next: 1, 1.5 (planned as 1 2/3) or 2. Default: 1.",
      discussion: """
        Exposure times are 1/3 EV apart, so camrec rounds 1.5 up. A camera that brackets by exactly 1.5 EV covers less \
        than the plan.
        """,
      valueName: "EV"),
    completion: .list(BracketSpacing.allCases.map(\.description)), transform: BracketSpacing.init(parsing:))
  var spacing = BracketSpacing.one

  @Flag(help: "Take the series with the camera.")
  var capture = false

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "With --capture: the beginning of the stills' names.",
      discussion: "strftime patterns are filled in. Default: bracket_%Y-%m-%d_%H-%M-%S.", valueName: "PREFIX"))
  var output: String?

  @Flag(help: "With --capture: replace existing files.")
  var overwrite = false

  @OptionGroup(title: "Camera, for --capture and meter:X,Y") var camera: LiveCameraOptions
  @OptionGroup(title: "Look, for --capture") var style: StillLookOptions

  @Flag(help: "Print one JSON object.")
  var json = false

  func validate() throws {
    if !capture, output != nil || overwrite {
      throw ValidationError("--output and --overwrite are for --capture, which takes the series")
    }
    if !capture, style.look != nil { throw ValidationError("--look is for --capture, which takes the series") }
  }

  func run() throws {
    let grade = try style.grade()
    let needsCamera = capture || shadow.isMetered || highlight.isMetered
    // One for all cameras, which are opened one after the other.
    let signals = needsCamera ? StopSignals() : nil
    let plan = BracketPlan(
      from: try speed(of: highlight, signals), to: try speed(of: shadow, signals), frames: frames, spacing: spacing)
    try show(plan)
    guard capture, let signals else { return }
    let prefix = try OutputPath.filled(output ?? "bracket_%Y-%m-%d_%H-%M-%S", Date())
    let sets = plan.sets.isEmpty ? [[plan.highlight]] : plan.sets.map(\.speeds)
    try StillCamera(camera.settings, colorIn: style.colorIn, signals: signals)
      .takeBracket(sets, grade, prefix: prefix, overwrite: overwrite) { HumanText.write($0 + "\n") }
  }

  private func show(_ plan: BracketPlan) throws {
    guard json else {
      Console.print(BracketRuler.lines(of: plan).joined(separator: "\n"))
      return
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    try Console.print(json: encoder.encode(BracketReport(plan)))
  }

  /// Opens the camera for each point, and restores its settings in between.
  private func speed(of end: BracketEnd, _ signals: StopSignals?) throws(CamrecError) -> ShutterSpeed {
    switch end {
    case .speed(let speed): return speed
    case .metered(let point):
      let eye = try StillCamera(camera.settings, signals: signals ?? StopSignals())
      let reading = try eye.meter(point)
      if let doubt = eye.doubt(reading, at: point) { HumanText.warning(doubt) }
      return try eye.speed(of: reading)
    }
  }
}
