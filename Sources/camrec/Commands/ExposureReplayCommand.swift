import ArgumentParser
import Exposure

/// `camrec exposure replay FILE`.
struct ExposureReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Decide an exposure trace once more, and say whether anything comes out differently.",
    usage: "camrec exposure replay FILE",
    discussion: """
      The controller is a function of its configuration and of what the meter read, in whole numbers: a trace \
      replays to the same bytes on every machine.
      """)

  @Argument(help: ArgumentHelp("The trace.", valueName: "FILE"), completion: .file())
  var path: String

  func run() throws {
    let replay = try ExposureReplay(readingFile: path)
    guard let difference = replay.difference else {
      Console.print("\(path): \(replay.decisions) decisions, all the same")
      return
    }
    Console.print(
      """
      \(path), line \(difference.line): the decision comes out differently
        recorded \(difference.recorded)
        replayed \(difference.replayed)
      """)
    throw Camrec.Ending(status: .odd)
  }
}
