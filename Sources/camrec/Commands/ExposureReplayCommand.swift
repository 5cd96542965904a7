import ArgumentParser
import Exposure
import Reporting

/// `camrec exposure replay FILE`.
struct ExposureReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Replay an exposure trace, and report whether any decision differs.",
    usage: "camrec exposure replay [--json] FILE",
    discussion: """
      The exposure controller decides only by its configuration and the metered values, and calculates in whole \
      numbers. The same trace therefore gives the same decisions on every machine; if one differs, this camrec decides \
      differently from the one that wrote the trace.

      --json prints one object: format "camrec-exposure-replay" and version 1; path, decisions, isSame, and difference \
      (line, recorded, replayed) for the first decision that differs.

      \(ExitStatusParagraphs.text(of: "camrec exposure replay") ?? "")
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
      let count = HumanText.count(replay.decisions, "decision")
      Console.print("\(path): \(count)\(replay.decisions == 1 ? ", the same" : ", all the same")")
      return
    }
    Console.print(
      """
      \(path), line \(difference.line): the decision differs
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
