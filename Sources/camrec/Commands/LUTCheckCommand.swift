import ArgumentParser
import Color
import Frames
import Kernels
import Reporting

/// `camrec lut check FILE.cube …`.
struct LUTCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check .cube files for problems.",
    usage: "camrec lut check [--json] FILE.cube …",
    discussion: """
      Reports unknown and repeated keywords, and an input range whose table is missing, each with its line; neutrals \
      that get darker as the input gets brighter; a table with only one colour; inputs that the table does not cover; \
      values that seem to use another scale, such as 0–1023; and whatever camrec cannot bake.

      --json prints one object per LUT: format "camrec-lut-check" and version 1; path, verdict (ok, odd, error), \
      findings, and error if it cannot be read.

      \(ExitStatusParagraphs.text(of: "camrec lut check") ?? "")
      """)

  @Argument(help: ArgumentHelp("The LUTs.", valueName: "FILE.cube"), completion: .file(extensions: ["cube"]))
  var paths: [String]

  @Flag(help: "Print a JSON object per LUT.") var json = false

  func run() throws {
    var status = ExitStatus.success
    for path in paths {
      do {
        let table = try LookupTable(readingFile: path, listing: .max)
        let findings = table.warnings + (table.findings + refusals(of: table)).map { "\(path): \($0)" }
        if json {
          JSONLine.print(Report(path: path, verdict: findings.isEmpty ? "ok" : "odd", findings: findings))
        } else {
          Console.print(findings.isEmpty ? "\(path): nothing odd" : findings.joined(separator: "\n"))
        }
        if !findings.isEmpty { status.add(.odd) }
      } catch {
        if json { JSONLine.print(Report(path: path, verdict: "error", error: error.description)) }
        HumanText.error(error)
        status.add(ExitStatus(error))
      }
    }
    if status != .success { throw Camrec.Ending(status: status) }
  }

  private struct Report: Encodable {
    let format = "camrec-lut-check"
    let version = 1
    let path: String
    let verdict: String
    var findings: [String] = []
    var error: String?
  }

  /// Why no bake can apply the LUT; empty if one can.
  private func refusals(of table: LookupTable) -> [String] {
    do {
      _ = try TablePath(of: table, bitDepth: 10)
      return []
    } catch {
      return [error.message]
    }
  }
}
