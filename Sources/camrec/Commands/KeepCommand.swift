import ArgumentParser
import Frames
import Movies
import Platform
import Reporting

/// `camrec keep FILE …`.
struct KeepCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keep",
    abstract: "Protect films from deletion.",
    usage: "camrec keep [--undo] [--json] FILE …",
    discussion: """
      No recorder deletes a film with a keep mark, whatever its limits say (record --on-full rotate, --keep-age, \
      --keep-count, --keep-size, --keep-free). The keep mark is an empty file beside the film, take.mov.keep; copy it \
      with the film. 'camrec ctl keep' sets it for the film that is being recorded.

      --json prints one object per film: format "camrec-keep" and version 1; path, isKept, isNew (this command \
      changed it), and error if it failed.
      """)

  @Flag(help: "Remove the keep mark.")
  var undo = false

  @Flag(help: "Print a JSON object per film.")
  var json = false

  @Argument(help: ArgumentHelp("The films.", valueName: "FILE"), completion: .file(extensions: ["mov", "mkv"]))
  var films: [String]

  func run() throws {
    var status = ExitStatus.success
    for film in films {
      do throws(CamrecError) {
        let isNew = try KeepMark.set(!undo, film: film)
        if json {
          JSONLine.print(Report(path: film, isKept: !undo, isNew: isNew))
        } else {
          Console.print(words(film, isNew))
        }
      } catch {
        if json { JSONLine.print(Report(path: film, error: error.description)) }
        HumanText.error(error)
        status.add(ExitStatus(error))
      }
    }
    if status != .success { throw Camrec.Ending(status: status) }
  }

  private func words(_ film: String, _ isNew: Bool) -> String {
    let name = VisibleText.line(film)
    return undo
      ? "'\(name)' \(isNew ? "is no longer kept" : "was not kept"): a recorder may delete it"
      : "'\(name)' \(isNew ? "is kept" : "was kept already"): no recorder deletes it"
  }

  private struct Report: Encodable {
    let format = "camrec-keep"
    let version = 1
    let path: String
    var isKept: Bool?
    var isNew: Bool?
    var error: String?
  }
}
