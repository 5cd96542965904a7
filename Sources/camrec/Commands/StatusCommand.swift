import ArgumentParser
import ControlSocket
import Foundation
import Frames
import Recorder
import Telemetry

/// `camrec status`.
struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Say how recorders go, by their state files.",
    usage: "camrec status [--json] [NAME|PATH …]",
    discussion: """
      A recorder writes its state file once a second (record --state), so that asking costs it nothing and works also \
      when it hangs or has crashed. Without a name every recorder of this user is told of, and those of the system.

      Exit status: 0 they run, 69 one of them does not, or has not said anything for more than 5 seconds.
      """)

  @Flag(help: "Print a JSON object on a line for each, with health: runs, ended, silent or gone.")
  var json = false

  @Argument(
    help: ArgumentHelp("A recorder's --name, or its state file.", valueName: "NAME|PATH"),
    completion: .file(extensions: ["json"]))
  var recorders: [String] = []

  private struct Line: Encodable {
    let path: String
    let health: String
    let record: StateRecord
  }

  func run() throws {
    let files = try paths()
    var areWell = true
    for (place, path) in files.enumerated() {
      let record: StateRecord
      do throws(CamrecError) {
        record = try StateFile.read(path: path)
      } catch {
        // One that has ended meanwhile has taken its file away.
        if recorders.isEmpty, error.code == .device { continue }
        throw error
      }
      let health = RecorderHealth(record)
      if health != .runs { areWell = false }
      if json {
        let line = Line(path: path, health: health.word, record: record)
        try FileHandle.standardOutput.write(contentsOf: Data(ControlProtocol.line(line)))
      } else {
        let lines = StateDescription.lines(of: record, health)
        print((place > 0 ? "\n" : "") + lines.joined(separator: "\n"))
      }
    }
    if !areWell { throw Camrec.Ending(status: .device) }
  }

  private func paths() throws(CamrecError) -> [String] {
    let files = ControlPlace().files(suffix: StateFile.suffix)
    guard recorders.isEmpty else { return recorders.map { named($0, among: files) } }
    guard !files.isEmpty else {
      throw CamrecError(
        .device, "no recorder is running that has a state file; start camrec, or name the file that --state gave it")
    }
    return files
  }

  /// A name is one without a slash that a recorder has; everything else is a path.
  private func named(_ recorder: String, among files: [String]) -> String {
    let name = "/\(recorder)\(StateFile.suffix)"
    return files.first { $0.hasSuffix(name) } ?? recorder
  }
}
