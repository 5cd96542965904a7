import ArgumentParser
import Frames
import Movies

/// `camrec keep FILE …`.
struct KeepCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keep",
    abstract: "Mark films that are never to be deleted.",
    usage: "camrec keep [--undo] FILE …",
    discussion: """
      A recorder that deletes old films (record --on-full rotate, --keep-age, --keep-count, --keep-size, --keep-free) leaves \
      these alone. The mark is an empty file beside the film, take.mov.keep; copy it with the film. 'camrec ctl keep' marks \
      the film that is being recorded.
      """)

  @Flag(help: "Take the mark away.")
  var undo = false

  @Argument(help: ArgumentHelp("Films.", valueName: "FILE"), completion: .file(extensions: ["mov", "mkv"]))
  var films: [String]

  func run() throws {
    var failure: CamrecError?
    for film in films {
      do throws(CamrecError) {
        try KeepMark.set(!undo, film: film)
      } catch {
        HumanText.error(error)
        failure = failure ?? error
      }
    }
    if let failure { throw Camrec.Ending(status: ExitStatus(failure)) }
  }
}
