import ArgumentParser

/// `camrec exposure`.
struct ExposureCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "exposure",
    abstract: "Replay the decisions of the exposure controller.",
    usage: "camrec exposure replay [--json] FILE",
    subcommands: [ExposureReplayCommand.self])
}
