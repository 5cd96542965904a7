import ArgumentParser
import Platform
import Reporting
import Terminal

/// `camrec manual`: prints the manual page. For scripts/man.
struct ManualCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "manual", abstract: "Print the manual page, as troff.", shouldDisplay: false)

  func run() throws {
    Console.output.write(ManualPage(of: try CommandInfo(dump: Camrec._dumpHelp()), version: Camrec.version).page)
  }
}
