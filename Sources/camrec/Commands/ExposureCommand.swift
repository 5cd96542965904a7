import ArgumentParser

/// `camrec exposure`.
struct ExposureCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "exposure",
    abstract: "Replay what the exposure controller decided.",
    usage: "camrec exposure replay [--json] FILE",
    subcommands: [ExposureReplayCommand.self])
}
