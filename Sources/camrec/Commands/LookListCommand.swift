import ArgumentParser
import Assembly
import Frames
import Looks
import Reporting

/// `camrec look list`.
struct LookListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the looks that camrec finds by name.",
    usage: "camrec look list [--json]",
    discussion: """
      Prints name, version, title and file of each look in ~/.config/camrec/looks and of those that came with camrec. \
      A look of your own replaces one of the same name that came with camrec.

      --json prints one object per look: format "camrec-look-list" and version 1; name, lookVersion, title and path, \
      or path and error if its file cannot be read.
      """)

  @Flag(help: "Print a JSON object per look.") var json = false

  func run() throws {
    var status = ExitStatus.success
    let folders = LookChoice.folders
    let files = folders.files
    if files.isEmpty, !json { Console.print("no looks in \(folders.paths.joined(separator: ", "))") }
    for path in files {
      do {
        let entry = try LookFile.entry(path: path)
        if json {
          JSONLine.print(
            Report(name: entry.name, lookVersion: entry.version, title: entry.title, path: entry.path))
        } else {
          Console.print("\(entry.name), version \(entry.version): \(entry.title) (\(entry.path))")
        }
      } catch {
        if json { JSONLine.print(Report(path: path, error: error.description)) }
        HumanText.error(error)
        status.add(ExitStatus(error))
      }
    }
    if status != .success { throw Camrec.Ending(status: status) }
  }

  private struct Report: Encodable {
    let format = "camrec-look-list"
    let version = 1
    var name: String?
    var lookVersion: Int?
    var title: String?
    let path: String
    var error: String?
  }
}
