import ArgumentParser
import Exposure
import Foundation

/// `camrec bracket --shadow SPEED --highlight SPEED`.
struct BracketCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bracket",
    abstract: "Work out the sets of an exposure-bracketed series.",
    usage: "camrec bracket --shadow SPEED --highlight SPEED [--frames N] [--spacing EV] [--json]",
    discussion: """
      Meter the darkest part that shall show detail and the brightest one; either order will do. Each set begins at \
      the last speed of the one before, and its frames go towards slower speeds. It is drawn as a ruler with a tick \
      for every third of a stop: the long ticks are the frames, and the arrow points to the centre, which is what the \
      camera is set to.

      Speeds are those that cameras print, in thirds of a stop: 1/8000 to 1/4, 0.3s, 0.4s, 1/2, 0.6s, 0.8s, 1s to 30s, \
      with s, " or ″ for seconds.

      With --json one object: format "camrec-bracket" and its version, 1; highlight and shadow, the faster and the \
      slower speed; rangeEV; framesPerSet and spacingEV; exposures, in all; sets, each with its center and its speeds \
      from fast to slow. A speed is its name as printed, its index (0 is 1/8000, 54 is 30″; a step is 1/3 EV) and \
      seconds, exact by the index. What a later camrec adds leaves the version as it is.
      """)

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The speed that shows the shadows.", valueName: "speed"),
    completion: .list(BracketEnd.completions), transform: BracketEnd.init(parsing:))
  var shadow: BracketEnd

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The speed that holds the highlights.", valueName: "speed"),
    completion: .list(BracketEnd.completions), transform: BracketEnd.init(parsing:))
  var highlight: BracketEnd

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Frames of a set: 3, 5, 7 or 9. Default: 5.", valueName: "N"),
    completion: .list(BracketFrames.allCases.map { String($0.rawValue) }), transform: BracketFrames.init(parsing:))
  var frames = BracketFrames.five

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("EV from one frame to the next: 1, 1.5 or 2. Default: 1.", valueName: "EV"),
    completion: .list(BracketSpacing.allCases.map(\.description)), transform: BracketSpacing.init(parsing:))
  var spacing = BracketSpacing.one

  @Flag(help: "Print one JSON object.")
  var json = false

  func run() throws {
    let plan = BracketPlan(from: speed(of: highlight), to: speed(of: shadow), frames: frames, spacing: spacing)
    guard json else {
      print(BracketRuler.lines(of: plan).joined(separator: "\n"))
      return
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
    print(String(decoding: try encoder.encode(BracketReport(plan)), as: UTF8.self))
  }

  private func speed(of end: BracketEnd) -> ShutterSpeed {
    switch end {
    case .speed(let speed): speed
    }
  }
}
