import ArgumentParser
import Foundation
import Frames
import Reporting
import Rig
import SectionFile

/// `camrec rig check FILE.yaml`.
struct RigCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check a rig file for mistakes.",
    usage: "camrec rig check [--json] FILE.yaml",
    discussion: """
      Reports each finding by file, line, column and key, with what is allowed. An error is a mistake in the file: the \
      rig does not start. With a warning, it starts. If the cause of a warning keeps a camera from recording (its \
      folder is missing, for example), --json calls the warning a fault. The check creates nothing, and does not look \
      for cameras and microphones; 'camrec doctor FILE.yaml' does.

      \(ExitStatusParagraphs.text(of: "camrec rig check") ?? "")
      """)

  @Flag(help: "Print one JSON object: file, cameras, findings, status.")
  var json = false

  @Argument(help: ArgumentHelp("The rig file.", valueName: "FILE.yaml"), completion: .file(extensions: ["yaml", "yml"]))
  var path: String

  func run() throws {
    let report = try report()
    if json {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      try Console.print(json: encoder.encode(report))
    } else {
      Console.print(report.lines.joined(separator: "\n"))
    }
    if report.status != 0, let status = ExitStatus(rawValue: report.status) { throw Camrec.Ending(status: status) }
  }

  private func report() throws -> RigReport {
    do {
      return RigReport(file: path, try RigPlan(readingFile: path, looksAround: true, language: .cameras()))
    } catch let error as CamrecError {
      return RigReport(file: path, error)
    }
  }
}
