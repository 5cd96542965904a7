import ArgumentParser
import Exposure

/// `camrec exposure replay FILE`.
struct ExposureReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Decide an exposure trace once more, and say whether anything comes out differently.",
    usage: "camrec exposure replay [--json] FILE",
    discussion: """
      The controller is a function of its configuration and of what the meter read, in whole numbers: a trace \
      replays to the same bytes on every machine.

      With --json one object: format "camrec-exposure-replay" and its version, 1; path, decisions, isSame, and \
      difference (line, recorded, replayed) of the first that comes out differently.
      """)

  @Argument(help: ArgumentHelp("The trace.", valueName: "FILE"), completion: .file())
  var path: String

  @Flag(help: "Print one JSON object.") var json = false

  func run() throws {
    let replay = try ExposureReplay(readingFile: path)
    if json {
      JSONLine.print(Report(replay, path: path))
      if replay.difference != nil { throw Camrec.Ending(status: .odd) }
      return
    }
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

  private struct Report: Encodable {
    struct Difference: Encodable {
      let line: Int
      let recorded: String
      let replayed: String
    }

    let format = "camrec-exposure-replay"
    let version = 1
    let path: String
    let decisions: Int
    let isSame: Bool
    let difference: Difference?

    init(_ replay: ExposureReplay, path: String) {
      self.path = path
      decisions = replay.decisions
      isSame = replay.difference == nil
      difference = replay.difference.map {
        Difference(line: $0.line, recorded: "\($0.recorded)", replayed: "\($0.replayed)")
      }
    }
  }
}
