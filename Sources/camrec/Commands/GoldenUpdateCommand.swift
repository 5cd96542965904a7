import ArgumentParser
import Jobs

/// `camrec golden update`.
struct GoldenUpdateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "update", abstract: "Report what has changed, and rewrite the goldens.",
    usage: "camrec golden update [--changed-only] [OPTION …] SUITE.yaml [CASE …]")

  @Flag(help: "Do not rewrite goldens that still hold.") var changedOnly = false
  @OptionGroup var suite: SuiteOptions

  func run() throws { try suite.run(changedOnly ? .updateChanged : .update) }
}
