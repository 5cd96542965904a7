import ArgumentParser
import Frames

/// `camrec devices`.
struct DevicesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices",
    abstract: "List cameras with their formats, sizes, rates and controls, and microphones.",
    usage: "camrec devices [--json]")

  @Flag(help: "Print one JSON object.")
  var json = false
}
