import ArgumentParser
import Assembly
import Looks
import Reporting

/// `camrec look info LOOK`.
struct LookInfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Show what is in a look.",
    usage: "camrec look info [--json] LOOK",
    discussion: """
      Shows name, version and title, exposure, tone curve, table, desaturation and grain, and where the look comes \
      from. A look file with a mistake is refused with the line and the column.

      --json prints one object: format "camrec-look-info" and version 1; name, lookVersion, title, path, exposure (in \
      EV), curve (pairs of numbers), table (path, size, minimum, maximum, sha256), desaturation (from, to, amount), \
      grain (intensity, size), derivation (command, sources).
      """)

  @Argument(help: LookCommand.lookHelp, completion: LookChoice.completion, transform: LookChoice.init)
  var look: LookChoice

  @Flag(help: "Print one JSON object.") var json = false

  func run() throws {
    let file = try look.read()
    if json { return JSONLine.print(LookReport(file)) }
    Console.print(LookDescription.lines(of: file).joined(separator: "\n"))
  }
}
